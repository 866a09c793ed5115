//! The examples of the documentation: every `map` fence in `docs/*.md` is accepted or rejected as the comment on the
//! line before it says, `<!-- expect: ok -->` or `<!-- expect: MAP205 -->`.

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use map_check::{CheckOptions, check};
use map_diagnostics::{Code, Severity, SourceFile, render};
use map_syntax::parse;

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut trials = Vec::new();
    for path in pages(&docs) {
        let text = std::fs::read_to_string(&path).expect("pages are UTF-8 text");
        let page = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for example in examples(&text) {
            let name = format!("docs/{page}:{}", example.line);
            trials.push(Trial::test(name.clone(), move || run(&name, &example)));
        }
    }
    assert!(trials.len() > 20, "the examples are found");
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the documentation is part of the repository");
    let mut pages: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// A fence, or an expectation without one.
struct Example {
    /// The line of the fence, from 1.
    line: usize,
    /// What the line before it expects.
    expected: Option<String>,
    /// The text; `None` if there is no fence behind the expectation.
    text: Option<String>,
}

fn examples(page: &str) -> Vec<Example> {
    let expectation =
        |line: &str| line.trim_start().strip_prefix("<!-- expect: ")?.strip_suffix(" -->").map(str::to_owned);
    let mut found = Vec::new();
    let mut before = None;
    let mut lines = page.lines().map(str::trim_end).enumerate();
    while let Some((index, line)) = lines.next() {
        let expected = before.take();
        if line.trim_start().starts_with("```map") {
            let text = lines.by_ref().map(|(_, line)| line).take_while(|line| line.trim_start() != "```");
            let text = text.map(|line| format!("{line}\n")).collect();
            found.push(Example { line: index + 1, expected, text: Some(text) });
        } else {
            if expected.is_some() {
                found.push(Example { line: index + 1, expected, text: None });
            }
            if line.trim_start().starts_with("```") {
                lines.by_ref().find(|(_, line)| line.trim_start() == "```");
            }
            before = expectation(line);
        }
    }
    found
}

fn run(name: &str, example: &Example) -> Result<(), Failed> {
    let text = example.text.as_ref().ok_or("an expectation without a fence on the next line")?;
    let expected =
        example.expected.as_ref().ok_or("a fence without `<!-- expect: .. -->` on the line before")?;
    let known = Code::ALL.iter().any(|code| code.as_str() == expected && code.severity() == Severity::Error);
    if expected != "ok" && !known {
        return Err(format!("`{expected}` is neither `ok` nor the code of an error").into());
    }
    let source = SourceFile::new(name, text.as_str());
    let parsed = parse(&source);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.is_empty() {
        diagnostics = check(&parsed.file, &CheckOptions::default()).1;
    }
    diagnostics.retain(|diagnostic| diagnostic.code.severity() == Severity::Error);
    let mut codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let as_expected = if expected == "ok" { codes.is_empty() } else { codes == [expected.as_str()] };
    if as_expected {
        return Ok(());
    }
    let rendered: String = diagnostics.iter().map(|diagnostic| render(&source, diagnostic)).collect();
    Err(format!("expected {expected}, found {codes:?}\n{rendered}").into())
}
