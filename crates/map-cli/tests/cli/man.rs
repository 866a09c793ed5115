//! `map man`: pages that a formatter has no complaint about, and that say what `--help` says.

use std::fs;
use std::process::{Command, Stdio};

use super::{map, verbs};

/// The long flags in a text.
fn flags(text: &str) -> Vec<&str> {
    let words = text.split_whitespace().filter(|word| word.starts_with("--"));
    words.map(|word| word.trim_matches(|it: char| !it.is_alphabetic() && it != '-')).collect()
}

/// A page without its escapes for dashes and fonts.
fn plain(page: &str) -> String {
    page.replace("\\-", "-").replace("\\fB", "").replace("\\fI", "").replace("\\fR", "")
}

#[test]
fn every_verb_has_a_page_that_says_what_its_help_says() {
    for verb in verbs() {
        let page = plain(&map(&["man", &verb]).exits(0).out);
        for heading in ["NAME", "SYNOPSIS", "OPTIONS", "\"EXIT STATUS\"", "EXAMPLES", "\"SEE ALSO\""] {
            assert!(page.contains(&format!("\n.SH {heading}\n")), "{verb}: {heading}\n{page}");
        }
        let help = map(&[&verb, "--help"]).exits(0).out;
        for flag in flags(&help) {
            assert!(page.contains(flag), "{verb}: {flag} is not in its page");
        }
    }
}

#[test]
fn all_pages_are_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pages = folder.path().join("man/man1");
    let into = pages.to_str().expect("UTF-8");
    let listed = map(&["man", "--output-dir", into]).exits(0).out;
    // A second time the pages are replaced.
    map(&["man", "--output-dir", into]).exits(0);
    let names: Vec<String> = fs::read_dir(&pages)
        .expect("the folder has been made")
        .map(|entry| entry.expect("the folder can be read").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(listed.lines().count(), names.len());
    for verb in verbs() {
        assert!(names.contains(&format!("map-{verb}.1")), "{verb}");
    }
    assert_eq!(fs::read_to_string(pages.join("map.1")).expect("a page"), map(&["man"]).exits(0).out);
    formats_without_warnings(&names.iter().map(|name| pages.join(name)).collect::<Vec<_>>());
}

/// With groff, if it is installed: `man` shows the same warnings only on request.
fn formats_without_warnings(pages: &[std::path::PathBuf]) {
    for page in pages {
        let mut groff = Command::new("groff");
        groff.args(["-man", "-ww", "-Tutf8", "-z"]).arg(page).stdin(Stdio::null());
        match groff.output() {
            Err(_) => return println!("SKIPPED: groff is not installed"),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success() && said.is_empty(), "{}: {said}", page.display());
            }
        }
    }
}

/// Whether or not there is a formatter: requests are known ones, and no quotation mark is open at the end of a line.
#[test]
fn requests_are_those_of_manual_pages() {
    for verb in verbs() {
        for line in map(&["man", &verb]).exits(0).out.lines().filter(|line| line.starts_with(['.', '\''])) {
            let request = line[1..].split(' ').next().unwrap_or_default();
            assert!(
                ["TH", "SH", "PP", "TP", "IP", "RS", "RE", "br", "ie", "el"].contains(&request),
                "{line}"
            );
            assert!(line.matches('"').count().is_multiple_of(2), "{line}");
        }
    }
}

#[test]
fn stages_of_dump_have_pages_too() {
    map(&["man", "dump", "ast"]).exits(0).out_has("map\\-dump\\-ast");
}

#[test]
fn what_cannot_be_done_is_said() {
    map(&["man", "verfy"]).exits(2).err_has("there is no verb `verfy`");
    map(&["man", "dump", "asd"]).exits(2).err_has("there is no verb `asd`");
    map(&["man", "verify", "--output-dir", "x"]).exits(2).err_has("--output-dir");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("the folder can be written");
    map(&["man", "--output-dir", file.to_str().expect("UTF-8")]).exits(2).err_has("cannot be written");
}
