//! Gives the program a number that tells builds apart: a hash of the sources, of what they depend on, and of the
//! compiler. Processes that search together have to be of one build.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("Cargo.lock"), root.join("Cargo.toml")];
    for folder in ["crates", "grammar"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        find(&root.join(folder), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(&fs::read(&file).unwrap_or_default());
        hasher.write_u8(0);
    }
    for name in ["CARGO_PKG_VERSION", "TARGET", "PROFILE", "OPT_LEVEL"] {
        hasher.write(env::var(name).unwrap_or_default().as_bytes());
    }
    let compiler = env::var("RUSTC").ok().and_then(|rustc| {
        std::process::Command::new(rustc).arg("--version").output().ok().map(|output| output.stdout)
    });
    hasher.write(&compiler.unwrap_or_default());
    println!("cargo::rustc-env=MAP_BUILD={:016x}", hasher.finish());
}

/// The sources in a folder, without tests.
fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_source =
            path.extension().is_some_and(|it| ["rs", "pest", "toml"].iter().any(|kind| it == *kind));
        if path.is_dir() && !path.ends_with("tests") && !path.ends_with("target") {
            find(&path, files);
        } else if is_source {
            files.push(path);
        }
    }
}
