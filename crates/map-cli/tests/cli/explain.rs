//! `map explain`.

use super::map;

#[test]
fn every_code_is_listed_and_has_its_page() {
    let list = map(&["explain"]).exits(0).out;
    assert!(list.lines().count() > 40);
    let (codes, words) = list.split_once("\nWords of the reports:\n").unwrap();
    for line in words.lines() {
        let word = line.split([',', ':']).next().unwrap();
        map(&["explain", word]).exits(0).out_has(&format!("# {word}"));
    }
    for line in codes.lines() {
        let code = line.split(' ').next().unwrap();
        assert!(line.len() > "MAP204  error    ".len(), "{line}");
        let page = map(&["explain", code]).exits(0).out;
        assert!(page.contains(code) && page.lines().count() > 3, "{page}");
    }
}

#[test]
fn the_case_of_a_code_does_not_matter() {
    let page = map(&["explain", "MAP204"]).exits(0).out;
    assert_eq!(map(&["explain", "map204"]).exits(0).out, page);
}

#[test]
fn a_number_is_enough() {
    map(&["explain", "203"]).exits(0).out_has("# MAP203:");
    map(&["explain", "1"]).exits(0).out_has("# MAP001:");
}

#[test]
fn unknown_codes_get_a_guess() {
    map(&["explain", "MAP294"]).exits(2).err_has("the nearest is MAP204").err_has("map explain");
    map(&["explain", "294"]).exits(2).err_has("the nearest is MAP204");
    map(&["explain", "deadlok"]).exits(2).err_has("there is no word deadlok; the nearest is deadlock");
    map(&["explain", "xylophone"]).exits(2).err_has("there is no word xylophone\n");
    map(&["explain", ""]).exits(2);
    map(&["explain", "MAP204", "MAP205"]).exits(2);
    map(&["completions", "bash"]).exits(0).out_has("MAP204").out_has("livelock");
}

#[test]
fn words_of_reports_are_explained_with_or_without_quotes() {
    let page = map(&["explain", "terminates if fair"]).exits(0).out;
    assert!(page.starts_with("# terminates if fair\n\n"), "{page}");
    for words in [&["terminates", "if", "fair"][..], &["Terminates-if-fair"], &["terminates_if_fair"]] {
        assert_eq!(map(&[&["explain"], words].concat()).exits(0).out, page);
    }
}

#[test]
fn colour_takes_the_place_of_markdown() {
    let raw = map(&["explain", "MAP204"]).exits(0).out;
    let shown = map(&["explain", "MAP204", "--color", "always"]).exits(0).out;
    assert!(raw.starts_with("# ") && raw.contains("```"));
    assert!(shown.starts_with("\u{1b}[1m") && !shown.contains("```"));
}
