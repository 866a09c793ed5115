//! `--set`: other first values of cells, in each verb, in traces, and where they fit nothing.

use std::fs;

use serde_json::Value;

use super::schema::fits;
use super::{map, map_with};

const MARKET: &str = "memory %seller { @price = 3, @heard = nobody, @name = self, @of = count(%buyer) }
memory %buyer { @limit in 4..8 by value - 4, @seller in %seller }
procedure price() = @price
decision worth($p) | $p <= @limit = $p
market[
    agent(!Seller, %seller) = $p = price() then offer($p) => agent(_, %buyer)
    agent(!Buyer, %buyer) = (waitfor offer($p) <= agent(!Seller, %seller)) then worth($p)
]
property cheap : never !Seller sends offer(9) to _
";

#[test]
fn a_cell_begins_with_the_value_that_is_set() {
    let run = |flags: &[&str]| {
        let ran = map_with(MARKET.as_bytes(), &[&["run", "-", "--seed", "1"], flags].concat());
        (ran.code, ran.out)
    };
    let (_, plain) = run(&[]);
    assert!(plain.contains("offer(3)") && !plain.contains("set %"), "{plain}");
    let (code, set) = run(&["--set", "%seller@price=9", "--set", "buyer@limit = 8"]);
    assert!(set.contains("offer(9)") && !set.contains("starts with @limit"), "{set}");
    assert!(set.contains("(%buyer); set %seller@price=9, %buyer@limit=8"), "{set}");
    assert!(set.contains("--set %seller@price=9 --set %buyer@limit=8"), "{set}");
    assert_eq!(code, Some(1), "nobody pays 9");
    let verified = map_with(MARKET.as_bytes(), &["verify", "-", "-v", "--set", "%seller@price=9"]).exits(1);
    assert!(verified.out.contains("set %seller@price=9"), "{}", verified.out);
}

#[test]
fn verdicts_name_what_was_set() {
    let set = ["--set", "%seller@price=9"];
    let verify = |flags: &[&str]| map_with(MARKET.as_bytes(), &[&["verify", "-"], &set[..], flags].concat());
    verify(&[]).exits(1).out_has("within: 1 %seller, 1 %buyer; set %seller@price=9; call depth 50");
    verify(&["--weather"]).exits(1).out_has("; set %seller@price=9; call depth 50");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("talk.map");
    let talk = "memory %a { @n = 1 } decision go() | @n == 1 = yes
        s[ agent(!A, %a) = ($g = go() then m() => agent(_, %b)) or m() => agent(_, %b)
           agent($me, %b) = waitfor m() <= agent(_, %a) ]";
    fs::write(&path, talk).expect("there is room");
    let path = path.to_str().expect("the path is UTF-8");
    map(&["verify", path, "--agents", "b=any", "--set", "%a@n=2"]).exits(0).out_has("start as set, %a@n=2");
    let guarded = map(&["guard", path, "--stdio", "--set", "%a@n=2"]).exits(0);
    assert!(guarded.out.contains("--set '%a@n=2'\""), "{}", guarded.out);
}

#[test]
fn a_trace_knows_what_was_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("the path is UTF-8").to_owned();
    let (file, trace, json) = (path("market.map"), path("trace.json"), path("run.json"));
    fs::write(&file, MARKET).expect("there is room");
    let set = ["--set", "%seller@price=9", "--set", "%buyer@limit=8"];
    map(&[&["run", &file, "--seed", "1", "--save-trace", &trace][..], &set].concat()).exits(1);
    let saved: Value =
        serde_json::from_str(&fs::read_to_string(&trace).expect("it was saved")).expect("JSON");
    fits("trace", &saved);
    assert_eq!(saved["set"], serde_json::json!(["%seller@price=9", "%buyer@limit=8"]));
    map(&["replay", &trace]).exits(1).out_has("offer(9)").out_has("set %seller@price=9, %buyer@limit=8");
    let ran = map(&[&["run", &file, "--seed", "1", "--format", "json"][..], &set].concat()).exits(1);
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    fits("run", &value);
    fs::write(&json, &ran.out).expect("there is room");
    map(&["replay", &json]).exits(1).out_has("offer(9)");
    // What is set has to fit the text as if it were typed.
    let forged = fs::read_to_string(&trace).expect("it was saved");
    fs::write(&trace, forged.replace("%seller@price=9", "%seller@prize=9")).expect("there is room");
    map(&["replay", &trace]).exits(3).err_has("MAP114");
    fs::write(&trace, forged.replace("%seller@price=9", "price")).expect("there is room");
    map(&["replay", &trace]).exits(3).err_has("MAP401");
}

#[test]
fn what_fits_no_cell_is_refused() {
    let refused = [
        ("%sellar@price=1", "MAP104", "Did you mean `--set %seller@price=1`?"),
        ("%seller@prize=1", "MAP114", "Did you mean `--set %seller@price=1`?"),
        ("%seller@price=dear", "MAP117", "begins with an integer"),
        ("%seller@price=1 2", "MAP117", "expected a number"),
        ("%seller@price=99999999999999999999", "MAP117", ""),
        ("%seller@of=many", "MAP117", "begins with an integer"),
        ("%seller@name=1", "MAP117", "begins with an agent"),
        ("%seller@heard=!Nobody", "MAP105", "no agent `!Nobody`"),
        ("%seller@heard=%nobody", "MAP104", "no role `%nobody`"),
        ("%buyer@limit=9", "MAP118", "a value of `4..8`"),
        ("%buyer@limit=4", "MAP118", "a value of `4..8`"),
        ("%buyer@limit=four", "MAP118", ""),
        ("%buyer@seller=!Buyer", "MAP118", "an agent of `%seller`"),
    ];
    for (set, code, says) in refused {
        let ran = map_with(MARKET.as_bytes(), &["run", "-", "--set", set]).exits(3);
        assert!(ran.err.contains(code) && ran.err.contains(says), "{set}: {}", ran.err);
    }
    let set = ["--set", "%seller@price=1", "--set", "%seller@price=2"];
    map_with(MARKET.as_bytes(), &[&["run", "-"][..], &set].concat()).exits(3).err_has("MAP113");
    for junk in [
        "",
        "price=1",
        "%seller=1",
        "@price=1",
        "%seller@=1",
        "%seller@price",
        "%seller@price=",
        "!Seller@price=1",
    ] {
        map_with(MARKET.as_bytes(), &["run", "-", "--set", junk]).exits(2).err_has("@reserve=3");
    }
    // These are right.
    for set in [
        "%seller@heard=7",
        "%seller@heard=!Buyer",
        "%seller@name=!Buyer",
        "%buyer@seller=!Seller",
        "%buyer@limit=5",
    ] {
        map_with(MARKET.as_bytes(), &["verify", "-", "--no-properties", "--set", set]).exits(0);
    }
}
