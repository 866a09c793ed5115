//! What `cargo deny` checks by `deny.toml`, as far as it can be told without it: licences, crates that are not wanted,
//! versions and sources. Known vulnerabilities cannot.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use map_tests::documentation::root;

use super::{Line, tree};

fn file(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("the file is part of the repository")
}

/// The names in quotation marks in a list of `deny.toml`.
fn list(key: &str) -> Vec<String> {
    let text = file("deny.toml");
    let (_, rest) = text.split_once(&format!("\n{key} = [")).expect("deny.toml has the list");
    let (list, _) = rest.split_once(']').expect("the list ends");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// All that is needed to build and test on this system.
fn everything() -> Vec<Line> {
    let lines = tree(&["--workspace", "--edges", "normal,build,dev"]).expect("cargo lists the dependencies");
    assert!(lines.len() > 100, "the dependencies are listed");
    lines
}

/// Whether the licence is among those allowed. `AND` binds less here than it should, which refuses more.
fn accepted(licence: &str, allowed: &[String]) -> bool {
    licence.split(" AND ").all(|part| {
        let part = part.trim_start_matches('(').trim_end_matches(')');
        part.split(" OR ").any(|choice| allowed.iter().any(|it| it == choice))
    })
}

#[test]
fn licences_are_among_those_allowed() {
    let allowed = list("allow");
    assert!(accepted("(MIT OR GPL-3.0-only) AND Unicode-3.0", &allowed), "{allowed:?}");
    assert!(!accepted("MIT AND GPL-3.0-only", &allowed), "{allowed:?}");
    for Line { name, licence, .. } in everything() {
        assert!(accepted(&licence, &allowed), "{name}: `{licence}` is not allowed by deny.toml");
    }
}

/// The versions that `deny.toml` accepts beside others: the name, and how the version begins.
fn skipped() -> Vec<(String, String)> {
    let words = list("skip");
    words.chunks_exact(2).map(|it| (it[0].clone(), format!("{}.", it[1]))).collect()
}

#[test]
fn every_crate_has_one_version() {
    let skipped = skipped();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in everything() {
        if skipped.iter().all(|(name, start)| *name != line.name || !line.version.starts_with(start)) {
            versions.entry(line.name).or_default().insert(line.version);
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "{versions:?}");
}

/// The crates that `deny.toml` bans, each with those that may bring it all the same.
fn banned() -> Vec<(String, Vec<String>)> {
    let text = file("deny.toml");
    let (_, rest) = text.split_once("\ndeny = [\n").expect("deny.toml has the list");
    let (list, _) = rest.split_once("\n]").expect("the list ends");
    let words = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    list.lines().map(words).filter_map(|words| Some((words.first()?.clone(), words[1..].to_vec()))).collect()
}

#[test]
fn crates_come_from_one_registry_and_none_is_banned() {
    let banned = banned();
    assert!(!banned.is_empty(), "deny.toml names the crates that are banned");
    let locked = file("Cargo.lock");
    let lines = everything();
    for (name, wrappers) in banned {
        let is_locked = locked.contains(&format!("\nname = \"{name}\"\n"));
        assert!(!is_locked || !wrappers.is_empty(), "{name} is banned by deny.toml");
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.name == name) {
            let above = lines[..at].iter().rfind(|above| above.depth < line.depth);
            let above = above.map(|above| above.name.as_str());
            let allowed = above.is_some_and(|above| wrappers.iter().any(|wrapper| wrapper == above));
            assert!(allowed, "{name} comes by way of {above:?}, which deny.toml does not allow");
        }
    }
    let sources: BTreeSet<_> = locked.lines().filter_map(|line| line.strip_prefix("source = \"")).collect();
    assert!(sources.len() == 1 && sources.iter().all(|it| it.starts_with("registry+")), "{sources:?}");
}

/// `docs/dependencies.md` has a line for each entry of `[workspace.dependencies]`, and no others.
#[test]
fn every_dependency_has_its_reason() {
    let manifest = file("Cargo.toml");
    let (_, rest) = manifest.split_once("\n[workspace.dependencies]\n").expect("the section is there");
    let section = rest.split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| Some(line.split_once(" = ")?.0));
    let needed: BTreeSet<&str> = names.filter(|name| !name.starts_with("map-")).collect();
    let page = file("docs/dependencies.md");
    let explained = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(needed, explained, "left: Cargo.toml, right: docs/dependencies.md");
}
