//! `map export`.

use std::fs;

use insta::assert_snapshot;

use super::{DEADLOCK, FINE, map, map_with};

const TO: [&str; 3] = ["export", "-", "--to"];

fn exported(scene: &str, flags: &[&str]) -> super::Ran {
    map_with(scene.as_bytes(), &[&TO[..], &["promela"], flags].concat())
}

#[test]
fn the_published_auction_with_one_bidder() {
    let flags = ["--agents", "bidder=1", "--rounds", "bidloop=2", "--mailbox", "3"];
    let ran = map(&[&["export", "published-corrected.map", "--to", "promela"][..], &flags].concat());
    assert_snapshot!("published-corrected", ran.exits(0).out);
}

#[test]
fn the_same_in_the_plain_style() {
    let flags = ["--agents", "bidder=1", "--mailbox", "3", "--style", "walton"];
    let ran = map(&[&["export", "auction.map", "--to", "promela"][..], &flags].concat());
    assert_snapshot!("plain-auction", ran.exits(0).out);
}

#[test]
fn what_the_plain_style_cannot_express_is_named() {
    let plain = ["--style", "walton"];
    for (scene, flags, word) in [
        ("s[ agent(!A, %a) = skip par skip ]", &[][..], "`par`"),
        ("s[ agent(!A, %a) = agent(x) then fail agent(!A, %a, x) = skip ]", &[], "no call but the last"),
        ("procedure p() = 1 s[ agent(!A, %a) = $x = p() ]", &[], "definitions"),
        ("procedure p() in {1, 2} s[ agent(!A, %a) = $x = p() then $x = p() ]", &[], "compares no answers"),
        (
            "s[ agent(!A, %a) = $x = p() then agent(x, $x) agent(!A, %a, x, 1) = skip ]",
            &[],
            "abstract values",
        ),
        ("s[ agent(!A, %a) = waitfor $x = p() ]", &[], "for messages only"),
        (
            "s[ agent(!A, %a) = agent(x, 1, 2)
               agent(!A, %a, x, $x, $y) = waitfor m() <= agent(_, _) timeout agent(x, $y, $x) ]",
            &[],
            "timeout does something",
        ),
        (FINE, &["--rounds", "3"], "bounds on calls"),
        (FINE, &["--network", "unordered"], "instant network"),
    ] {
        exported(scene, &[&plain[..], flags].concat()).exits(3).err_has("error[MAP417]").err_has(word);
    }
    // A timeout that changes nothing is no step.
    let idle = "s[ agent(!A, %a) = waitfor m() <= agent(_, _) timeout agent() ]";
    exported(idle, &plain).exits(0);
    exported(FINE, &["--style", "plain"]).exits(2);
}

#[test]
fn every_construct() {
    let scene = r#"memory %a { @best = 0, @who = nobody }
procedure best($x)
  | $x > @best = $x with @best := $x, @who := self
  = @best
decision like()
procedure pick() in {1, 2}
s[
    agent(!A, %a) =
        (waitfor (offer($x, $x) <= agent($from, %b) then $y = best($x) then thanks($y) => agent($from, %b)) timeout skip)
        then (($z = like() then agent(loop, $z)) par (skip or fail))
        then agent(loop, 1)
    agent(!A, %a, loop, $v) = (waitfor more($v) <= agent(_, %b) timeout skip)
    agent($me, %b) = $n = pick() then offer($n, $n) => agent(!A, %a) then more($n) => agent(!A, %a)
]
"#;
    assert_snapshot!("every-construct", exported(scene, &["--agents", "b=2", "--mailbox", "4"]).exits(0).out);
}

#[test]
fn what_cannot_be_exported_is_named() {
    let many = exported(FINE, &["--agents", "A=300"]).exits(3);
    many.err_has("error[MAP414]");
    exported(FINE, &["--network", "lossy:1,crash:1"]).exits(3).err_has("error[MAP416]");
    exported(FINE, &["--mailbox", "256"]).exits(3).err_has("error[MAP414]");
    let large = "procedure p() = 1000000000 s[ agent(!A, %a) = $x = p() ]";
    exported(large, &[]).exits(3).err_has("error[MAP411]").err_has("1000000000");
    let runaway = "s[ agent(!A, %a) = agent() ]";
    exported(runaway, &[]).exits(3).err_has("error[MAP415]");
    let reopened = "s[ agent(!A, %a) = agent(look)
        agent(!A, %a, look) = (m() <= agent(_, _) par skip) or agent(look) ]";
    exported(reopened, &[]).exits(3).err_has("error[MAP413]");
    map(&["export", "published.map", "--to", "promela"]).exits(3).err_has("error[MAP412]").err_has("--depth");
    exported("s[ agent(!A, %a) = $x ]", &[]).exits(3);
    exported(FINE, &["--rounds", "loop=2"]).exits(2);
    map_with(FINE.as_bytes(), &["export", "-"]).exits(2);
    map_with(FINE.as_bytes(), &[&TO[..], &["c"]].concat()).exits(2);
}

#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.pml");
    let output = path.display().to_string();
    exported(FINE, &["-o", &output]).exits(0);
    let first = fs::read_to_string(&path).expect("it was written");
    assert_eq!(first, exported(FINE, &[]).exits(0).out);
    exported(DEADLOCK, &["--output", &output]).exits(0);
    assert_ne!(fs::read_to_string(&path).expect("it was replaced"), first);
    let nowhere = folder.path().join("none/model.pml").display().to_string();
    exported(FINE, &["--output", &nowhere]).exits(2).err_has("there is no directory");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder is there").count(), 1);
}

const WITH_PROPERTIES: &str = "property soon : eventually !B receives ready() from _
property at_once : always (!A sends ready() to _ implies next !B receives ready() from _)
property either : (possible failed(!A)) or always not done(!B)
property few : always mailbox(!B) < 5000000000
property end_it : forall $x in %b : possible done($x)
pair[ agent(!A, %a) = ready() => agent(_, %b)
      agent(!B, %b) = waitfor ready() <= agent(_, %a) ]";

#[test]
fn properties_become_claims() {
    let ran = exported(WITH_PROPERTIES, &[]).exits(0);
    assert_eq!(ran.err.matches("warning[MAP418]").count(), 3, "{}", ran.err);
    ran.err_has("has no `next`")
        .err_has("joins what is possible with something else")
        .err_has("too large for a model in Promela")
        .out_has("Left out: the properties at_once, either, few.")
        .out_has("ltl soon { !has__begun U (has__begun && (<> B__receives_ready__1)) }")
        // A name that would mean something to SPIN.
        .out_has("ltl the_end_it {")
        .out_has("to be refuted: forall $x in %b : possible done($x)");
}

#[test]
fn claims_can_be_chosen() {
    let one = exported(WITH_PROPERTIES, &["--only", "soon"]).exits(0);
    assert_eq!(one.out.matches("\nltl ").count(), 1);
    assert!(one.err.is_empty(), "{}", one.err);
    let none = exported(WITH_PROPERTIES, &["--no-properties"]).exits(0);
    assert!(!none.out.contains("ltl "));
    assert!(none.err.is_empty(), "{}", none.err);
    exported(WITH_PROPERTIES, &["--only", "son"]).exits(2).err_has("did you mean soon?");
    exported(WITH_PROPERTIES, &["--only", "soon", "--no-properties"]).exits(2);
    exported(WITH_PROPERTIES, &["--style", "walton"]).exits(0).err_has("says nothing of the properties soon");
}

/// Chains of any length are read, but models grow with the square of some of them.
#[test]
fn what_is_too_long_is_refused() {
    let scene = "s[
    agent(!A, %a) = m(1) => agent(_, %b)
    agent(!B, %b) = waitfor (m($x) <= agent(_, %a) then $y = p($x) then n($y) => agent(_, %a))
]
";
    let terms = |word: &str| {
        let terms: Vec<String> = (0..20_000).map(|number| format!("$x != {number}")).collect();
        format!("decision p($x)\n    | {} = 1\n{scene}", terms.join(&format!(" {word} ")))
    };
    let alternatives: String = (0..9_000).map(|number| format!("    | $x == {number} = 1\n")).collect();
    let alternatives = format!("decision p($x)\n{alternatives}{scene}");
    for text in [terms("or"), terms("and"), alternatives] {
        exported(&text, &["--no-properties"]).exits(3).err_has("MAP412");
    }
    let receives: Vec<String> = (0..20_000).map(|number| format!("m{number}() <= agent(_, %a)")).collect();
    let text = format!(
        "s[ agent(!A, %a) = m0() => agent(_, %b) agent(!B, %b) = waitfor ({}) ]",
        receives.join(" or ")
    );
    for style in ["walton", "guarded"] {
        exported(&text, &["--style", style, "--no-properties"]).exits(3).err_has("MAP412");
    }
}

#[test]
fn what_is_computed_with_unknown_values_is_not_exported_where_they_are_compared() {
    let scene = |domain: &str, pattern: &str| {
        format!(
            "procedure estimate(){domain} trade[
                agent(!A, %a) = $low = estimate() then bid($low + 5, $low) => agent(!B, %b)
                agent(!B, %b) = waitfor bid({pattern}) <= agent(_, %a) ]"
        )
    };
    exported(&scene("", "$x, $x"), &[]).exits(3).err_has("error[MAP419]").err_has("domain");
    exported(&scene(" in 10..12", "$x, $x"), &[]).exits(0);
    exported(&scene("", "$x, _"), &[]).exits(0);
}

#[test]
fn an_expression_with_too_many_results_is_refused_at_once() {
    let many = (1..=30).map(|number| format!("min($a, {number})")).collect::<Vec<_>>().join(" + ");
    let scene = format!(
        "procedure any() in 1..40 s[
            agent(!A, %a) = $a = any() then m({many}) => agent(!B, %b)
            agent(!B, %b) = waitfor m(_) <= agent(_, %a) ]"
    );
    exported(&scene, &[]).exits(3).err_has("error[MAP412]");
}
