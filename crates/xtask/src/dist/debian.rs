//! The Debian package: a static binary, so that it depends on nothing.

use std::path::Path;
use std::process::Command;

use super::{COMPLETIONS, VERSION, copy, output, renew, write};

/// Builds the package of an assembled folder; its name. Nothing is built for other systems, and without `dpkg-deb`.
///
/// # Errors
/// What cannot be written.
pub(super) fn package(out: &Path, folder: &Path, target: &str) -> Result<Option<String>, String> {
    let architecture = match target {
        "x86_64-unknown-linux-musl" => "amd64",
        "aarch64-unknown-linux-musl" => "arm64",
        _ => return Ok(None),
    };
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        println!("passed over: the Debian package, as dpkg-deb is not there");
        return Ok(None);
    }
    let name = format!("map-lang_{VERSION}_{architecture}.deb");
    let root = out.join("debian");
    renew(&root)?;
    let place = |path: &str| -> Result<_, String> {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&root)).map_err(|error| error.to_string())?;
        Ok(path)
    };
    copy(&folder.join("map"), &place("usr/bin/map")?)?;
    for (shell, path) in [
        ("bash", "usr/share/bash-completion/completions/map"),
        ("zsh", "usr/share/zsh/vendor-completions/_map"),
        ("fish", "usr/share/fish/vendor_completions.d/map.fish"),
    ] {
        let file = COMPLETIONS.iter().find(|it| it.0 == shell).map_or("", |it| it.1);
        copy(&folder.join("completions").join(file), &place(path)?)?;
    }
    let pages = place("usr/share/man/man1/map.1")?;
    for page in std::fs::read_dir(folder.join("man")).map_err(|error| error.to_string())?.flatten() {
        copy(&page.path(), &pages.with_file_name(page.file_name()))?;
    }
    let mut gzip = Command::new("gzip");
    output(gzip.arg("-9nr").arg(pages.parent().unwrap_or(&root)))?;
    let documents = place("usr/share/doc/map-lang/copyright")?;
    write(&documents, COPYRIGHT)?;
    copy(&folder.join("map.cdx.json"), &documents.with_file_name("map.cdx.json"))?;
    copy(&folder.join("CHANGELOG.md"), &documents.with_file_name("CHANGELOG.md"))?;
    write(&place("DEBIAN/control")?, &control(architecture))?;
    let mut build = Command::new("dpkg-deb");
    // The times in the package are those of the files unless this is set.
    build.env("SOURCE_DATE_EPOCH", "0").args(["--root-owner-group", "-Zxz", "--build"]);
    output(build.arg(&root).arg(out.join(&name)))?;
    std::fs::remove_dir_all(&root).map_err(|error| error.to_string())?;
    Ok(Some(name))
}

fn control(architecture: &str) -> String {
    format!(
        "Package: map-lang\n\
         Version: {VERSION}\n\
         Architecture: {architecture}\n\
         Section: devel\n\
         Priority: optional\n\
         Maintainer: the authors of MAP <nobody@localhost>\n\
         Description: protocols between agents, checked, verified, played and enforced\n \
         The command map for the language MAP (Multi-Agent Protocols): a model checker, a\n \
         simulator, pictures, conformance of logs, and a guard between running agents.\n"
    )
}

const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: map

Files: *
Copyright: the authors of MAP
License: MIT or Apache-2.0
Comment: What the crates are under that the binary is made of is in map.cdx.json.
";
