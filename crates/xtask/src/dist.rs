//! What a release consists of: static binaries with manual pages, completions and a bill of materials as archives, a
//! Debian package, a formula for Homebrew, and checksums, in `target/packages`. Nothing is published.

mod crates;
mod debian;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sbom;

pub(crate) use crates::run as crates;

/// What is built if no target is named, as far as it can be here.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// The shells for which there are completions, each with the file's name.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "map.bash"),
    ("zsh", "_map"),
    ("fish", "map.fish"),
    ("powershell", "map.ps1"),
    ("elvish", "map.elv"),
];

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Makes the files of a release for some targets, or for those of [`TARGETS`] that can be built here.
///
/// # Errors
/// What cannot be built or written, and what is not as a release has to be.
pub(crate) fn run(root: &Path, targets: &[&str]) -> Result<(), String> {
    let out = target_folder(root).join("packages");
    let mut built = Vec::new();
    for target in if targets.is_empty() { &TARGETS } else { targets } {
        match missing(target)? {
            None => built.push((*target, build(root, target)?)),
            Some(why) if targets.is_empty() => println!("passed over: {target}: {why}"),
            Some(why) => return Err(format!("{target}: {why}")),
        }
    }
    // Pages and completions are the same everywhere; one of the binaries has to run here to print them.
    let Some((_, own)) = built.iter().find(|(_, binary)| runs(binary)) else {
        return Err(
            "none of the binaries runs here, so nobody prints manual pages and completions".to_owned()
        );
    };
    renew(&out)?;
    let mut made = Vec::new();
    for (target, binary) in &built {
        let name = format!("map-{VERSION}-{target}");
        let folder = out.join(&name);
        assemble(root, &folder, target, binary, own)?;
        made.push(debian::package(&out, &folder, target)?);
        made.push(Some(archive(&out, &name)?));
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let made: Vec<String> = made.into_iter().flatten().collect();
    let sums = checksums(&out, &made)?;
    let formula = formula(&read(&root.join("packaging/map-lang.rb"))?, &sums);
    write(&out.join("map-lang.rb"), &formula)?;
    for name in &made {
        let size = fs::metadata(out.join(name)).map_or(0, |it| it.len());
        println!("{}: {:.1} MiB", out.join(name).display(), size as f64 / f64::from(1 << 20));
    }
    Ok(())
}

/// What a target needs that is not here: its standard library, or a C compiler, as a few lines of assembler are built.
fn missing(target: &str) -> Result<Option<String>, String> {
    let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]))?;
    if !Path::new(folder.trim()).is_dir() {
        return Ok(Some(format!("rustup target add {target}")));
    }
    let compiler = compiler(target);
    let is_there = Command::new(compiler).arg("--version").output().is_ok_and(|it| it.status.success());
    Ok((!is_there).then(|| format!("{compiler} is not installed")))
}

/// The C compiler for a target, which also links.
fn compiler(target: &str) -> &'static str {
    match target {
        "x86_64-unknown-linux-musl" => "musl-gcc",
        "aarch64-unknown-linux-musl" => "aarch64-linux-gnu-gcc",
        _ => "cc",
    }
}

/// Builds `map` for a target; its path.
fn build(root: &Path, target: &str) -> Result<PathBuf, String> {
    let name = target.replace('-', "_");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args([
        "build",
        "--locked",
        "--profile",
        "dist",
        "-p",
        "map-cli",
        "--features",
        "full",
        "--target",
        target,
    ]);
    if target.ends_with("-musl") {
        // The library of C and its start files come with Rust; only the assembler and the linker are from here.
        build.env(format!("CC_{name}"), compiler(target));
        build.env(format!("CARGO_TARGET_{}_LINKER", name.to_uppercase()), "rust-lld");
    }
    let status = build.current_dir(root).status().map_err(|error| format!("cargo: {error}"))?;
    let suffix = if target.contains("windows") { ".exe" } else { "" };
    let binary = target_folder(root).join(target).join("dist").join(format!("map{suffix}"));
    if !status.success() {
        return Err(format!("cargo build --target {target}: {status}"));
    }
    if target.ends_with("-musl") && asks_for_a_loader(&read_bytes(&binary)?) {
        return Err(format!("{}: it is not linked statically", binary.display()));
    }
    Ok(binary)
}

/// Whether a program for 64 bits, in the format ELF, asks to be loaded by another: it has a segment `PT_INTERP`.
fn asks_for_a_loader(elf: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| {
        let field = elf.get(at..at + bytes).unwrap_or_default();
        field.iter().rev().fold(0_usize, |number, &byte| (number << 8) | usize::from(byte))
    };
    let (table, size, count) = (number(0x20, 8), number(0x36, 2), number(0x38, 2));
    (0..count).any(|index| number(table.saturating_add(index * size), 4) == 3)
}

fn runs(binary: &Path) -> bool {
    Command::new(binary).arg("--version").output().is_ok_and(|it| it.status.success())
}

/// Puts what belongs to a binary into a folder. `own` is a binary that runs here.
fn assemble(root: &Path, folder: &Path, target: &str, binary: &Path, own: &Path) -> Result<(), String> {
    renew(&folder.join("completions"))?;
    copy(binary, &folder.join(binary.file_name().unwrap_or_default()))?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root.join(name), &folder.join(name))?;
    }
    for (shell, name) in COMPLETIONS {
        let script = output(Command::new(own).args(["completions", shell]))?;
        write(&folder.join("completions").join(name), &script)?;
    }
    output(Command::new(own).args(["man", "--output-dir"]).arg(folder.join("man")))?;
    write(&folder.join("map.cdx.json"), &sbom::text(target)?)
}

/// Packs a folder, the same to the byte for the same content.
fn archive(out: &Path, name: &str) -> Result<String, String> {
    let file = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mtime=@0",
        "--use-compress-program",
    ]);
    output(tar.args(["gzip -9n", "-cf", &file, name]).current_dir(out))?;
    Ok(file)
}

/// Writes `SHA256SUMS`, and returns it.
fn checksums(out: &Path, names: &[String]) -> Result<String, String> {
    let sums = output(Command::new("sha256sum").args(names).current_dir(out))?;
    write(&out.join("SHA256SUMS"), &sums)?;
    Ok(sums)
}

/// The formula with the version and the checksums; what is not known stays as it is.
fn formula(text: &str, sums: &str) -> String {
    let mut text = text.replace("VERSION", VERSION);
    for line in sums.lines() {
        let Some((sum, file)) = line.split_once("  ") else { continue };
        let target = file.trim_start_matches(&format!("map-{VERSION}-")).trim_end_matches(".tar.gz");
        text = text.replace(&format!("SHA256-{target}"), sum);
    }
    text
}

/// Where cargo builds.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// What a program prints.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("{name}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{name}: {}\n{}", done.status, String::from_utf8_lossy(&done.stderr)));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Makes an empty folder in place of what was there.
fn renew(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_linked_to_a_library_asks_for_a_loader() {
        // A header with two segments of 56 bytes from byte 64 on, the second of the kind that is given.
        let program = |kind: u8| {
            let mut elf = vec![0; 64 + 2 * 56];
            (elf[0x20], elf[0x36], elf[0x38]) = (64, 56, 2);
            (elf[64], elf[64 + 56]) = (1, kind);
            elf
        };
        assert!(asks_for_a_loader(&program(3)));
        assert!(!asks_for_a_loader(&program(2)));
        assert!(!asks_for_a_loader(&[]));
    }

    #[test]
    fn the_formula_has_the_checksums_that_are_known() {
        let sums = format!("abc  map-{VERSION}-x86_64-unknown-linux-musl.tar.gz\n");
        let text = "v VERSION SHA256-x86_64-unknown-linux-musl SHA256-sources";
        assert_eq!(formula(text, &sums), format!("v {VERSION} abc SHA256-sources"));
    }
}
