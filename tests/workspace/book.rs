//! The book in `docs/book` is complete, and the documentation has no dead links.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use map_testkit::markdown::Page;
use map_tests::documentation::{pages, root};

const BOOK: &str = "docs/book/src";

/// A link: its line, from 1, and its target.
struct Link {
    line: usize,
    target: String,
}

/// The links `[text](target)` of a page, except those in code.
fn links(page: &Page) -> Vec<Link> {
    let mut found = Vec::new();
    for (index, line) in prose(page) {
        // Text between backquotes is code; they are paired on each line.
        let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default().to_owned();
            found.push(Link { line: index + 1, target });
        }
    }
    found
}

/// The lines outside of fences.
fn prose(page: &Page) -> impl Iterator<Item = (usize, &String)> {
    let fenced = |at: usize| page.blocks.iter().any(|block| at + 1 >= block.line && at <= block.body.end);
    page.lines.iter().enumerate().filter(move |(at, _)| !fenced(*at))
}

/// The anchors of a page, derived from its headings as web forges and mdBook do.
fn anchors(page: &Page) -> BTreeSet<String> {
    let headings = prose(page).filter(|(_, line)| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase();
        let kept = kept.chars().filter(|it| it.is_alphanumeric() || [' ', '-', '_'].contains(it));
        kept.map(|it| if it == ' ' { '-' } else { it }).collect()
    };
    headings.map(|(_, line)| anchor(line.trim_start_matches('#'))).collect()
}

/// The target of a link on a page, as a path from the root.
fn resolved(page: &str, target: &str) -> PathBuf {
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(target).components() {
        if part == Component::ParentDir {
            path.pop();
        } else {
            path.push(part);
        }
    }
    path
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        for Link { line, target } in links(&Page::read(text)) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = if file.is_empty() { PathBuf::from(path) } else { resolved(path, file) };
            let leaves_the_book = path.starts_with(BOOK) && !to.starts_with(BOOK);
            let has_anchor = || {
                let page = pages.iter().find(|(path, _)| Path::new(path) == to);
                page.is_some_and(|(_, text)| anchors(&Page::read(text)).contains(anchor))
            };
            if !root().join(&to).exists() || leaves_the_book || (!anchor.is_empty() && !has_anchor()) {
                wrong.push(format!("{path}:{line}: {target}"));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere, or out of the book:\n{}", wrong.join("\n"));
}

#[test]
fn the_summary_has_every_chapter_once() {
    let summary = std::fs::read_to_string(root().join(BOOK).join("SUMMARY.md")).expect("there is a summary");
    let mut listed: Vec<String> = links(&Page::read(&summary)).into_iter().map(|link| link.target).collect();
    listed.sort();
    let on_disk: Vec<String> = pages()
        .into_iter()
        .filter_map(|(path, _)| Some(path.strip_prefix(BOOK)?.trim_start_matches('/').to_owned()))
        .filter(|path| path != "SUMMARY.md")
        .collect();
    assert_eq!(listed, on_disk);
    let settings = std::fs::read_to_string(root().join("docs/book/book.toml")).expect("there are settings");
    assert!(settings.contains("[book]") && settings.contains("src = \"src\""), "{settings}");
}

/// A reader who follows a page by hand must be told what to name each file.
#[test]
fn the_names_of_files_are_in_the_text() {
    for (path, text) in pages() {
        let page = Page::read(&text);
        for block in &page.blocks {
            let Some(name) = block.remarks.get("file").or(block.remarks.get("append")) else { continue };
            let above = block.line.saturating_sub(8)..block.line - 1;
            let told = page.lines[above].iter().any(|line| line.contains(&format!("`{name}`")));
            assert!(told, "{path}:{}: the lines above do not say `{name}`", block.line);
        }
    }
}
