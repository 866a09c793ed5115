//! Files that are no MAP texts: diagnostics and exit code 3, never a crash.

use std::fs;
use std::time::{Duration, Instant};

use super::{Ran, map, map_with};

/// Every verb says the same of a bad file.
#[track_caller]
fn rejected(content: &[u8], code: &str) {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let path = folder.path().join("bad.map");
    fs::write(&path, content).expect("the folder is writable");
    let path = path.to_str().expect("temporary folders have plain names");
    for verb in ["check", "run", "verify"] {
        let started = Instant::now();
        map(&[verb, path]).exits(3).err_has(code);
        map(&[verb, path, "--format", "json"]).exits(3).out_has(code);
        assert!(started.elapsed() < Duration::from_secs(60), "{verb} takes too long");
    }
}

#[test]
fn deep_nesting() {
    let shapes = [
        ["s[ agent(!A, %a) = ", &"(".repeat(100_000), "skip", &")".repeat(100_000), " ]"].concat(),
        ["s[ agent(!A, %a) = ", &"(".repeat(100_000)].concat(),
        ["s[ agent(!A, %a) = ", &"waitfor ".repeat(100_000), "skip ]"].concat(),
    ];
    for shape in shapes {
        rejected(shape.as_bytes(), "MAP002");
    }
    rejected("(".repeat(1_000_000).as_bytes(), "MAP00");
}

#[test]
fn megabytes() {
    rejected("word ".repeat(400_000).as_bytes(), "MAP001");
    rejected(&b"[ ".repeat(1_000_000), "MAP00");
    let long = ["s[ agent(!A, %a) = skip", &" then skip".repeat(200_000), " ]"].concat();
    map_with(long.as_bytes(), &["check", "-"]).exits(0);
    map_with(long.as_bytes(), &["run", "-", "--seed", "1"]).exits(0);
}

#[test]
fn too_large() {
    let large = vec![b' '; (16 << 20) + 1];
    rejected(&large, "MAP003");
    map_with(&large, &["check", "-"]).exits(3).err_has("MAP003");
}

#[test]
fn strange_bytes() {
    rejected(b"s[ agent(!A, %a) = skip\0 ]", "MAP008");
    rejected(b"\0\0\0\0", "MAP0");
    rejected(b"s[ agent(!A, %a) =\n skip \xff ]", "MAP004");
    rejected(b"\x7fELF\0\xff", "MAP004");
    map_with(b"\x7fELF\0\xff", &["check", "-"]).exits(3).err_has("not a text: there are zero bytes");
    map_with(b"\xff\xfes\0[\0", &["check", "-"]).exits(3).err_has("save the file as UTF-8");
    map_with(b"s[\n \xff ]", &["check", "-"]).exits(3).err_has("byte 4").err_has("line 2").err_has("0xFF");
    rejected(
        "s[ agent(!A, %a) = skip ]".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
        "MAP0",
    );
}

#[test]
fn empty_files() {
    rejected(b"", "MAP009");
    rejected(b" \n\t// only a comment", "MAP009");
}

#[test]
fn line_ends_of_other_systems() {
    let crlf = b"\xef\xbb\xbfs[\r\n  agent(!A, %a) = skip\r\n]\r\n";
    map_with(crlf, &["check", "-"]).exits(0);
    map_with(b"s[\r\n  agent(!A, %a) = $x\r\n]\r\n", &["check", "-"]).exits(3).err_has("<stdin>:2");
}

#[test]
fn things_that_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.map");
    for verb in ["check", "run", "verify"] {
        map(&[verb, missing.to_str().unwrap()]).exits(3).err_has("MAP011").err_has("no such file");
        map(&[verb, folder.path().to_str().unwrap()]).exits(3).err_has("MAP011").err_has("directory");
        map(&[verb, ""]).exits(2).err_has("a value is required");
    }
}

#[cfg(unix)]
#[test]
fn devices_without_end() {
    map(&["check", "/dev/zero"]).exits(3).err_has("MAP003");
    map(&["check", "/dev/null"]).exits(3).err_has("MAP009");
}

#[test]
fn floods_of_diagnostics_are_cut_short() {
    let operations: Vec<String> = (0..300).map(|i| format!("$x{i} = p($y{i})")).collect();
    let text = format!("s[ agent(!A, %a) = {} ]", operations.join("\nthen "));
    let Ran { out, err, .. } = map_with(text.as_bytes(), &["check", "-"]).exits(3).err_has("and 200 more");
    assert_eq!(err.matches("MAP204").count(), 100);
    assert!(out.contains("300 errors"));
}
