//! The bill of materials against `cargo tree`, and its form.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::{host, text};

fn bill() -> Value {
    let host = host().expect("the compiler names its host");
    let first = text(&host).expect("the bill can be written");
    assert_eq!(first, text(&host).expect("the bill can be written"), "written twice");
    serde_json::from_str(&first).expect("it is JSON")
}

fn strings<'a>(list: &'a Value, key: &str) -> BTreeSet<&'a str> {
    let list = list.as_array().expect("it is a list");
    list.iter().map(|entry| entry[key].as_str().expect("it is a string")).collect()
}

#[test]
fn its_components_are_those_that_cargo_lists() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--package",
            "map-cli",
            "--features",
            "full",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .output()
        .expect("cargo runs");
    let listed = String::from_utf8(output.stdout).expect("cargo prints text");
    // The first line is `map-cli` itself; after the version may come what kind of crate it is and where it is.
    let listed: BTreeSet<String> = listed
        .lines()
        .skip(1)
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join("@").replace("@v", "@"))
        .collect();
    let bill = bill();
    let components = strings(&bill["components"], "bom-ref");
    assert!(components.len() > 50, "{components:?}");
    assert_eq!(components, listed.iter().map(String::as_str).collect());
}

#[test]
fn every_component_has_its_licence_and_those_of_others_a_digest() {
    for component in bill()["components"].as_array().expect("it is a list") {
        let name = component["name"].as_str().expect("it has a name");
        assert_ne!(component["licenses"][0]["expression"].as_str().expect("it has a licence"), "", "{name}");
        let digest = component["hashes"][0]["content"].as_str();
        assert_eq!(component["purl"].is_string(), digest.is_some(), "{name}");
        assert_eq!(digest.map(str::len), if name.starts_with("map-") { None } else { Some(64) }, "{name}");
    }
}

#[test]
fn what_runs_only_during_the_build_is_marked() {
    let bill = bill();
    let scope = |name: &str| {
        let components = bill["components"].as_array().expect("it is a list");
        let found = components.iter().find(|it| it["name"] == name);
        found.map(|it| it["scope"].clone()).unwrap_or_default()
    };
    assert_eq!([scope("serde"), scope("map-verify")], ["required", "required"]);
    assert_eq!([scope("serde_derive"), scope("pest_generator")], ["excluded", "excluded"]);
    assert_eq!(scope("insta"), Value::Null);
}

#[test]
fn its_edges_lead_to_every_component() {
    let bill = bill();
    let mut components = strings(&bill["components"], "bom-ref");
    let mut used = BTreeSet::new();
    for edge in bill["dependencies"].as_array().expect("it is a list") {
        used.extend(edge["dependsOn"].as_array().expect("it is a list").iter().filter_map(Value::as_str));
    }
    assert_eq!(used, components);
    components.extend(bill["metadata"]["component"]["bom-ref"].as_str());
    assert_eq!(strings(&bill["dependencies"], "ref"), components);
}
