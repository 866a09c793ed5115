//! The protocol library: its table of contents, its folders and their texts are consistent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use map_check::{CheckOptions, lint};
use map_diagnostics::{Code, SourceFile};
use map_library::{PROTOCOLS, Protocol, Version};
use map_syntax::parse;
use map_tests::cases::map_files;
use map_tests::library_table;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols")
}

/// The most lines in which a defective version may differ from the correct one.
const SMALL_EDIT: usize = 14;

/// Whether a version was published in 2004: those are quoted verbatim, and are no edits of a correct version.
fn as_published(version: &Version) -> bool {
    version.name.starts_with("published")
}

#[test]
fn the_table_of_contents_is_the_folder() {
    let mut on_disk: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in map_files(&folder()).expect("the folder is part of the repository") {
        let part =
            |path: &Path| path.file_stem().and_then(|it| it.to_str()).expect("names are ASCII").to_owned();
        let parent = path.parent().expect("every file is in a folder");
        on_disk.entry(part(parent)).or_default().insert(part(&path));
    }
    let in_table: BTreeMap<String, BTreeSet<String>> = PROTOCOLS
        .iter()
        .map(|protocol| {
            (protocol.name.to_owned(), protocol.versions().map(|version| version.name.to_owned()).collect())
        })
        .collect();
    assert_eq!(on_disk, in_table, "left: protocols/, right: crates/map-library/src/table.rs");
}

#[test]
fn every_folder_has_a_readme_that_says_what_is_there() {
    let mut wrong = Vec::new();
    for protocol in PROTOCOLS {
        let path = folder().join(protocol.name).join("README.md");
        let readme =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for version in protocol.versions() {
            let file = format!("`{}.map`", version.name);
            assert!(readme.contains(&file), "{} does not mention {file}", path.display());
            wrong.extend(untrue(&readme, version).map(|it| format!("{}: {it}", path.display())));
        }
        wrong.extend(untrue_of_properties(&readme, protocol).map(|it| format!("{}: {it}", path.display())));
        wrong.extend(
            untrue_of_weather(&readme, &protocol.right).map(|it| format!("{}: {it}", path.display())),
        );
        for part in ["What it teaches: ", " | map render "] {
            assert!(readme.contains(part), "{}: `{}` is missing", path.display(), part.trim());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The verdicts and lengths of traces that a page claims for a version, in table rows that begin with its name, and
/// that no `//@` line of the version expects.
fn untrue(readme: &str, version: &Version) -> impl Iterator<Item = String> {
    const VERDICTS: [&str; 8] = [
        "terminates",
        "terminates if fair",
        "failure",
        "deadlock",
        "livelock",
        "mailbox overflow",
        "runaway recursion",
        "run error",
    ];
    let name = format!("`{}.map`", version.name);
    let rows = readme.lines().filter(|row| row.trim_start_matches(['|', ' ', '[']).starts_with(&name));
    let said: Vec<&str> = version.text.lines().filter(|line| line.starts_with("//@ ")).collect();
    let mut found = Vec::new();
    for row in rows {
        let verdicts = row.split('`').filter(|word| VERDICTS.contains(word));
        let verdicts = verdicts.filter(|word| !said.iter().any(|line| verdict(line) == *word));
        found.extend(verdicts.map(|word| format!("{name}: no line expects `{word}`")));
        let words: Vec<&str> = row.split_whitespace().collect();
        let lengths = words.windows(2).filter(|it| it[1].starts_with("step") && it[0].parse::<u32>().is_ok());
        let lengths = lengths.map(|it| format!(", {} step", it[0]));
        let lengths = lengths.filter(|length| !said.iter().any(|line| line.contains(length.as_str())));
        found.extend(lengths.map(|length| format!("{name}: no line expects `{}s`", &length[2..])));
    }
    found.into_iter()
}

/// Discrepancies between the table row of a property and the `//@` lines of the versions: the row must name exactly the
/// versions that expect a violation, and each number of steps must be expected by one of them.
fn untrue_of_properties(readme: &str, protocol: &Protocol) -> impl Iterator<Item = String> {
    let file = map_syntax::parse(&SourceFile::new(protocol.name, protocol.right.text)).file;
    let mut found = Vec::new();
    for property in file.properties().map(|it| it.name.text.as_str()) {
        let begins = |row: &&str| row.split('|').take(3).any(|cell| cell.trim() == format!("`{property}`"));
        let Some(row) = readme.lines().find(begins) else { continue };
        let expected = format!("//@ property {property} => violated");
        let mut lines = Vec::new();
        for version in protocol.defective {
            let falls = version.text.lines().filter(|line| line.starts_with(&expected)).collect::<Vec<_>>();
            if falls.is_empty() == row.contains(&format!("`{}.map`", version.name)) {
                found.push(format!("`{property}` and `{}.map`: the row and the file differ", version.name));
            }
            lines.extend(falls);
        }
        let words: Vec<&str> = row.split_whitespace().collect();
        let lengths = words.windows(2).filter(|it| it[0] == "after").map(|it| it[1].trim_end_matches(','));
        for length in lengths.filter(|length| length.parse::<u32>().is_ok()) {
            if !lines.iter().any(|line| line.contains(&format!(", {length} step"))) {
                found.push(format!("`{property}`: no version expects it to fall after {length} steps"));
            }
        }
    }
    found.into_iter()
}

/// The verdicts that a page's table of the weather claims and that no line of the correct version expects.
fn untrue_of_weather(readme: &str, version: &Version) -> impl Iterator<Item = String> {
    let table = readme.lines().skip_while(|line| *line != "| weather | |").skip(2);
    let mut found = Vec::new();
    for row in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (weather, said) = (cells[1], cells[2].replace('`', "").replace(" after ", ", "));
        let flags = match weather {
            "instant" => String::new(),
            "timeouts any" => "--timeouts any ".to_owned(),
            network => format!("--network {network} "),
        };
        let begins = |line: &str| {
            let line = line.strip_prefix("//@ verify ").or_else(|| line.strip_prefix("//@ large "));
            let found = line.and_then(|line| line.strip_prefix(flags.as_str()));
            found.and_then(|line| line.strip_prefix("=> ")).is_some_and(|line| line.starts_with(&said))
        };
        if !version.text.lines().any(begins) {
            found.push(format!("{weather}: no line expects `{said}`"));
        }
    }
    found.into_iter()
}

/// The verdict that a line expects.
fn verdict(line: &str) -> &str {
    line.split_once("=> ").and_then(|it| it.1.split(',').next()).unwrap_or_default()
}

#[test]
fn right_versions_have_no_warnings() {
    for protocol in PROTOCOLS {
        for version in protocol.larger.iter().chain([&protocol.right]) {
            let source = SourceFile::new(version.name, version.text);
            let warnings = lint(&source, &parse(&source).file, &CheckOptions::default());
            let warnings: Vec<_> = warnings.iter().map(|it| map_diagnostics::render(&source, it)).collect();
            assert!(warnings.is_empty(), "{}", warnings.join("\n"));
        }
    }
}

/// The only version with a `waitfor` whose body takes in too much, and the warnings about that.
const SWALLOWS: (&str, &str) = ("vickrey-auction", "a-waitfor-takes-all");
const ABOUT_WAITING: [Code; 2] = [Code::WaitTakesIn, Code::NeverWaits];

#[test]
fn one_version_is_warned_of_what_its_waitfor_takes_in() {
    let mut warned = Vec::new();
    for protocol in PROTOCOLS {
        for version in protocol.defective {
            let source = SourceFile::new(version.name, version.text);
            let warnings = lint(&source, &parse(&source).file, &CheckOptions::default());
            if warnings.iter().any(|it| ABOUT_WAITING.contains(&it.code)) {
                warned.push((protocol.name, version.name));
            }
        }
    }
    assert_eq!(warned, [SWALLOWS]);
}

#[test]
fn the_texts_are_laid_out_as_map_fmt_does() {
    for protocol in PROTOCOLS {
        for version in
            protocol.versions().filter(|it| protocol.name != "english-auction" || !as_published(it))
        {
            let formatted = map_tests::front_end::formatted(version.text).expect("the text is correct");
            assert_eq!(formatted, version.text, "{}/{}", protocol.name, version.name);
        }
    }
}

#[test]
fn defective_versions_are_small_edits() {
    for protocol in PROTOCOLS {
        for version in protocol.defective.iter().filter(|version| !as_published(version)) {
            let edit = edit_size(&code(&protocol.right), &code(version));
            assert!(edit > 0, "{}/{} does not differ from the right one", protocol.name, version.name);
            assert!(edit <= SMALL_EDIT, "{}/{} differs in {edit} lines", protocol.name, version.name);
        }
    }
}

#[test]
fn the_table_says_what_is_found() {
    let all = library_table::rows();
    let table = std::fs::read_to_string(library_table::path()).expect("protocols/README.md is there");
    let lines: Vec<&str> = table.lines().filter(|line| line.starts_with("| [")).collect();
    assert_eq!(lines.len(), all.len(), "the table has other rows; write it again with `cargo xtask library`");
    let (mut done, mut wrong) = (0, Vec::new());
    for (row, line) in all.iter().zip(lines) {
        let (columns, _seconds) = line.trim_end_matches(" |").rsplit_once(" |").expect("a row has columns");
        let reduced: usize =
            columns.rsplit_once("| ").and_then(|it| it.1.parse().ok()).expect("a number of states");
        if reduced > library_table::QUICK {
            let said = row.case.expectation.expected.reduced.unwrap_or(reduced);
            if reduced != said {
                wrong.push(format!("- {columns} |\n+ {said} states with reductions, as the file says"));
            }
            continue;
        }
        let program = row.program().expect("the scene is correct");
        let (reduced, found) = row.reduced(&program).expect("the engine agrees with itself");
        let expected = row.columns(&program, reduced, &found).expect("the engine agrees with itself");
        if format!("{columns} |") != expected {
            wrong.push(format!("- {columns} |\n+ {expected}"));
        }
        done += 1;
    }
    assert!(wrong.is_empty(), "write the table again with `cargo xtask library`:\n{}", wrong.join("\n"));
    let small = all.iter().filter(|row| !row.large).count();
    assert!(done * 10 > small * 9, "only {done} of {small} rows were done again");
}

/// Large casts are searched with all reductions only, and the slow ones only if `MAP_LARGE` is set.
#[test]
fn large_casts_come_out_as_they_say() {
    let all = std::env::var_os("MAP_LARGE").is_some();
    let (mut done, mut wrong) = (0, Vec::new());
    for row in library_table::rows().iter().filter(|row| row.large) {
        let wanted = &row.case.expectation.expected;
        assert!(wanted.reduced.is_some(), "{}: `reduced to N states` is missing", row.case.path.display());
        if !all && wanted.reduced > Some(20_000) {
            continue;
        }
        let program = row.program().expect("the scene is correct");
        let (reduced, found) = row.reduced(&program).expect("the engine agrees with itself");
        let (file, flags) = (row.case.path.display(), &row.case.expectation.flags);
        if !wanted.fits(&found) || Some(reduced) != wanted.reduced {
            wrong.push(format!("{file} {flags}: found {found}, reduced to {reduced} states"));
        }
        done += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done > 0, "there are small ones among them");
}

/// The lines of a text except comments, empty lines, and measures, which only the right versions have.
fn code(version: &Version) -> Vec<&'static str> {
    let mut in_measure = false;
    let mut is_code = |line: &&str| {
        in_measure = line.starts_with("measure ") || (in_measure && line.starts_with(' '));
        !in_measure && !line.trim().starts_with("//") && !line.trim().is_empty()
    };
    version.text.lines().filter(|line| is_code(line)).map(str::trim).collect()
}

/// The number of lines to delete or insert to turn one text into the other: those outside a longest common subsequence,
/// found by dynamic programming.
fn edit_size(from: &[&str], to: &[&str]) -> usize {
    let mut common = vec![vec![0; to.len() + 1]; from.len() + 1];
    for (i, line) in from.iter().enumerate() {
        for (j, other) in to.iter().enumerate() {
            common[i + 1][j + 1] =
                if line == other { common[i][j] + 1 } else { common[i][j + 1].max(common[i + 1][j]) };
        }
    }
    from.len() + to.len() - 2 * common[from.len()][to.len()]
}
