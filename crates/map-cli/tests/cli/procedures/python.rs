//! The Python module and the example that uses it.

use std::path::Path;
use std::process::Command;

use super::super::{Ran, map};
use super::Stage;

/// Whether there is Python; the absence is told.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|it| it.status.success());
    if !there {
        eprintln!("SKIPPED: there is no python3, so the Python module is not tried");
    }
    there
}

fn examples() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").display().to_string()
}

fn auction(seed: &str) -> Ran {
    let program = format!("python3 '{}/auction/traders.py'", examples());
    map(&[
        "run",
        "auction.map",
        "--agents",
        "bidder=4",
        "--seed",
        seed,
        "--procedures",
        &program,
        "--format",
        "json",
    ])
}

#[test]
fn two_strategies_in_an_auction() {
    if !python() {
        return;
    }
    for seed in ["1", "2", "3"] {
        let ran = auction(seed).exits(0);
        let output: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        assert_eq!(output["verdict"], "done");
        let steps = output["trace"].as_array().expect("it is a list");
        let number = |it: &serde_json::Value| it.as_str().and_then(|it| it.parse::<i64>().ok());
        // The highest offer that was recorded is what the lot is sold for.
        let recorded = steps.iter().filter(|step| step["procedure"] == "recordBid");
        let highest = recorded.filter_map(|step| number(&step["arguments"][0])).max();
        let sold = steps.iter().find(|step| step["kind"] == "send" && step["performative"] == "sold");
        assert_eq!(sold.and_then(|step| number(&step["arguments"][1])), highest);
        assert!(highest > Some(100), "somebody has bid more than the opening price");
        assert_eq!(ran.out, auction(seed).out);
    }
}

/// A class for the only role, with these methods.
fn run(methods: &str) -> Ran {
    let scene = "procedure p($x) decision d($x)
        s[ agent(!A, %a) = $x = p(!B) then ($y = d($x) or skip) agent(!B, %b) = skip ]";
    let stage = Stage::new(scene, "");
    let program = format!(
        "import sys\nsys.path.insert(0, {:?})\nfrom mapagent import *\nclass A(Agent):\n{methods}\nserve({{\"a\": A}})\n",
        examples()
    );
    std::fs::write(stage.path("program.py"), program).expect("it can be written");
    let program = format!("python3 '{}'", stage.path("program.py").display());
    map(&["run", &stage.scene(), "--seed", "1", "--procedures", &program])
}

#[test]
fn the_module_maps_values_both_ways() {
    if !python() {
        return;
    }
    run("  def p(self, x):\n    assert x == AgentName('B') and self.name == 'A'\n    return Constant('c')
  def d(self, x):\n    assert x == Constant('c') and str(x) == 'c'\n    return 'two words'")
    .exits(0)
    .out_has("asks p(!B) -> c")
    .out_has("asks d(c) -> \"two words\"");
    run("  def p(self, x): return UNKNOWN\n  def d(self, x): return x")
        .exits(0)
        .out_has("asks d(p#1) -> p#1");
    run("  def p(self, x): return Role('b')\n  def d(self, x): return None").exits(0).out_has("d says no");
}

#[test]
fn the_module_tells_what_went_wrong() {
    if !python() {
        return;
    }
    run("  pass").exits(1).out_has("it reports an error: A has no method p");
    run("  def p(self, x): return 1 // 0").exits(1).out_has("ZeroDivisionError").err_has("Traceback");
    run("  def p(self, x): return 1.5").exits(1).out_has("1.5 is no value of a dialogue");
    run("  def p(self, x): return True").exits(1).out_has("True is no value");
    run("  def p(self, x): return None").exits(1).out_has("it says no, but a procedure always answers");
    // What is printed does not get into the conversation.
    run("  def p(self, x):\n    print('hello')\n    return 1\n  def d(self, x): pass")
        .exits(0)
        .err_has("hello");
}
