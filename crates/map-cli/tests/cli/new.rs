//! `map new`: the list, what is written, and what is refused.

use super::{Ran, command, map};

fn new_in(folder: &std::path::Path, arguments: &[&str]) -> Ran {
    Ran::of(&command(&[&["new"], arguments].concat()).current_dir(folder).output().expect("map runs"))
}

#[test]
fn the_list_names_every_protocol_and_its_versions() {
    let list = map(&["new"]).exits(0);
    for protocol in map_library::PROTOCOLS {
        assert!(list.out.contains(protocol.about), "{}", protocol.name);
        let versions = map(&["new", "--from", protocol.name]).exits(0);
        for version in protocol.larger.iter().chain(protocol.defective) {
            let name = format!("{}/{}  ", protocol.name, version.name);
            assert!(versions.out.contains(&name), "{name}");
        }
    }
    assert!(list.out.lines().count() <= map_library::PROTOCOLS.len() + 2, "one line each");
}

#[test]
fn a_start_is_written_and_verifies_as_suggested() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for protocol in map_library::PROTOCOLS {
        let said = new_in(folder.path(), &[protocol.name, "--from", protocol.name]).exits(0);
        let suggestion = said.out.lines().last().expect("three commands are suggested").trim();
        let words: Vec<&str> = suggestion.split(' ').skip(1).collect();
        let verified = command(&words).current_dir(folder.path()).output().expect("map runs");
        assert_eq!(verified.status.code(), Some(0), "{suggestion}");
    }
}

#[test]
fn a_file_that_exists_is_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("lot.map"), "mine").expect("the folder can be written");
    new_in(folder.path(), &["lot", "--from", "ballot"])
        .exits(2)
        .err_has("lot.map exists: choose another name");
    let kept = std::fs::read_to_string(folder.path().join("lot.map")).expect("it is still there");
    assert_eq!(kept, "mine");
}

#[test]
fn a_version_with_a_defect_has_the_defect() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    new_in(folder.path(), &["clock", "--from", "clock-auction"])
        .exits(0)
        .out_has("map verify clock.map --agents bidder=2\n");
    new_in(folder.path(), &["lot.map", "--from", "ballot/quorum-or-nothing"]).exits(0);
    let verified = command(&["verify", "lot.map"]).current_dir(folder.path()).output().expect("map runs");
    Ran::of(&verified).exits(1).out_has("deadlock");
}

#[test]
fn what_is_wrong_with_the_words_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let refused = |arguments: &[&str], why: &str| {
        let ran = new_in(folder.path(), arguments).exits(2).err_has(why);
        assert!(ran.err.lines().count() < 8, "{}", ran.err);
    };
    refused(&["lot", "--from", "balot"], "there is no such protocol; did you mean ballot?");
    refused(&["lot", "--from", "ballot/quorum"], "did you mean ballot/quorum-or-nothing?");
    refused(&["lot", "--from", ""], "there is no such protocol; `map new` lists them");
    refused(&["--from", "zzz"], "there is no such protocol");
    refused(&["lot"], "--from says what lot starts from");
    refused(&["no/such/folder", "--from", "ballot"], "there is no such folder");
    refused(&["", "--from", "ballot"], "a value is required");
    for name in [".", "..", "lot/", ".map"] {
        refused(&[name, "--from", "ballot"], "is no name of a file");
    }
    let left = std::fs::read_dir(folder.path()).expect("it is there").count();
    assert_eq!(left, 0, "nothing is written");
}

#[test]
fn commands_to_try_can_be_pasted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    new_in(folder.path(), &["my lot", "--from", "ballot"]).exits(0).out_has("  map check 'my lot.map'\n");
}

#[test]
fn standard_output_has_the_text_alone() {
    let text = map(&["new", "-", "--from", "ballot"]).exits(0).out;
    assert!(text.starts_with("// A ballot with a quorum"), "{text}");
    assert!(!text.contains("//@"));
}
