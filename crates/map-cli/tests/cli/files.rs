//! Files that are written besides what is printed: never over what is read, and what cannot be written hides no
//! verdict.

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
    interrupted(&["--weather", "--no-properties"]).out_line("crash:1", "  not searched: interrupted");
    assert_eq!(text().matches("<testsuite ").count(), 12, "{}", text());
    assert_eq!(not_run(&text()), 11, "{}", text());
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

/// Behind a link it is the target that would be lost.
#[cfg(unix)]
#[test]
fn a_link_is_no_way_to_what_people_write() {
    use std::os::unix::fs::symlink;

    let (_folder, path) = folder(&format!("//@ verify => deadlock\n{DEADLOCK}"));
    fs::write(path("other.map"), FINE).expect("it can be written");
    symlink("other.map", path("lo.html")).expect("it can be linked");
    symlink("lo.html", path("lolo.html")).expect("it can be linked");
    symlink("nowhere.html", path("dangling.html")).expect("it can be linked");
    for (verb, flag) in FLAGS {
        for link in ["lo.html", "lolo.html"] {
            let ran = map(&[verb, &[&path("a.map"), flag, &path(link)]].concat()).exits(2);
            ran.err_has("this leads to").err_has("other.map").err_has(".map is the ending of dialogues");
        }
        let ran = map(&[verb, &[&path("a.map"), flag, &path("dangling.html")]].concat()).exits(2);
        ran.err_has("a link to what is not there");
    }
    assert_eq!(fs::read_to_string(path("other.map")).expect("it is there"), FINE);
    // Pages of the manual, too.
    fs::create_dir(path("man")).expect("it can be made");
    symlink("../other.map", path("man/map-check.1")).expect("it can be linked");
    map(&["man", "--output-dir", &path("man")]).exits(2).err_has("this leads to");
    assert_eq!(fs::read_to_string(path("other.map")).expect("it is there"), FINE);
}

#[cfg(unix)]
#[test]
fn two_flags_do_not_write_one_file() {
    use std::os::unix::fs::symlink;

    let (_folder, path) = folder(DEADLOCK);
    symlink("one.xml", path("link.xml")).expect("it can be linked");
    fs::create_dir(path("d")).expect("it can be made");
    let verify = |flags: &[&str]| map(&[&["verify", &path("a.map")], flags].concat());
    let (one, around) = (path("one.xml"), path("d/../one.xml"));
    verify(&["--junit", &one, "--report", &one])
        .exits(2)
        .err_has("--report")
        .err_has("--junit writes this file, too");
    verify(&["--junit", &one, "--save-trace", &around]).exits(2).err_has("--save-trace");
    assert!(!Path::new(&one).exists());
    fs::write(&one, "").expect("it can be written");
    verify(&["--save-trace", &one, "--report", &path("link.xml")]).exits(2).err_has("writes this file, too");
    verify(&["--junit", "/dev/null", "--report", "/dev/null"]).exits(1);
    verify(&["--junit", &one, "--report", &path("two.xml")]).exits(1);
    // A name that is made only when the row is known.
    let ran =
        verify(&["--weather", "--save-trace", &path("t.json"), "--junit", &path("t.instant.json")]).exits(3);
    ran.err_has("--save-trace").err_has("--junit writes this file, too");
}

#[test]
fn what_answers_and_what_is_drawn_is_not_written_over() {
    let (_folder, path) = folder("s[ agent(!A, %a) = $x = q() ]");
    fs::write(path("program.py"), "print()").expect("it can be written");
    let program = format!("python3 {}", path("program.py"));
    let target = path("program.py");
    map(&["run", &path("a.map"), "--procedures", &program, "--save-trace", &target])
        .exits(2)
        .err_has("to be read");
    // The dialogue of a trace, whatever it is called.
    fs::write(path("a.txt"), FINE).expect("it can be written");
    map(&["run", &path("a.txt"), "--save-trace", &path("t.json")]).exits(0);
    map(&["render", &path("t.json"), "--output", &path("a.txt")]).exits(2).err_has("to be read");
    map(&["render", &path("t.json"), "--file", &path("a.txt"), "-o", &path("a.txt")])
        .exits(2)
        .err_has("to be read");
    assert_eq!(fs::read_to_string(path("a.txt")).expect("it is there"), FINE);
}

/// What a killed process has left is removed; what another is writing, and what only looks alike, stays.
#[cfg(unix)]
#[test]
fn stale_temporary_files_are_swept() {
    let (_folder, path) = folder(FINE);
    for verb in [&["fmt"][..], &["render", "--as", "svg", "-o", "OUT"], &["verify", "--report", "OUT"]] {
        fs::write(path("a.map"), FINE).expect("it can be written");
        for name in [".map-aB3xY9.tmp", ".map-000000.tmp", ".map-my-notes.tmp"] {
            fs::write(path(name), "half").expect("it can be written");
        }
        let other = fs::File::open(path(".map-000000.tmp")).expect("it is there");
        other.lock().expect("nobody else has it");
        let out = path("out.html");
        let words: Vec<&str> = verb.iter().map(|it| if *it == "OUT" { out.as_str() } else { it }).collect();
        map(&[&words[..], &[&path("a.map")]].concat()).exits(0);
        assert!(!Path::new(&path(".map-aB3xY9.tmp")).exists(), "{verb:?}");
        assert!(Path::new(&path(".map-000000.tmp")).exists(), "{verb:?}");
        assert!(Path::new(&path(".map-my-notes.tmp")).exists(), "{verb:?}");
    }
}

/// Whenever Ctrl-C comes: no temporary file is left, and what is there is whole.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_temporary_file() {
    let clauses: String = (0..4000).map(|index| format!("agent(!A, %a, {index}) = skip\n")).collect();
    let large = format!("s[ agent(!A, %a) = skip\n{clauses}]\n");
    let (_folder, path) = folder(&large);
    let out = path("out.svg");
    let dialogue = path("a.map");
    for words in [
        &["fmt", &dialogue][..],
        &["render", &dialogue, "--as", "svg", "-o", &out],
        &["export", &dialogue, "--to", "promela", "--output", &out],
    ] {
        for milliseconds in (0..40).step_by(3) {
            fs::write(&dialogue, &large).expect("it can be written");
            let mut child =
                command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
            let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            child.wait().expect("it ends");
            let entries = fs::read_dir(path("")).expect("it is there").flatten();
            let left: Vec<_> = entries
                .map(|it| it.file_name())
                .filter(|it| it.to_string_lossy().starts_with(".map-"))
                .collect();
            assert!(left.is_empty(), "{words:?} after {milliseconds} ms: {left:?}");
            let text = fs::read_to_string(&dialogue).expect("it is there");
            assert!(text == large || text.ends_with("]\n"), "{words:?}");
        }
    }
}

/// A file that nobody reads is waited for, and Ctrl-C ends that.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_writing_to_a_pipe() {
    let (_folder, path) = folder(FINE);
    assert!(Command::new("mkfifo").arg(path("pipe")).status().is_ok_and(|it| it.success()));
    let mut child = command(&["verify", &path("a.map"), "--report", &path("pipe")]).spawn().expect("it runs");
    // The first may come before there is anything to wait for.
    let ended = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(500));
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        child.try_wait().expect("it is ours")
    });
    assert!(!ended.expect("it ends").success());
}

/// A folder stands for the dialogues below it, by name; hidden folders and other files are passed over.
#[test]
fn folders_are_searched_for_dialogues() {
    let (_folder, path) = folder(FINE);
    fs::create_dir_all(path("deep/er")).expect("it can be made");
    fs::create_dir(path(".hidden")).expect("it can be made");
    for name in ["deep/b.map", "deep/er/c.MAP", ".hidden/d.map", "deep/notes.txt"] {
        fs::write(path(name), FINE).expect("it can be written");
    }
    let all = path("");
    map(&["check", &all]).exits(0).out_has("3 files checked");
    map(&["verify", "-q", &all]).exits(0).out_line(&path("deep/b.map"), "s  terminates");
    map(&["fmt", "--check", &all]).exits(1).out_has("3 files would change, 0 as it should be");
    map(&["fmt", &path("deep")]).exits(0).out_has("2 files changed");
    map(&["fmt", "--check", &all]).exits(1).out_has("1 file would change, 2 as it should be");
    map(&["check", &path(".hidden"), &all]).exits(0).out_has("4 files checked");
    // What is about one dialogue takes none, and neither does a folder without any.
    map(&["run", &all]).exits(3).err_has("this is a directory");
    fs::create_dir(path("empty")).expect("it can be made");
    map(&["check", &path("empty")]).exits(3).err_has("this is a directory");
}
