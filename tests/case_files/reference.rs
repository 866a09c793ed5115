//! The MAP texts of the documentation: every `map` fence is accepted or rejected as the comment on the line before it
//! says, `<!-- expect: ok -->` or `<!-- expect: MAP205 -->`. A fence that is appended to a file is judged together with
//! it.

use libtest_mimic::{Failed, Trial};
use map_check::{CheckOptions, check};
use map_diagnostics::{Code, Severity, SourceFile, render};
use map_syntax::parse;
use map_testkit::markdown::{Files, Page};
use map_tests::documentation;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (path, text) in documentation::pages() {
        let page = Page::read(&text);
        let mut files = Files::default();
        for block in &page.blocks {
            let whole = files.follow(&page, block).map(|(_, text)| text.to_owned());
            let expected = block.remarks.get("expect").cloned();
            if block.language != "map" && expected.is_none() {
                continue;
            }
            let text = whole.unwrap_or_else(|| page.text(block));
            let name = format!("reference: {path}:{}", block.line);
            trials.push(Trial::test(name.clone(), move || run(&name, &text, expected.as_deref())));
        }
    }
    assert!(trials.len() > 20, "the examples are found");
    trials
}

fn run(name: &str, text: &str, expected: Option<&str>) -> Result<(), Failed> {
    let expected = expected.ok_or("a fence without `<!-- expect: .. -->` on the line before")?;
    let known = Code::ALL.iter().any(|code| code.as_str() == expected && code.severity() == Severity::Error);
    if expected != "ok" && !known {
        return Err(format!("`{expected}` is neither `ok` nor the code of an error").into());
    }
    let source = SourceFile::new(name, text);
    let parsed = parse(&source);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.is_empty() {
        diagnostics = check(&parsed.file, &CheckOptions::default()).1;
    }
    diagnostics.retain(|diagnostic| diagnostic.code.severity() == Severity::Error);
    let mut codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let as_expected = if expected == "ok" { codes.is_empty() } else { codes == [expected] };
    if as_expected {
        return Ok(());
    }
    let rendered: String = diagnostics.iter().map(|diagnostic| render(&source, diagnostic)).collect();
    Err(format!("expected {expected}, found {codes:?}\n{rendered}").into())
}
