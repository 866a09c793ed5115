//! `map check`: warnings, and diagnostics as GitHub takes them.

use std::fs;

use serde_json::Value;

use super::schema::fits;
use super::{FINE, Ran, map, map_with};

/// Nothing catches the "no" of `p`.
const DOUBTFUL: &str = "s[
    agent(!A, %a) = $x = p() then m($x) => agent(!B, %b)
    agent(!B, %b) = waitfor m(_) <= agent(_, %a)
]";

/// One error with a secondary label.
pub(crate) const WRONG: &str = "s[
    agent(!A, %a) = skip
    agent(!A, %a) = skip
]";

#[test]
fn warnings_are_shown_and_counted() {
    map_with(DOUBTFUL.as_bytes(), &["check", "-"])
        .exits(0)
        .err_has("warning[MAP301]")
        .out_has("1 file checked: no errors, 1 warning\n");
    let ran = map(&["check", "auction.map"]).exits(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("1 file checked: no errors\n", ""));
}

#[test]
fn denied_warnings_exit_3() {
    map_with(DOUBTFUL.as_bytes(), &["check", "-", "--deny", "warnings"])
        .exits(3)
        .err_has("warning[MAP301]")
        .out_has("no errors, 1 warning (denied)");
    for format in ["json", "github", "sarif"] {
        map_with(DOUBTFUL.as_bytes(), &["check", "-", "--deny", "warnings", "--format", format]).exits(3);
    }
    map_with(FINE.as_bytes(), &["check", "-", "--deny", "warnings"]).exits(0);
    map_with(FINE.as_bytes(), &["check", "-", "--deny", "errors"]).exits(2);
}

#[test]
fn comments_silence_warnings() {
    let allowed = DOUBTFUL.replacen("    agent(!A", "    // map: allow(MAP301)\n    agent(!A", 1);
    let ran = map_with(allowed.as_bytes(), &["check", "-", "--deny", "warnings"]).exits(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("1 file checked: no errors\n", ""));
}

#[test]
fn every_scene_is_looked_at() {
    let two = format!("{FINE} {}", DOUBTFUL.replace("s[", "t["));
    map_with(two.as_bytes(), &["check", "-"]).exits(0).err_has("MAP301").out_has("1 warning");
}

#[test]
fn warnings_that_explain_a_violation_are_shown_with_it() {
    let ran = map_with(DOUBTFUL.as_bytes(), &["run", "-"]);
    assert!(!ran.err.contains("warning") && !ran.out.contains("MAP301"), "{}", ran.err);
    let ran = map_with(DOUBTFUL.as_bytes(), &["verify", "-"]).exits(1);
    assert!(ran.err.is_empty());
    ran.out_has("\nwarning: line 2: ").out_has("  MAP301\n");
    // Nobody comes by the doubtful place.
    let elsewhere = DOUBTFUL.replace("$x = p()", "fail then\n $x = p()");
    let ran = map_with(elsewhere.as_bytes(), &["verify", "-"]).exits(1);
    assert!(!ran.out.contains("MAP301"), "{}", ran.out);
}

#[test]
fn floods_of_warnings_are_cut_short() {
    let clauses: Vec<String> = (0..150).map(|i| format!("agent(!A, %a, never, {i}) = skip")).collect();
    let text = format!("s[ agent(!A, %a) = skip {} ]", clauses.join("\n"));
    let Ran { out, err, .. } = map_with(text.as_bytes(), &["check", "-"]).exits(0);
    assert_eq!(err.matches("warning[MAP312]").count(), 100);
    assert!(err.contains("and 50 more in <stdin>"));
    assert!(out.contains("150 warnings"));
}

#[test]
fn json() {
    let ran = map_with(DOUBTFUL.as_bytes(), &["check", "-", "--format", "json"]).exits(0);
    assert_eq!(ran.err, "");
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    fits("check", &value);
    assert_eq!((&value["files"][0]["errors"], &value["files"][0]["warnings"]), (&0.into(), &1.into()));
    assert_eq!(value["diagnostics"][0]["severity"], "warning");
}

#[test]
fn github() {
    let ran = map_with(DOUBTFUL.as_bytes(), &["check", "-", "--format", "github"]).exits(0);
    assert_eq!(ran.err, "");
    assert!(
        ran.out.starts_with("::warning file=<stdin>,line=2,col=21,endLine=2,endColumn=29,title=MAP301::")
    );
    assert_eq!(ran.out.lines().count(), 1);
    let ran = map_with(WRONG.as_bytes(), &["check", "-", "--format", "github"]).exits(3);
    assert!(ran.out.starts_with("::error file=<stdin>,line=3,"), "{}", ran.out);
    let fine = map_with(FINE.as_bytes(), &["check", "-", "--format", "github"]).exits(0);
    assert_eq!((fine.out.as_str(), fine.err.as_str()), ("", ""));
}

#[test]
fn github_escapes_names_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("100%,a.map");
    fs::write(&path, WRONG).unwrap();
    let name = path.to_str().unwrap();
    let escaped = name.replace('%', "%25").replace(':', "%3A").replace(',', "%2C");
    map(&["check", name, "--format", "github"]).exits(3).out_has(&format!("::error file={escaped},line=3,"));
    map(&["check", "no,such.map", "--format", "github"])
        .exits(3)
        .out_has("::error file=no%2Csuch.map,title=MAP011::there is no such file");
}
