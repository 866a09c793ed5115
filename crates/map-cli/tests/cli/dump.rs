//! `map dump`.

use insta::assert_snapshot;

use super::{FINE, map, map_with};

/// All kinds of node.
const ALL: &str = r#"cast %b = 2
cast !A = 1
procedure p($x)
decision q()
s[
    agent(!A, %a) = ($x = p(-1) then skip) par (fail or agent(loop, "a\n", !B, %b))
    agent(!A, %a, loop, $t, $t, _) = waitfor m($t) <= agent(_, $r) timeout (m(1) => agent(!A, %a))
    agent($me, %b) = m(x) => agent($me, _)
]"#;

/// All kinds of formula.
const FORMULAS: &str = r#"
property order : forall $p in 1..9 : (!A sends m($p) to _ precedes done(!A)) and (not ended unless before _ asks p)
property values : exists $c in {red, "x"} : forall $q in p() : $c != $q implies (failed(!A) until !A times out)
property counts : always count($x in %a : $x in loop) == 0
property sums : count(!A receives m(_) from _) < total($v : !A sends m($v) to !A and $v > 0)
property runs : possible sequence !A answers q no ; !A answers q yes
property more : (waiting(!A) leadsto next mailbox(!A) > 0) or never possible !A@cell == 1
"#;

#[test]
fn the_auction() {
    assert_snapshot!("auction-ast", map(&["dump", "ast", "auction.map"]).exits(0).out);
    assert_snapshot!("auction-names", map(&["dump", "names", "auction.map"]).exits(0).out);
    assert_snapshot!("auction-ir", map(&["dump", "ir", "auction.map", "--agents", "bidder=2"]).exits(0).out);
    let two = ["dump", "successors", "auction.map", "--agents", "bidder=2"];
    assert_snapshot!("auction-successors", map(&two).exits(0).out);
    let after = [&two[..], &["--after", "0.0.act,0.0.act,1.0.act", "--after", "2.0.act"]].concat();
    assert_snapshot!("auction-successors-after", map(&after).exits(0).out);
}

#[test]
fn every_kind_of_node() {
    assert_snapshot!("all-ast", map_with(ALL.as_bytes(), &["dump", "ast", "-"]).exits(0).out);
    let sound = ALL.replace("!B, %b))", "\"a\\n\", %b))").replace("agent($me, _)", "agent(!A, %a)");
    assert_snapshot!("all-names", map_with(sound.as_bytes(), &["dump", "names", "-"]).exits(0).out);
    assert_snapshot!("all-ir", map_with(sound.as_bytes(), &["dump", "ir", "-"]).exits(0).out);
    assert_snapshot!("all-successors", map_with(sound.as_bytes(), &["dump", "successors", "-"]).exits(0).out);
}

#[test]
fn every_kind_of_formula() {
    let text = format!("{FORMULAS}s[ agent(!A, %a) = skip ]");
    assert_snapshot!("formulas-ast", map_with(text.as_bytes(), &["dump", "ast", "-"]).exits(0).out);
}

#[test]
fn the_listed_choices_are_those_of_traces() {
    let ran = map(&["run", "auction.map", "--seed", "3", "--format", "json"]).exits(0);
    let run: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let choices: Vec<&str> =
        run["choices"].as_array().unwrap().iter().filter_map(|choice| choice.as_str()).collect();
    assert!(choices.len() > 3);
    for count in 1..=choices.len() {
        let after = choices[..count].join(",");
        let out = map(&["dump", "successors", "auction.map", "--after", &after]).exits(0).out;
        assert!(out.starts_with("state after"), "{out}");
        match choices.get(count) {
            Some(next) => {
                assert!(out.lines().any(|line| line.split(' ').next() == Some(next)), "{next}: {out}");
            }
            None => assert!(out.ends_with("no step\n"), "{out}"),
        }
    }
}

#[test]
fn steps_that_are_cut_or_go_wrong_are_listed() {
    let text = "procedure p() s[ agent(!A, %a) = $x = p() then agent(loop, $x)
        agent(!A, %a, loop, $x) = $y = p() then agent(loop, $y) agent(!B, %b) = skip ]";
    let dump = ["dump", "successors", "-", "--after", "0.0.act"];
    map_with(text.as_bytes(), &[&dump[..], &["--rounds", "1"]].concat())
        .exits(0)
        .out_has("is cut by --rounds");
    let silent = "s[ agent(!A, %a) = agent(loop, 1) agent(!A, %a, loop, $x) = agent(loop, $x) ]";
    map_with(silent.as_bytes(), &dump[..3]).exits(0).out_has("no first state").out_has("runaway recursion");
    map_with(silent.as_bytes(), &dump).exits(2).err_has("no first state");
    let full = "s[ agent(!A, %a) = m() => agent(!B, %b) agent(!B, %b) = waitfor n() <= agent(_, %a) ]";
    map_with(full.as_bytes(), &["dump", "successors", "-", "--mailbox", "0"]).exits(0).out_has("is full");
}

#[test]
fn errors() {
    let broken = "s[ agent(!A, %a) = skip agent(!B, %b) = ]";
    map_with(broken.as_bytes(), &["dump", "ast", "-"]).exits(3).err_has("MAP001").out_has("agent !A");
    for stage in ["names", "ir", "successors"] {
        let ran = map_with(broken.as_bytes(), &["dump", stage, "-"]).exits(3).err_has("MAP001");
        assert_eq!(ran.out, "");
        map(&["dump", stage, "auction.map", "--agents", "nobody=1"]).exits(3).err_has("MAP108");
        map(&["dump", stage, "auction.map", "--scene", "nowhere"]).exits(3).err_has("MAP111");
    }
    map(&["dump", "ast", "missing.map"]).exits(3).err_has("MAP011");
    map(&["dump", "tokens", "auction.map"]).exits(2);
    map(&["dump", "ast", "auction.map", "--agents", "bidder=2"]).exits(2);
    let after = |choice: &str| map(&["dump", "successors", "auction.map", "--after", choice]).exits(2);
    after("0.0.jump").err_has("such as 0.0.act");
    after("0.0.act,9.0.act").err_has("9.0.act is no step here (number 2); there are: 0.0.act");
    after("0.7.act").err_has("is no step here");
    after("0.0.act.1").err_has("is no step here");
    map_with(FINE.as_bytes(), &["dump", "successors", "-"]).exits(0).out_has("done").out_has("no step");
}

#[test]
fn deep_trees() {
    let deep = format!("s[ agent(!A, %a) = {}skip{} ]", "waitfor (".repeat(99), ")".repeat(99));
    map_with(deep.as_bytes(), &["dump", "ast", "-"]).exits(0).out_has("skip");
}
