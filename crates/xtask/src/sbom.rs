//! The bill of materials: which crates `map` is made of, in CycloneDX 1.6, the same to the byte for the same
//! `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::{Value, json};

use crate::packages::{Line, checksums, tree};

#[cfg(test)]
mod tests;

/// Prints the bill of materials of `map` for a target, or for the system that this runs on.
pub(crate) fn run(target: Option<&str>) -> Result<(), String> {
    let target = match target {
        Some(target) => target.to_owned(),
        None => host()?,
    };
    print!("{}", text(&target)?);
    Ok(())
}

/// The target that the compiler builds for by default.
fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it builds for".to_owned())
}

/// The bill of materials of `map` for a target.
///
/// # Errors
/// If cargo cannot say what it consists of.
pub(crate) fn text(target: &str) -> Result<String, String> {
    let lines = dependencies(target, "normal")?;
    let linked = dependencies(target, "normal,no-proc-macro")?.iter().map(reference).collect();
    let checksums = checksums()?;
    let root = lines.first().ok_or("cargo lists no crates")?;
    let crates: BTreeMap<String, &Line> = lines[1..].iter().map(|line| (reference(line), line)).collect();
    let components: Vec<Value> = crates.values().map(|line| component(line, &linked, &checksums)).collect();
    let document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference(root),
                "name": "map",
                "version": root.version,
                "licenses": [{ "expression": root.licence }],
                "properties": [{ "name": "target", "value": target }],
            },
        },
        "components": components,
        "dependencies": edges(&lines),
    });
    let text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn dependencies(target: &str, edges: &str) -> Result<Vec<Line>, String> {
    tree(&["--package", "map-cli", "--features", "full", "--target", target, "--edges", edges])
}

fn reference(line: &Line) -> String {
    format!("{}@{}", line.name, line.version)
}

/// A crate. Those that only run during the build, in macros, have the scope "excluded"; those of this workspace are
/// not published, so they have neither an address nor a checksum.
fn component(
    line: &Line,
    linked: &BTreeSet<String>,
    checksums: &BTreeMap<(String, String), String>,
) -> Value {
    let Line { name, version, licence, .. } = line;
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(line),
        "name": name,
        "version": version,
        "scope": if linked.contains(&reference(line)) { "required" } else { "excluded" },
        "licenses": [{ "expression": licence }],
    });
    if let Some(checksum) = checksums.get(&(name.clone(), version.clone())) {
        component["purl"] = json!(format!("pkg:cargo/{name}@{version}"));
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

/// Which crate uses which.
fn edges(lines: &[Line]) -> Vec<Value> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut path: Vec<String> = Vec::new();
    for line in lines {
        path.truncate(line.depth);
        let user = path.last().cloned();
        path.push(reference(line));
        uses.entry(reference(line)).or_default();
        if let Some(user) = user {
            uses.entry(user).or_default().insert(reference(line));
        }
    }
    uses.into_iter().map(|(user, used)| json!({ "ref": user, "dependsOn": used })).collect()
}
