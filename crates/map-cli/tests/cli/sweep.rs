//! `map run --sweep`: each point is what the plain command gives; `--svg`.

use std::fs;

use serde_json::Value;

use super::schema::fits;
use super::{Ran, map, map_with};

/// What is sent depends on everything that can be swept.
const SALE: &str = "cast %b = 1
memory %a { @reserve = 1 }
decision good()
procedure price() in 1..4
procedure reserve() = @reserve
sale[
    agent(!A, %a) = $r = reserve() then $p = price() then (good() then bid($p, $r) => agent(_, %b) or skip)
    agent(!B, %b) = waitfor bid(_, _) <= agent(_, %a) timeout (skip)
]
property never_dear : never !A sends bid(4, _) to _
";

const COLLECT: [&str; 4] = ["--collect", "!A sends bid($p, $r) to _", "--collect", "messages"];

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("the path is UTF-8").to_owned()
}

/// Makes 60 runs of the file.
fn runs(file: &str, flags: &[&str]) -> Ran {
    map(&[&["run", file, "--runs", "60", "--seed", "5"], &COLLECT[..], flags].concat()).exits(0)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn each_point_is_what_the_plain_command_gives() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, table, plain) = (path(&folder, "sale.map"), path(&folder, "t.csv"), path(&folder, "p.csv"));
    fs::write(&file, SALE).expect("there is room");
    let sweeps = [
        ("b=1..3", "b", "--agents b="),
        ("%a@reserve=0,7", "%a@reserve", "--set %a@reserve="),
        ("good=0..1 by 0.5", "good", "--yes good="),
        ("yes=0.25,0.5", "yes", "--yes "),
        ("loss=0,1", "loss", "--loss "),
        ("crash=0,0.5", "crash", "--crash "),
    ];
    for (sweep, name, flag) in sweeps {
        let faults = ["--network", "lossy:1,crash:1"];
        let faults = if ["loss", "crash"].contains(&name) { &faults[..] } else { &[] };
        let ask = |flags: &[&str]| {
            let flags = [faults, flags].concat();
            map(&[&["run", &file, "--runs", "60", "--seed", "5"], &COLLECT[..], &flags].concat())
        };
        let ran = ask(&["--sweep", sweep, "--csv", &table, "--format", "json"]);
        let found = parsed(&ran.out);
        fits("sweep", &found);
        let lines = fs::read_to_string(&table).expect("it was written");
        let mut lines = lines.lines();
        let header = lines.next().expect("a header");
        for point in found["points"].as_array().expect("there are points") {
            let value = match &point["at"][name] {
                Value::String(word) => word.clone(),
                number => number.to_string(),
            };
            let set = format!("{flag}{value}");
            let set: Vec<&str> = set.split(' ').collect();
            let alone = ask(&[&set[..], &["--csv", &plain, "--format", "json"]].concat());
            assert_eq!(point["statistics"], parsed(&alone.out), "{sweep} at {value}");
            let alone = fs::read_to_string(&plain).expect("it was written");
            let mut alone = alone.lines();
            assert_eq!(header, format!("{name},{}", alone.next().expect("a header")));
            for line in alone {
                assert_eq!(lines.next(), Some(format!("{value},{line}").as_str()), "{sweep}");
            }
        }
        assert_eq!(lines.next(), None);
    }
}

#[test]
fn the_table_has_a_row_for_each_point_and_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "sale.map");
    fs::write(&file, SALE).expect("there is room");
    let flags = ["--sweep", "b=1..2", "--sweep", "good=0,1"];
    let ran = runs(&file, &[&flags[..], &["--threads", "1"]].concat());
    assert_eq!(ran.out, runs(&file, &[&flags[..], &["--threads", "3"]].concat()).out);
    let ran = ran.out_has("60 runs at each of 4 points, seed 5").out_has("property never_dear");
    // Nobody answers at 0; every copy is sent to both at 1.
    assert!(ran.out.contains("\n  2     0  "), "{}", ran.out);
    ran.out_has("2.000 (2.000 .. 2.000)")
        .out_has("first point: map run")
        .out_has("--sweep b=1..2 --sweep good=0,1");
}

#[test]
fn an_agent_that_is_alone_has_the_column_of_the_first_of_several() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, table, drawn) = (path(&folder, "s.map"), path(&folder, "t.csv"), path(&folder, "p.svg"));
    let text = format!("{SALE}measure got of $x in %b = count($x receives bid(_, _) from _)\n");
    fs::write(&file, text).expect("there is room");
    let ran = map(&[
        "run", &file, "--runs", "4", "--yes", "1", "--sweep", "b=1..3", "--csv", &table, "--svg", &drawn,
    ]);
    let ran = ran.exits(0).out_has("\ngot(B1)\n").out_has("\ngot(B3)\n");
    assert!(!ran.out.contains("got(B)"), "{}", ran.out);
    let drawn = fs::read_to_string(&drawn).expect("it was drawn");
    assert!(drawn.contains("got(B2)") && !drawn.contains("got(B)"), "{drawn}");
    let lines = fs::read_to_string(&table).expect("it was written");
    let mut lines = lines.lines();
    let header = lines.next().expect("a header");
    assert_eq!(header, "b,run,seed,end,steps,never_dear,got(B1),got(B2),got(B3)");
    for (number, line) in (0..).zip(lines) {
        let of_some = [",1,,", ",1,1,", ",1,1,1"][number / 4];
        assert!(line.ends_with(of_some), "{line}");
    }
}

#[test]
fn sweeps_that_cannot_be_made_are_refused_before_the_first_run() {
    let refused = |flags: &[&str], code: i32, says: &str| {
        let ran = map_with(SALE.as_bytes(), &[&["run", "-", "--runs", "9"], flags].concat()).exits(code);
        assert!(ran.err.contains(says) && ran.out.is_empty(), "{flags:?}: {}{}", ran.out, ran.err);
    };
    refused(&["--sweep", "c=1..3"], 2, "there is no c in the scene sale; there are %a, %b, good, yes");
    refused(&["--sweep", "b=2..10000"], 2, "at most 1000 points");
    refused(&["--sweep", "b=1..40", "--sweep", "%a@reserve=1..40"], 2, "1600 points");
    refused(&["--sweep", "b=1..2", "--sweep", "loss=0,1", "--sweep", "yes=0,1"], 2, "at most 2");
    refused(&["--sweep", "b=1..2", "--sweep", "%b=3,4"], 2, "--sweep is given twice");
    refused(&["--sweep", "b=1..2", "--agents", "b=3"], 2, "leave one of the two out");
    refused(&["--sweep", "%a@reserve=1..2", "--set", "%a@reserve=3"], 2, "leave one of the two out");
    refused(&["--sweep", "good=0..1 by 0.5", "--yes", "good=1"], 2, "leave one of the two out");
    refused(&["--sweep", "b=0.5,1"], 2, "--sweep b=0.5,1");
    refused(&["--sweep", "good=0,2"], 2, "probability");
    refused(&["--sweep", "price=0,1"], 2, "which never says no");
    refused(&["--sweep", "b=1..2", "--processes", "2"], 2, "--sweep");
    refused(&["--sweep", "b=1..2", "--svg", "x.svg", "--plot", "ecdf"], 2, "--plot");
    // What is wrong with a point is said as for the plain command.
    refused(&["--sweep", "%a@reserve=1,none"], 3, "MAP117");
    refused(&["--sweep", "%a@preserve=1,2"], 3, "MAP114");
    map_with(SALE.as_bytes(), &["run", "-", "--sweep", "b=1..2"]).exits(2).err_has("--runs");
}

#[test]
fn plots_have_colours_and_no_scripts_and_are_the_same_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, drawn) = (path(&folder, "sale.map"), path(&folder, "plot.svg"));
    fs::write(&file, SALE.replace("in 1..4", "in { 1, 2, 3, many : 2 }")).expect("there is room");
    let picture = |flags: &[&str]| {
        runs(&file, &[flags, &["--svg", &drawn]].concat());
        fs::read_to_string(&drawn).expect("it was drawn")
    };
    let kinds: [&[&str]; 5] = [
        &[],
        &["--plot", "histogram"],
        &["--plot", "ecdf"],
        &["--sweep", "b=1..3"],
        &["--sweep", "b=1..3", "--sweep", "good=0.2,0.8"],
    ];
    let mut pictures = Vec::new();
    for kind in kinds {
        let one = picture(&[kind, &["--threads", "1"]].concat());
        assert_eq!(one, picture(&[kind, &["--threads", "3"]].concat()), "{kind:?}");
        assert!(
            one.starts_with("<svg ") && one.contains("fill=\"#ffffff\"") && !one.contains("<script"),
            "{one}"
        );
        assert!(!one.contains("NaN") && !one.contains("inf"), "{one}");
        assert!(!pictures.contains(&one), "{kind:?} is another plot");
        pictures.push(one);
    }
    assert!(pictures[0].contains("many") && pictures[0].contains("class=\"ecdf\""));
    assert!(
        !pictures[1].contains("class=\"ecdf\"")
            && !pictures[2].contains("class=\"bar\" fill=\"#2f6fbf\" x=\"64")
    );
    let scatter = picture(&["--plot", "scatter"]);
    assert!(scatter.contains("class=\"dot\"") && scatter.contains("$r by $p"), "{scatter}");
    // Without measures it is about steps.
    map(&["run", &file, "--runs", "20", "--seed", "1", "--svg", &drawn]).exits(0);
    assert!(fs::read_to_string(&drawn).expect("it was drawn").contains(">steps<"));
    map(&["run", &file, "--runs", "20", "--svg", &drawn, "--plot", "scatter"])
        .exits(2)
        .err_has("two measures");
    map(&["run", &file, "--svg", &drawn]).exits(2).err_has("--runs");
    map(&["run", &file, "--runs", "20", "--svg", &file]).exits(2).err_has("--svg");
}
