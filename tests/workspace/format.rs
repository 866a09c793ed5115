//! The formatter: reviewed cases on disk, and invariants for every text, whatever its white space and comments.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use map_diagnostics::SourceFile;
use map_syntax::{MAX_NESTING, format, parse};
use map_testkit::scenes::{Random, random_scene};
use map_testkit::texts::words;
use map_tests::cases::{map_files, texts};
use map_tests::documentation::root;
use map_tests::front_end::formatted;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("case files are UTF-8 text")
}

fn check(text: &str, what: &str) -> String {
    formatted(text).unwrap_or_else(|error| panic!("{what}: {error}\n--- from\n{text}"))
}

/// `NAME.in.map` becomes `NAME.out.map`. With `MAP_UPDATE` set, the results are written instead of compared.
#[test]
fn cases() {
    let folder = root().join("tests/cases-fmt");
    let update = std::env::var_os("MAP_UPDATE").is_some();
    let mut cases = 0;
    let mut wrong = String::new();
    for path in map_files(&folder).expect("the folder is part of the repository") {
        let Some(name) = path.to_str().and_then(|path| path.strip_suffix(".in.map")) else { continue };
        cases += 1;
        let found = check(&read(&path), name);
        let expected = PathBuf::from(format!("{name}.out.map"));
        if update {
            std::fs::write(&expected, found).expect("the folder can be written");
        } else if read(&expected) != found {
            let _ = writeln!(wrong, "--- {} should be\n{found}", expected.display());
        }
    }
    assert!(cases >= 40, "{cases} cases found");
    assert!(wrong.is_empty(), "{wrong}");
}

/// All texts of the repository, and random scenes.
fn corpus() -> Vec<(String, String)> {
    let mut found = ["protocols", "tests/cases", "tests/cases-fmt"].map(texts).concat();
    found.extend((0..300).map(|seed| (format!("random scene {seed}"), random_scene(seed))));
    found.retain(|(_, text)| parse(&SourceFile::new("", text.as_str())).diagnostics.is_empty());
    found
}

#[test]
fn every_text_keeps_its_meaning() {
    for (name, text) in corpus() {
        check(&text, &name);
        check(&text.replace('\n', "\r\n"), &name);
        check(&format!("\u{feff}{}", text.trim_start_matches('\u{feff}')), &name);
    }
}

/// Long chains, long lists and deep nesting must be formatted in linear time, and without overflowing the stack.
#[test]
fn size_is_no_obstacle() {
    let clause = |body: &str| format!("s[\n    agent(!A, %r) = {body}\n]\n");
    let n = 100_000;
    for word in ["then", "or", "par"] {
        check(&clause(&vec!["skip"; n].join(&format!(" {word} "))), word);
        check(&clause(&vec!["skip // comment\n"; n].join(&format!(" {word} // why\n"))), word);
    }
    check(&clause(&format!("agent({})", vec!["$x"; n].join(","))), "a list of terms");
    check(&clause(&format!("{} skip", "// comment\n".repeat(n))), "comments in one place");
    check(&clause(&format!("{} skip", "/**/".repeat(n))), "comments on one line");
    check(&clause("skip\n").replace("skip", &format!("skip{}", "\n".repeat(n))), "empty lines");
    check(&"cast %a = 1 ".repeat(n).replacen("cast", &format!("{} cast", clause("skip")), 1), "items");
    for (before, after) in
        [("(", ")"), ("waitfor ", ""), ("waitfor ", " timeout skip"), ("(skip or fail then ", ")")]
    {
        let body = before.repeat(MAX_NESTING) + "skip" + &after.repeat(MAX_NESTING);
        check(&clause(&body), before);
        let body = before.repeat(MAX_NESTING / 2) + "skip" + &after.repeat(MAX_NESTING / 2);
        check(&clause(&body), before);
    }
}

#[test]
fn wrong_texts_are_not_formatted() {
    for text in ["", "s[ agent(!A, %r) = skip skip ]", "cast %a = 1", "s[ agent(!A, %r) = agent(\"\\q\") ]"] {
        let source = SourceFile::new("test.map", text);
        assert_eq!(format(&source), Err(parse(&source).diagnostics), "{text}");
    }
}

/// How many variants of each text are tried; `MAP_VARIANTS` asks for more.
fn variants() -> u64 {
    std::env::var("MAP_VARIANTS").ok().and_then(|number| number.parse().ok()).unwrap_or(2)
}

#[test]
fn comments_of_every_form_may_stand_in_every_gap() {
    let text = read(&root().join("tests/cases-fmt/comment-inside-everything.out.map"));
    let bare: Vec<&str> = words(&text).into_iter().map(|word| &text[word]).collect();
    for comment in [COMMENTS, ALLOWANCES].concat() {
        for gap in 0..=bare.len() {
            let (before, behind) = (bare[..gap].join(" "), bare[gap..].join(" "));
            check(&format!("{before} {comment} {behind}"), &format!("{comment:?} before word {gap}"));
        }
        let everywhere = bare.join(&format!(" {comment} "));
        check(&everywhere, &format!("{comment:?} everywhere"));
    }
    for unterminated in ["/*", "/*/", "/* * /"] {
        assert!(formatted(&format!("{text}{unterminated}")).is_err(), "{unterminated}");
    }
}

#[test]
fn comments_and_white_space_may_stand_between_any_two_words() {
    for (index, (name, text)) in corpus().iter().enumerate() {
        // Parentheses that nobody needs are removed, and with them what a comment on a line of theirs may be about.
        let laid_out = check(text, name);
        for variant in 0..variants() {
            let mut random = Random::new(variant, 1000 + index as u64);
            let shaken = shake(&mut random, text.trim_start_matches('\u{feff}'), COMMENTS);
            check(&shaken, &format!("{name}, variant {variant}"));
            let comments = [COMMENTS, ALLOWANCES, ALLOWANCES].concat();
            let shaken = shake(&mut random, laid_out.trim_start_matches('\u{feff}'), &comments);
            check(&shaken, &format!("{name}, variant {variant}, with warnings allowed"));
        }
    }
}

/// The text with random white space and comments between its words.
fn shake(random: &mut Random, text: &str, comments: &[&str]) -> String {
    let chance = *random.pick(&[2, 10, 40]);
    let joined = random.percent(30);
    let mut shaken = String::new();
    let mut end = 0;
    for word in words(text) {
        let between = &text[end..word.start];
        if random.percent(chance) {
            for _ in 0..random.between(1, 3) {
                let _ = write!(shaken, "{}", random.pick(SPACES));
                let _ = write!(shaken, "{}", random.pick(comments));
            }
            let _ = write!(shaken, "{}", random.pick(SPACES));
        } else if joined && !between.contains('/') && !between.is_empty() {
            shaken.push(' ');
        } else {
            shaken.push_str(between);
        }
        shaken.push_str(&text[word.clone()]);
        end = word.end;
    }
    let _ = write!(shaken, "{}", random.pick(SPACES));
    let _ = write!(shaken, "{}", random.pick(&["", "// end", "/* end */"]));
    shaken
}

const SPACES: &[&str] = &[" ", "\n", "\n\n", "\r\n", "\t", " \n \n\n ", "  "];

const COMMENTS: &[&str] = &[
    " /* a */ ",
    "// b\n",
    "// c agent(!A, %r) = \" ] /* \n",
    "/* d\n   d */",
    "/* e\n   * e\n * e */\n",
    "/**/",
    "/*\u{e9}a*/",
    "// \u{e9}\r\n",
    "/* // f */",
    "\n// g\n\n// h\n",
    "/*/ i */",
    "/*/*/",
    "/***/",
    "/* / j * / */",
    "// */ k /*\n",
];

/// Each code that silences nothing is a warning, so these tell exactly what they silence.
const ALLOWANCES: &[&str] = &[
    "// map: allow(MAP301, MAP307, MAP311, MAP317)\n",
    "\n// map: allow(MAP302, MAP309, MAP312, MAP318)\n",
    "/* map: allow(MAP303, MAP308, MAP310, MAP316, MAP319) */",
];
