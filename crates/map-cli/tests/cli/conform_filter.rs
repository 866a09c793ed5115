//! `map conform --mapping` with a filter: what it makes of lines, and filters and lines that cannot be used.

use std::fs;

use super::{Ran, map};

/// Judges this log of the contract net by this filter.
fn judge(filter: &str, log: &str, flags: &[&str]) -> Ran {
    judge_by("[fields]\nfilter = \"it.jq\"\n", filter, log, flags)
}

fn judge_by(mapping: &str, filter: &str, log: &str, flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.to_str().expect("the name is UTF-8").to_owned()
    };
    write("it.jq", filter);
    let (log, mapping) = (write("log.jsonl", log), write("m.toml", mapping));
    map(&[&["conform", "../contract-net/contract-net.map", &log, "--mapping", &mapping], flags].concat())
}

#[test]
fn a_line_becomes_as_many_records_as_the_filter_makes() {
    let filter = ".from as $from | .said[] | {$from, to: .[0], performative: .[1], args: .[2:]}, null, empty";
    let log = r#"{"from":"desk","said":[["worker","CFP"]]}
{"from":"worker","said":[]}
{"from":"worker","said":[["desk","propose",2],["desk","propose",1]]}"#;
    let mapping =
        "[fields]\nfilter = \"it.jq\"\n[performatives]\nCFP = \"cfp\"\n[cast]\nworker = \"%participant\"";
    judge_by(mapping, filter, log, &[])
        .exits(1)
        .out_has("violated at line 3 by !Participant (worker): out of turn")
        .out_has("its last message was propose(2) to !Initiator (desk), line 3");
    // Too many are no record at all.
    judge(&format!("range(1024) | {CFP}"), "{}", &[]).exits(1).out_has("violated at line 1");
    judge(&format!("range(1025) | {CFP}"), "{}", &[]).exits(3).err_has("more than 1024 values");
    for endless in [CFP, "null"] {
        judge(&format!("repeat({endless})"), "{}", &[]).exits(3).err_has("more than 1024 values");
    }
}

const CFP: &str = r#"{from: "desk", to: ["worker"], performative: "cfp"}"#;

#[test]
fn answers_have_their_sender_from_their_request() {
    let filter = r#"if .ask then {from: "desk", to: "worker", performative: .ask, remember: .id, conversation: "c"}
        elif .other then {remember: .id}
        else {recall: .id, performative: .answer} end"#;
    let log = r#"{"id":1,"other":"list"}
{"id":1,"answer":"anything"}
{"id":2,"ask":"cfp"}
{"id":2,"answer":"refuse"}"#;
    judge(filter, log, &["--complete"]).exits(0).out_has("c  conforms  2 messages");
    judge(filter, r#"{"id":3,"answer":"refuse"}"#, &[])
        .exits(3)
        .err_has("MAP425")
        .err_has("no earlier line asked");
}

#[test]
fn lines_that_a_filter_cannot_use_are_errors() {
    let cases = [
        ("error(\"no \\(.)\")", "the filter fails: \"no 7\""),
        (".a", "the filter fails: cannot index 7"),
        (".", "the filter gives 7, which is no record"),
        ("[]", "the filter gives [], which is no record"),
        ("{}", "does not say `from`"),
        ("{from: {}, to: \"b\", performative: \"cfp\"}", "`from` is no name"),
        ("def f: f; f", "takes longer than 1 s"),
        ("[limit(1e9; repeat(\"a long text\"))]", "the filter takes"),
        ("reduce range(70) as $i ({}; {a: .})", "which is no record"),
        ("[range(200)] | error(tojson)", "..\n"),
    ];
    for (filter, what) in cases {
        judge(filter, "7", &[]).exits(3).err_has("MAP425").err_has("log.jsonl:1").err_has(what);
        judge(filter, "7", &["--skip-bad", "1"]).exits(4).err_has("MAP429");
    }
    for line in ["", "garbage", "{\"a\":1e999}", "\u{1b}", "\"\\ud800\""] {
        let ran = judge("error", &format!("1\n{line}"), &["--skip-bad", "1"]);
        let ran = if line.is_empty() { ran.exits(4) } else { ran.exits(3).err_has("log.jsonl:2") };
        assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
    }
    let deep = "[".repeat(100_000);
    judge(".", &deep, &[]).exits(3).err_has("nests deeper");
    judge("error(\"\\u001b[2J\")", "1", &[]).exits(3).err_has("fails: \"\\u001b[2J\"");
}

#[test]
fn what_is_wrong_with_a_filter_is_shown_in_it() {
    let deep = "[".repeat(100_000);
    let cases = [
        ("", "expected term", ":1:1"),
        ("{from: .a,\n  to: }", "expected term", ":2:7"),
        (".a |\n nothing_such(1; 2)", "there is no such filter with 2 arguments", ":2:2"),
        ("$home", "there is no such variable", ":1:1"),
        ("if . then 1", "expected", ":1:"),
        (". as [$x", "expected", ":1:"),
        ("\"abc", "expected closing quote", ":1:5"),
        ("import \"a\" as a; .", "a filter includes no other files", ":1:"),
        ("include \"a\"; .", "a filter includes no other files", ":1:"),
        ("input", "there is no such filter", ":1:1"),
        ("env", "there is no such filter", ":1:1"),
        ("$ENV", "there is no such variable", ":1:1"),
        (". as $x | now", "there is no such filter", ":1:11"),
        ("halt", "there is no such filter", ":1:1"),
        ("debug", "there is no such filter", ":1:1"),
        ("stderr", "there is no such filter", ":1:1"),
        ("\u{1b}", "expected token", ":1:1"),
        (&deep, "nests deeper than 64 levels", ":1:65"),
    ];
    for (filter, what, place) in cases {
        let ran = judge(filter, "7", &[]).exits(3).err_has("MAP427").err_has(what);
        let ran = ran.err_has(&format!("it.jq{place}"));
        assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
    }
    let cases = [
        ("[fields]\nfilter = \"no.jq\"", "MAP011"),
        ("[fields]\nfilter = \"/etc/passwd\"", "is not inside the folder of the mapping"),
        ("[fields]\nfilter = \"../it.jq\"", "is not inside the folder of the mapping"),
        ("[fields]\nfilter = 7", "a text was expected"),
        ("[fields]\nfilter = \"-\"", "a filter is in a file"),
        ("[fields]\nfilter = \"it.jq\"\nfrom = \"/a\"", "a filter gives all fields"),
        ("[fields]\nfilter = \"it.jq\"\n[only]\n\"/a\" = \"b\"", "a filter makes whole records"),
    ];
    for (mapping, what) in cases {
        judge_by(mapping, ".", "7", &[]).exits(3).err_has(what);
    }
}
