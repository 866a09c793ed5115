//! Files that are written besides what is printed: never over what is read, and what cannot be written hides no verdict.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{DEADLOCK, FINE, Ran, command, map};

/// A folder with a dialogue, `a.map`, and a name in it.
fn folder(dialogue: &str) -> (tempfile::TempDir, impl Fn(&str) -> String + use<>) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.map"), dialogue).expect("it can be written");
    let root = folder.path().to_owned();
    (folder, move |name: &str| root.join(name).display().to_string())
}

/// The flags that write a file, each with what stands before it.
const FLAGS: [(&[&str], &str); 7] = [
    (&["verify"], "--junit"),
    (&["verify"], "--report"),
    (&["verify"], "--save-trace"),
    (&["run"], "--save-trace"),
    (&["test"], "--junit"),
    (&["render"], "--output"),
    (&["export", "--to", "promela", "--mailbox", "2"], "--output"),
];

#[test]
fn no_flag_writes_over_what_people_write() {
    let (_folder, path) = folder(DEADLOCK);
    let dialogue = path("a.map");
    let (other, tests) = (path("b.map"), path("b.maptest"));
    for name in [&other, &tests] {
        fs::write(name, FINE).expect("it can be written");
    }
    fs::write(path("same.txt"), DEADLOCK).expect("it can be written");
    let same = path("same.txt");
    for (verb, flag) in FLAGS {
        for (target, why) in [
            (&other, ".map is the ending of dialogues"),
            (&tests, ".maptest is the ending of tests"),
            (&path(""), "this is a directory"),
            (&path("none/x"), "there is no directory"),
        ] {
            let ran = map(&[verb, &[&dialogue, flag, target]].concat()).exits(2);
            ran.err_has(why).err_has(flag);
        }
        map(&[verb, &[&same, flag, &same]].concat()).exits(2).err_has("a file to be read");
    }
    assert_eq!(fs::read_to_string(&other).expect("it is there"), FINE);
    assert_eq!(fs::read_to_string(&tests).expect("it is there"), FINE);
    assert_eq!(fs::read_to_string(&same).expect("it is there"), DEADLOCK);
}

#[cfg(unix)]
#[test]
fn permissions_links_and_devices_stay_what_they_are() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let (_folder, path) = folder(&format!("//@ verify => deadlock\n{DEADLOCK}"));
    let mode = |name: &str| fs::metadata(path(name)).expect("it is there").permissions().mode() & 0o777;
    fs::write(path("usual"), "").expect("it can be written");
    for (verb, flag) in FLAGS {
        let name = format!("{}{flag}", verb[0]);
        let (new, link) = (path(&name), path(&format!("{name}-link")));
        map(&[verb, &[&path("a.map"), flag, &new]].concat());
        assert_eq!(mode(&name), mode("usual"), "{verb:?} {flag}");
        fs::set_permissions(&new, fs::Permissions::from_mode(0o640)).expect("it is ours");
        fs::write(&new, "old").expect("it can be written");
        symlink(&new, &link).expect("it can be linked");
        map(&[verb, &[&path("a.map"), flag, &link]].concat());
        assert_eq!(mode(&name), 0o640, "{verb:?} {flag}");
        assert!(Path::new(&link).is_symlink());
        assert_ne!(fs::read_to_string(&new).expect("it is there"), "old");
        map(&[verb, &[&path("a.map"), flag, "/dev/null"]].concat());
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_hides_no_verdict() {
    use std::os::unix::fs::PermissionsExt as _;

    let (_folder, path) = folder(&format!("//@ verify => deadlock\n{DEADLOCK}"));
    let closed = path("closed.maptest");
    let others = path("closed.txt");
    for name in [&closed, &others] {
        fs::write(name, "old").expect("it can be written");
        fs::set_permissions(name, fs::Permissions::from_mode(0o444)).expect("it is ours");
    }
    for (flag, target) in
        [("--junit", &others), ("--report", &others), ("--save-trace", &others), ("--save-test", &closed)]
    {
        let ran = map(&["verify", &path("a.map"), flag, target]).exits(3);
        ran.out_has("deadlock before the first step").err_has("cannot be saved").err_has("read-only");
    }
    map(&["test", &path("a.map"), "--junit", &others]).exits(3).out_has("1 as expected").err_has("saved");
    // In one weather of several.
    fs::create_dir(path("t.instant.json")).expect("it can be made");
    let ran = map(&["verify", &path("a.map"), "--weather", "--save-trace", &path("t.json")]).exits(3);
    ran.out_has("deadlock").err_has("this is a directory");
    // Nobody reads what is printed.
    let junit = path("junit.xml");
    let mut child = command(&["verify", &path("a.map"), "--junit", &junit])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert!(fs::read_to_string(junit).expect("it was written").contains("deadlock before the first step"));
}

/// The words are those of the text, and files behind a Ctrl-C are named.
#[cfg(unix)]
#[test]
fn junit_says_what_the_text_says() {
    let (_folder, path) = folder("s[ agent(!A, %a) = m() => agent(!B, %b) agent(!B, %b) = skip ]");
    let junit = path("junit.xml");
    let text = || fs::read_to_string(&junit).expect("it was written");
    let formula = "never !A sends m() to _";
    map(&[
        "verify",
        &path("a.map"),
        "--property",
        formula,
        "--property",
        "eventually ended",
        "--junit",
        &junit,
    ])
    .exits(1);
    assert!(text().contains("violated after 1 step\""), "{}", text());
    assert!(text().contains("<system-out>terminates</system-out>"), "{}", text());
    assert!(text().contains("<system-out>holds</system-out>"), "{}", text());
    let travel = super::protocols().join("../travel-booking/travel.map").display().to_string();
    let interrupted = |more: &[&str]| {
        let long = ["verify", &travel, &travel, "--reductions", "none", "--agents", "supplier=16"];
        let mut long = command(&[&long[..], more].concat());
        let child = long.args(["--junit", &junit]).stdout(Stdio::piped()).spawn().expect("it runs");
        std::thread::sleep(std::time::Duration::from_secs(1));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|it| it.success()));
        Ran::of(&child.wait_with_output().expect("it ends")).exits(130)
    };
    interrupted(&[]);
    assert_eq!(text().matches("<testsuite ").count(), 2, "{}", text());
    let not_run = |text: &str| text.matches("message=\"not run: interrupted\"").count();
    let cases = text().matches("<testcase ").count();
    assert_eq!(cases, 2 * not_run(&text()), "{}", text());
    // Weathers behind it, too.
    interrupted(&["--weather", "--no-properties"]).out_has("crash:1       not searched: interrupted\n");
    assert_eq!(text().matches("<testsuite ").count(), 10, "{}", text());
    assert_eq!(not_run(&text()), 9, "{}", text());
    assert_eq!(text().matches("travel.map (timeouts any)").count(), 2, "{}", text());
}

#[test]
fn a_property_of_another_scene_is_not_passed_over_in_silence() {
    let two =
        "property late : eventually done(!C)\none[ agent(!A, %a) = skip ]\nother[ agent(!C, %c) = skip ]";
    let (_folder, path) = folder(two);
    let arguments = ["verify", &path("a.map"), "--properties-only", "--only", "late"];
    map(&[&arguments[..], &["--scene", "one"]].concat()).exits(2).err_has("--scene other");
    map(&[&arguments[..], &["--scene", "other"]].concat()).exits(0).out_has("holds");
}

#[test]
fn suggested_commands_can_be_typed() {
    let (folder, path) = folder("");
    drop(path);
    let output = command(&["new", "my lot", "--from", "ballot"])
        .current_dir(folder.path())
        .output()
        .expect("the binary runs");
    Ran::of(&output).exits(0).out_has("map check 'my lot.map'\n");
}
