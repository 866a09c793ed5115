//! The playground: the engine for WebAssembly, then the page that contains it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The target of the engine.
const TARGET: &str = "wasm32-wasip1";

/// The bytes of its stack: texts may nest 200 levels deep.
const STACK: &str = "-Clink-arg=-zstack-size=16777216";

/// Builds `playground/dist/index.html`, and says how large it is.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let engine = engine(root)?;
    let playground = root.join("playground");
    if !playground.join("node_modules/.package-lock.json").exists() {
        call(&mut Command::new(playground.join("install")))?;
    }
    let dist = playground.join("dist");
    fs::create_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    let notices = dist.join("notices.txt");
    fs::write(&notices, licences(root)?).map_err(|error| format!("{}: {error}", notices.display()))?;
    let mut page = Command::new("node");
    page.current_dir(&playground).arg("scripts/build.mjs").args([
        &engine,
        &dist.join("index.html"),
        &notices,
    ]);
    call(&mut page)
}

/// Builds the engine, and says where it is.
fn engine(root: &Path) -> Result<PathBuf, String> {
    let installed = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let installed = installed.map_err(|error| format!("rustc: {error}"))?;
    let folder = String::from_utf8_lossy(&installed.stdout).trim().to_owned();
    // Whoever builds the standard library along needs none that is installed.
    let builds_it = std::env::var_os("CARGO_UNSTABLE_BUILD_STD").is_some();
    if !builds_it && !Path::new(&folder).exists() {
        return Err(format!("the target {TARGET} is not installed: rustup target add {TARGET}"));
    }
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["rustc", "--locked", "--profile", "web", "--target", TARGET]);
    cargo.args(["-p", "map-web", "--bin", "map-web", "--", STACK]);
    call(&mut cargo)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join(TARGET).join("web/map-web.wasm"))
}

/// The licences of the crates that the engine contains.
fn licences(root: &Path) -> Result<String, String> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        TARGET,
    ]);
    let output = cargo.output().map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let all: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let linked = crate::packages::tree(&[
        "--package",
        "map-web",
        "--target",
        TARGET,
        "--edges",
        "normal,no-proc-macro",
    ])?;
    let linked: BTreeSet<(String, String)> =
        linked.into_iter().map(|line| (line.name, line.version)).collect();
    let mut text =
        "The engine of this page is MAP (MIT OR Apache-2.0). It contains these crates.\n".to_owned();
    let packages = all["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let word = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    for package in packages.iter().filter(|it| !it["source"].is_null()) {
        let (name, version) = (word(package, "name"), word(package, "version"));
        if linked.contains(&(name.clone(), version.clone())) {
            let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            let licence = licence_in(folder.parent().unwrap_or(folder)).unwrap_or_default();
            text.push_str(&format!(
                "\n{name} {version} ({})\n\n{}\n",
                word(package, "license"),
                licence.trim()
            ));
        }
    }
    Ok(text)
}

/// The text of the licence of a crate; the shorter one, if there are several.
fn licence_in(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
        name.starts_with("licen") || name.starts_with("copying")
    };
    let texts = entries.filter(is_licence).filter_map(|path| fs::read_to_string(path).ok());
    texts.min_by_key(String::len)
}

fn call(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}
