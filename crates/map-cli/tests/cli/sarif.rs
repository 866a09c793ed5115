//! `map check --format sarif`, held against what the standard demands of the parts in use.

use std::fs;

use serde_json::Value;

use super::warnings::WRONG;
use super::{DEADLOCK, map, map_with};

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().expect("it is a text")
}

#[track_caller]
fn list(value: &Value) -> &[Value] {
    value.as_array().expect("it is a list")
}

#[track_caller]
fn number(value: &Value) -> u64 {
    value.as_u64().expect("it is a number")
}

/// Fails unless the value has exactly what SARIF 2.1.0 demands of the parts used here.
#[track_caller]
fn is_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(text(&log["$schema"]).contains("sarif-2.1.0"));
    let runs = list(&log["runs"]);
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["tool"]["driver"]["name"], "map");
    let rules = list(&run["tool"]["driver"]["rules"]);
    for rule in rules {
        assert!(text(&rule["id"]).starts_with("MAP"));
        assert!(!text(&rule["shortDescription"]["text"]).is_empty());
        assert!(!text(&rule["help"]["text"]).is_empty());
        assert!(["error", "warning"].contains(&text(&rule["defaultConfiguration"]["level"])));
    }
    for result in list(&run["results"]) {
        let rule = &rules[number(&result["ruleIndex"]) as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!text(&result["message"]["text"]).is_empty());
        assert_eq!(result["level"], rule["defaultConfiguration"]["level"]);
        assert_eq!(list(&result["locations"]).len(), 1);
        let mut ids = Vec::new();
        for related in result["relatedLocations"].as_array().into_iter().flatten() {
            assert!(related["message"]["text"].is_string());
            ids.push(number(&related["id"]));
            is_location(related);
        }
        assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
        is_location(&result["locations"][0]);
    }
}

#[track_caller]
fn is_location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = text(&place["artifactLocation"]["uri"]);
    assert!(!uri.contains([' ', '<', '>', '\\']), "{uri}");
    if let Some(region) = place.get("region") {
        let at = |key: &str| {
            let number = number(&region[key]);
            assert!(number > 0, "{key}");
            number
        };
        let (start, end) = ((at("startLine"), at("startColumn")), (at("endLine"), at("endColumn")));
        assert!(start <= end);
    }
}

#[test]
fn sarif() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my file.map");
    fs::write(&path, WRONG).unwrap();
    let files = [path.to_str().unwrap(), "published.map", "missing.map"];
    let ran = map(&["check", files[0], files[1], files[2], "--format", "sarif"]).exits(3);
    assert_eq!(ran.err, "");
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    is_sarif(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let first = &results[0];
    assert_eq!((&first["ruleId"], &first["level"]), (&"MAP202".into(), &"error".into()));
    let place = &first["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("my%20file.map"));
    assert_eq!(
        place["region"],
        serde_json::json!({ "startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 18 })
    );
    assert_eq!(first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert!(results.iter().any(|it| it["level"] == "warning"));
    let unplaced = results.last().unwrap();
    assert_eq!(unplaced["ruleId"], "MAP011");
    assert!(unplaced["locations"][0]["physicalLocation"].get("region").is_none());

    let ran = map_with(DEADLOCK.as_bytes(), &["check", "-", "--format", "sarif"]).exits(0);
    is_sarif(&serde_json::from_str(&ran.out).unwrap());
}
