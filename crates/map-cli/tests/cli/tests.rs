//! `map test` and `map verify --save-test`.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::schema::fits;
use super::{DEADLOCK, FINE, map};

/// Files in a folder of their own.
fn folder(files: &[(&str, &str)]) -> (TempDir, impl Fn(&str) -> String + use<>) {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }
    let root = folder.path().to_owned();
    (folder, move |name: &str| root.join(name).to_str().expect("the path is UTF-8").to_owned())
}

#[test]
fn a_defect_is_held_fast_until_it_is_mended() {
    let (_folder, path) = folder(&[("src/a.map", DEADLOCK), ("tests/none.txt", "")]);
    let (scene, test) = (path("src/a.map"), path("tests/a.maptest"));
    map(&["verify", &scene, "--agents", "A=1", "--mailbox", "7", "--save-test", &test]).exits(1);
    let saved = fs::read_to_string(&test).expect("it was saved");
    assert!(saved.contains("\n//@ file ../src/a.map\n"), "{saved}");
    assert!(saved.contains("\n//@ verify --agents A=1 --mailbox 7 => deadlock, 0 steps\n"), "{saved}");
    let both = path("");
    map(&["test", &both]).exits(0).out_has("1 test: 1 as expected");
    fs::write(&scene, FINE).expect("there is room");
    let ran = map(&["test", &both]).exits(1);
    ran.out_has("FAIL").out_has("found: //@ verify --agents A=1 --mailbox 7 => terminates\n");
    fs::write(&test, saved.replace("=> deadlock, 0 steps", "=> terminates")).expect("there is room");
    map(&["test", &both]).exits(0).out_has("1 test: 1 as expected");
    fs::remove_file(&scene).expect("it is there");
    map(&["test", &both]).exits(3).out_has("there is no such file");
}

#[test]
fn properties_are_tested() {
    let scene = "//@ verify => terminates
//@ property fine => holds
//@ property wrong => violated, 1 step
//@ property wrong unfair => violated, 1 step
//@ property wrong weak => violated, 1 step
//@ property none => holds
property fine: eventually ended
property wrong: never done(!A)
s[ agent(!A, %a) = skip then m() => agent(_, %b) agent(!B, %b) = waitfor m() <= agent(_, _) ]";
    let (_folder, path) = folder(&[("a.map", scene)]);
    let (file, test) = (path("a.map"), path("a.maptest"));
    map(&["test", &file]).exits(1).out_has("there is no property none").out_has("0 as expected, 1 not");
    fs::write(&file, scene.replace("//@ property none => holds\n", "")).expect("there is room");
    map(&["test", &file]).exits(0);
    let formula = "never mailbox(!B) > 5";
    map(&["verify", &file, "--property", formula, "--save-test", &test]).exits(1);
    let saved = fs::read_to_string(&test).expect("it was saved");
    assert!(saved.contains(&format!("//@ property {formula} => holds")), "{saved}");
    map(&["test", &test, &file]).exits(0).out_has("2 tests: 2 as expected");
    fs::remove_file(&test).expect("it is there");
    map(&["verify", &file, "--fairness", "weak", "--save-test", &test]).exits(1);
    let saved = fs::read_to_string(&test).expect("it was saved");
    assert!(saved.contains("\n//@ property fine weak => holds\n"), "{saved}");
    map(&["test", &test]).exits(0);
}

#[test]
fn machines_read_the_results() {
    let wrong = format!("//@ verify => terminates\n{DEADLOCK}");
    let (_folder, path) =
        folder(&[("wrong.map", &wrong), ("fine.map", &format!("//@ verify => terminates\n{FINE}"))]);
    let junit = path("junit.xml");
    let ran = map(&["test", &path(""), "--format", "json", "--junit", &junit]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("test", &output);
    let results: Vec<&str> = output["tests"]
        .as_array()
        .expect("there are tests")
        .iter()
        .filter_map(|it| it["result"].as_str())
        .collect();
    assert_eq!(results, ["as expected", "differs"]);
    assert_eq!(output["tests"][1]["remarks"][0], "found: //@ verify => deadlock, 0 steps");
    let junit = fs::read_to_string(junit).expect("it was written");
    assert!(junit.contains("tests=\"2\" skipped=\"0\" failures=\"1\" errors=\"0\""), "{junit}");
}

#[test]
fn tests_that_cannot_be_read() {
    for (line, why) in [
        ("//@ verify", "there is no `=>`"),
        ("//@ verify => ends", "`ends` is no verdict"),
        ("//@ verify => deadlock, 3 seps", "`3 seps` is not understood"),
        ("//@ verify --agents => deadlock", "--agents"),
        ("//@ verify --no-such-flag => deadlock", "--no-such-flag"),
        ("//@ verify --save-trace x.json => deadlock", "no place in a test"),
        ("//@ verify --junit x.xml => deadlock", "no place in a test"),
        ("//@ verify other.map => deadlock", "names none"),
        ("//@ verify 'a => deadlock", "a quote is not closed"),
        ("//@ property p => holds", "no `//@ verify` above"),
        ("//@ wibble", "neither `verify`, `property`"),
        ("// nothing", "no line with `//@ verify`"),
    ] {
        let (_folder, path) = folder(&[("a.map", &format!("{line}\n{FINE}"))]);
        map(&["test", &path("a.map")]).exits(3).err_has(why);
    }
    let (_folder, path) = folder(&[("a.maptest", "//@ verify => deadlock\n"), ("b.map", FINE)]);
    map(&["test", &path("a.maptest")]).exits(3).err_has("says which dialogue");
    map(&["test", &path("none")]).exits(3).err_has("no such file");
    map(&["verify", &path("b.map"), "--save-test", &path("b.txt")]).exits(2).err_has("ends in .maptest");
    map(&["verify", "-", "--save-test", &path("b.maptest")]).exits(2).err_has("names its dialogue");
    map(&["test"]).exits(2);
}

/// All tests have the time together; what it does not suffice for is open, not wrong.
#[test]
fn tests_share_a_time_limit() {
    let (_folder, path) = folder(&[("a.map", &format!("//@ verify => terminates\n{FINE}"))]);
    map(&["test", &path("a.map"), "--time-limit", "1h"]).exits(0).out_has("1 as expected");
    map(&["test", &path("a.map"), "--time-limit", "soon"]).exits(2).err_has("--time-limit");
    let auctions = super::protocols().to_str().expect("the path is UTF-8").to_owned();
    map(&["test", &auctions, "--time-limit", "1ms"]).exits(4).out_has("inconclusive");
}

/// Every line in the library is a test that users can run.
#[test]
fn the_library_is_as_it_says() {
    let auctions = super::protocols().to_str().expect("the path is UTF-8").to_owned();
    map(&["test", &auctions]).exits(0).out_has("as expected");
}

/// The picture of the README is what the tool draws now; with `MAP_UPDATE` set it is drawn anew.
#[test]
fn the_picture_of_the_readme_is_fresh() {
    let root = super::protocols().join("../..");
    let scene = root.join("protocols/dining-philosophers/all-left-handed.map");
    let (_folder, path) = folder(&[]);
    let trace = path("trace.json");
    map(&["verify", scene.to_str().expect("the path is UTF-8"), "--save-trace", &trace]).exits(1);
    let drawn = map(&["render", &trace, "--as", "svg"]).exits(0).out;
    let kept = root.join("docs/pictures/all-left-handed.svg");
    if std::env::var_os("MAP_UPDATE").is_some() {
        fs::create_dir_all(root.join("docs/pictures")).expect("the folder can be made");
        fs::write(&kept, &drawn).expect("the picture can be written");
    }
    let kept = fs::read_to_string(kept).expect("it is part of the repository");
    assert!(
        kept == drawn,
        "docs/pictures/all-left-handed.svg is out of date: run this test with MAP_UPDATE=1"
    );
}

/// A build that looks at the XML alone is not green while a test cannot be read.
#[test]
fn tests_that_cannot_be_read_are_errors_for_a_build() {
    let text =
        format!("//@ verify => terminates\n//@ verify => ends\n//@ property p => holds\n//@ wibble\n{FINE}");
    let (_folder, path) = folder(&[("a.map", &text)]);
    let (junit, missing) = (path("junit.xml"), path("missing.map"));
    let ran = map(&["test", &path("a.map"), &missing, "--junit", &junit]).exits(3);
    // The property belongs to the test that cannot be read, and not to the one before.
    ran.out_has("1 test: 1 as expected");
    let junit = fs::read_to_string(junit).expect("it was written");
    assert!(junit.contains("tests=\"4\" skipped=\"0\" failures=\"0\" errors=\"3\""), "{junit}");
    for part in ["cannot be read: `//@ verify =&gt; ends`", "name=\"line 4\"", &missing] {
        assert!(junit.contains(part), "{part} is not in:\n{junit}");
    }
}

/// What was interrupted, and what had not begun by then, is named.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_test_out() {
    // A search that nobody waits for, and a test behind it.
    let dialogue = super::protocols().join("../travel-booking/travel.map");
    let dialogue = fs::read_to_string(dialogue).expect("it is there");
    let endless = "//@ file travel.map\n//@ verify --agents supplier=16 --reductions none => terminates\n//@ verify => terminates\n";
    let (_folder, path) = folder(&[("a.maptest", endless), ("travel.map", &dialogue)]);
    let (scene, junit) = (path("a.maptest"), path("junit.xml"));
    let child = super::command(&["test", &scene, "--format", "json", "--junit", &junit])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|it| it.success()));
    let ran = super::Ran::of(&child.wait_with_output().expect("it ends")).exits(130);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("test", &output);
    assert_eq!(output["tests"].as_array().map(Vec::len), Some(0));
    assert_eq!(output["not_run"].as_array().map(Vec::len), Some(2));
    assert_eq!(output["not_run"][1]["line"], 3);
    let junit = fs::read_to_string(junit).expect("it was written");
    assert!(junit.contains("tests=\"2\" skipped=\"0\" failures=\"0\" errors=\"2\""), "{junit}");
    assert_eq!(junit.matches("not run: interrupted").count(), 2, "{junit}");
}

/// What is found makes a difference wherever it is known, whatever a limit leaves open elsewhere.
#[test]
fn a_limit_in_one_place_hides_no_difference_in_another() {
    let scene = "property late: eventually done(!B)
s[ agent(!A, %a) = waitfor m() <= agent(_, %c)
   agent(!B, %b) = m1() => agent(!C, %c) then m2() => agent(!C, %c) then m3() => agent(!C, %c)
   agent(!C, %c) = waitfor m1() <= agent(_, %b) then waitfor m2() <= agent(_, %b) then waitfor m3() <= agent(_, %b) ]";
    let test = |lines: &str| {
        let (folder, path) = folder(&[("a b.map", &format!("{lines}\n{scene}"))]);
        let ran = map(&["test", &path("a b.map")]);
        drop(folder);
        ran
    };
    let late = "//@ property late => holds";
    // The verdict is found within three states, and what there is to say of the property is not.
    test(&format!("//@ verify --max-states 3 => deadlock\n{late}"))
        .exits(4)
        .out_has("a limit came first")
        .out_has("found: //@ property late => inconclusive")
        .out_has("/a b.map' --max-states 3\n");
    test(&format!("//@ verify --max-states 3 => terminates\n{late}"))
        .exits(1)
        .out_has("found: //@ verify --max-states 3 => deadlock")
        .out_has("found: //@ property late => inconclusive");
    // The verdict is open, and that there is no such property is certain.
    let open = "//@ verify --max-states 3 --reductions none => deadlock";
    let found = "found: //@ verify --max-states 3 --reductions none => inconclusive";
    test(open).exits(4).out_has(found);
    test(&format!("{open}\n//@ property none => holds")).exits(1).out_has(found).out_has("no property none");
}

#[test]
fn tests_reach_only_what_comes_with_them() {
    let test = |name: &str| format!("//@ file {name}\n//@ verify => terminates\n//@ property p => holds\n");
    let (_folder, path) = folder(&[
        ("secret.map", FINE),
        ("given/a.map", FINE),
        ("given/in/b.map", FINE),
        ("given/in/up.maptest", &test("../a.map").replace("//@ property p => holds\n", "")),
        ("given/in/out.maptest", &test("../../secret.map")),
        ("given/in/whole.maptest", ""),
        ("given/in/folder.maptest", &test("../in")),
    ]);
    fs::write(path("given/in/whole.maptest"), test(&path("secret.map"))).expect("there is room");
    let ran = map(&["test", &path("given")]).exits(3).out_has("1 test: 1 as expected");
    for name in ["out", "whole"] {
        let line = format!("given/in/{name}.maptest:1: `//@ file");
        assert_eq!(
            ran.err.lines().filter(|it| it.contains(&line) && it.contains("this lies outside")).count(),
            1,
            "{}",
            ran.err
        );
    }
    ran.err_has("folder.maptest:1: `//@ file ../in`: this is no file");
    // A folder that holds both.
    map(&["test", &path("")]).exits(3).out_has("there is no property p");
    // A file that is named reaches what is in its folder, and in the current one.
    map(&["test", &path("given/in/up.maptest")]).exits(3).err_has("this lies outside its folder");
    let mut here = super::command(&["test", "in/up.maptest"]);
    super::Ran::of(&here.current_dir(path("given")).output().expect("it runs")).exits(0);
}

#[cfg(unix)]
#[test]
fn links_devices_and_pipes_are_no_way_out() {
    use std::os::unix::fs::symlink;

    let (_folder, path) = folder(&[
        ("secret.map", FINE),
        ("given/link.maptest", "//@ file link.map\n//@ verify => terminates\n"),
        ("given/pipe.maptest", "//@ file pipe.map\n//@ verify => terminates\n"),
        ("given/device.maptest", "//@ file device.map\n//@ verify => terminates\n"),
    ]);
    symlink(path("secret.map"), path("given/link.map")).expect("it can be linked");
    symlink("/dev/zero", path("given/device.map")).expect("it can be linked");
    let made = std::process::Command::new("mkfifo").arg(path("given/pipe.map")).status();
    assert!(made.is_ok_and(|it| it.success()));
    let ran = map(&["test", &path("given")])
        .exits(3)
        .err_has("pipe.maptest:1: `//@ file pipe.map`: this is no file");
    ran.err_has("link.maptest:1: `//@ file link.map`: this lies outside").err_has("device.maptest:1:");
    map(&["test", &path("given/pipe.map")]).exits(3).err_has("a device or a pipe");
    map(&["test", "/dev/zero"]).exits(3).err_has("a device or a pipe");
    map(&["test", "-"]).exits(3).err_has("tests stand in files");
}

#[test]
fn no_expectation_is_overlooked() {
    let marked = format!("\u{feff}//@ verify => deadlock\n{FINE}");
    let indented = format!("s[\n    //@ verify => deadlock\n{}", FINE.trim_start_matches("s["));
    let behind =
        format!("//@ verify => terminates\ns[ //@ verify => deadlock\n{}", FINE.trim_start_matches("s["));
    let files = [("marked.map", &*marked), ("indented.map", &*indented), ("behind.map", &*behind)];
    let (_folder, path) = folder(&files);
    for name in ["marked.map", "indented.map"] {
        map(&["test", &path(name)]).exits(1).out_has("0 as expected, 1 not");
        map(&["fmt", &path(name)]).exits(0);
        map(&["test", &path(name)]).exits(1).out_has("0 as expected, 1 not");
    }
    map(&["test", &path("behind.map")]).exits(3).err_has("`//@` has to be the first on its line");
}
