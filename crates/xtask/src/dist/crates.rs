//! The crates as a registry would get them: packed from a copy of the workspace, in which the files that crates read
//! from outside their folder (the grammar, the library of protocols, the reference) are inside.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{copy, output, read, renew, target_folder, write};

/// A file with a path in it that leads out of its crate: the path as written, and the folder of the repository that is
/// copied into the crate's folder `outside`.
const OUTSIDE: [(&str, &str, &str, &str); 3] = [
    ("crates/map-syntax", "src/pest_grammar.rs", "../../grammar/", "grammar/"),
    ("crates/map-library", "src/table.rs", "../../../protocols/", "protocols/"),
    ("crates/map-mcp", "src/resources.rs", "../../../docs/book/src/", "docs/book/src/reference.md"),
];

/// Packs all crates that are for others, in the order in which they can be published. `arguments` are further ones of
/// `cargo package`, such as `--no-verify`.
///
/// # Errors
/// If a path is not where it was, or cargo refuses a crate.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let stage = target_folder(root).join("packages/crates");
    renew(&stage)?;
    let files = output(Command::new("git").args(["ls-files", "-z"]).current_dir(root))?;
    for file in files.split('\0').filter(|it| !it.is_empty()) {
        take(root, &stage, file, file)?;
        for (package, _, _, taken) in OUTSIDE {
            if file.starts_with(taken) {
                take(root, &stage, file, &format!("{package}/outside/{file}"))?;
            }
        }
    }
    for (package, file, written, taken) in OUTSIDE {
        let path = stage.join(package).join(file);
        let text = read(&path)?;
        if !text.contains(written) {
            return Err(format!("{package}/{file} does not read {written}"));
        }
        let folder = &taken[..taken.rfind('/').map_or(0, |it| it + 1)];
        write(&path, &text.replace(written, &format!("../outside/{folder}")))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut metadata = Command::new(&cargo);
    metadata.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&output(metadata.current_dir(&stage))?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let mut package = Command::new(cargo);
    package.args(["package", "--workspace", "--locked", "--allow-dirty"]).args(arguments);
    for name in private(&metadata) {
        package.args(["--exclude", name]);
    }
    let status = package.current_dir(&stage).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo package: {status}")) }
}

/// The packages that no registry is to have.
fn private(metadata: &Value) -> impl Iterator<Item = &str> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let private = packages.filter(|it| it["publish"].as_array().is_some_and(Vec::is_empty));
    private.filter_map(|it| it["name"].as_str())
}

fn take(root: &Path, stage: &Path, file: &str, to: &str) -> Result<(), String> {
    let to = stage.join(to);
    std::fs::create_dir_all(to.parent().unwrap_or(stage)).map_err(|error| error.to_string())?;
    copy(&root.join(file), &to)
}
