//! The transcripts of the documentation: every command of a page, entered in the order in which it stands there, prints
//! what the page says. With `MAP_UPDATE` set the pages are written anew, to be read in the diff.

mod fit;
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use map_library::PROTOCOLS;
use map_testkit::markdown::{Block, Page};

use session::Session;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages whose commands are entered, as paths from the root.
fn pages() -> Vec<String> {
    let mut pages =
        ["README.md", "examples/README.md", "examples/handoff/README.md", "examples/trips/README.md"]
            .map(str::to_owned)
            .to_vec();
    for folder in ["docs/book/src", "docs/book/src/how-to"] {
        let entries = fs::read_dir(root().join(folder)).expect("the documentation is part of the repository");
        let names = entries.map(|entry| entry.expect("the folder can be read").file_name());
        let names = names.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".md"));
        pages.extend(names.map(|name| format!("{folder}/{name}")));
    }
    pages.extend(PROTOCOLS.iter().map(|protocol| format!("protocols/{}/README.md", protocol.name)));
    pages.sort();
    pages
}

/// A command of a console block, and the lines below it.
struct Entered<'a> {
    line: usize,
    command: &'a str,
    expected: Vec<&'a str>,
}

fn entered<'a>(page: &'a Page, block: &Block) -> Vec<Entered<'a>> {
    let mut found: Vec<Entered<'a>> = Vec::new();
    for at in block.body.clone() {
        let text = page.lines[at].as_str();
        match (text.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push(Entered { line: at + 1, command, expected: Vec::new() }),
            (None, Some(last)) => last.expected.push(text),
            (None, None) => panic!("line {}: a console block begins with `$ `", at + 1),
        }
    }
    found
}

/// What `map fmt` would change in a file.
fn layout(session: &mut Session, name: &str) -> Option<String> {
    let difference = session.enter(&format!("map fmt --diff {name}"));
    (!difference.is_empty()).then(|| format!("{name} is not laid out as map fmt does it\n{difference}"))
}

/// What a command calls that not every machine has, if its block does not say so.
fn unsaid(command: &str, block: &Block) -> Option<String> {
    let needs = block.remarks.get("needs").map_or("", String::as_str);
    let has_word = |text: &str, word: &str| text.split(|it: char| !it.is_alphanumeric()).any(|it| it == word);
    let missing =
        ["python3", "spin", "cc"].into_iter().find(|it| has_word(command, it) && !has_word(needs, it));
    missing.map(|program| format!("the block has to say <!-- needs: {program} -->"))
}

/// Follows a page from its top to its end. What is printed otherwise, and the page as it should be.
fn follow(path: &str) -> (Vec<String>, String) {
    let text = fs::read_to_string(root().join(path)).expect("pages are UTF-8 text");
    let page = Page::read(&text);
    let mut session = Session::start(&root(), &page.copied);
    let (mut wrong, mut lines) = (Vec::new(), Vec::new());
    let mut kept = 0;
    for block in &page.blocks {
        if let Some((name, text)) = session.files.follow(&page, block) {
            fs::write(session.folder.path().join(name), text).expect("the folder can be written");
            if block.remarks.get("expect").is_some_and(|expected| expected == "ok") {
                let name = name.to_owned();
                wrong.extend(layout(&mut session, &name).map(|it| format!("{path}:{}: {it}", block.line)));
            }
        }
        if block.language != "console" || !session.can_run(block) {
            continue;
        }
        lines.extend_from_slice(&page.lines[kept..block.body.start]);
        kept = block.body.end;
        for it in entered(&page, block) {
            wrong.extend(unsaid(it.command, block).map(|why| format!("{path}:{}: {why}", it.line)));
            let printed = session.enter(it.command);
            let actual: Vec<&str> = printed.lines().map(str::trim_end).collect();
            lines.push(format!("$ {}", it.command));
            if fit::fits(&it.expected, &actual) {
                lines.extend(it.expected.iter().map(ToString::to_string));
            } else {
                let difference = fit::difference(&it.expected, &actual);
                wrong.push(format!("{path}:{}: $ {}\n{difference}", it.line, it.command));
                lines.extend(fit::recorded(&it.expected, &actual));
            }
        }
    }
    lines.extend_from_slice(&page.lines[kept..]);
    (wrong, lines.join("\n") + "\n")
}

#[test]
fn transcripts_are_up_to_date() {
    let pages = pages();
    let update = std::env::var_os("MAP_UPDATE").is_some();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let follow_some = || {
        let mut wrong = Vec::new();
        while let Some(path) = pages.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let (found, page) = follow(path);
            if update && !found.is_empty() {
                fs::write(root().join(path), page).expect("the page can be written");
            }
            wrong.extend(found);
        }
        wrong
    };
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(follow_some)).collect();
        workers.into_iter().flat_map(|it| it.join().expect("a page is followed to its end")).collect()
    });
    if update {
        println!("{} transcripts were written anew", wrong.len());
    } else {
        assert!(
            wrong.is_empty(),
            "{}\nMAP_UPDATE=1 cargo test -p map-cli --all-features --test cli docs writes the transcripts anew",
            wrong.join("\n\n")
        );
    }
}

/// Every block is a MAP text, a transcript or a file that a transcript uses, or says why it is not executed.
#[test]
fn every_block_is_executed_or_says_why_not() {
    for path in pages() {
        let page = Page::read(&fs::read_to_string(root().join(&path)).expect("pages are UTF-8 text"));
        assert!(page.stray.is_empty(), "{path}: a remark without a block below it, lines {:?}", page.stray);
        for block in &page.blocks {
            let executed = ["map", "console"].contains(&block.language.as_str());
            let used = block.remarks.contains_key("file") || block.remarks.contains_key("append");
            // The tests of the package for Python run the programs of these pages, and compare what they print.
            let of_python =
                ["how-to/maplang.md", "src/maplang-reference.md"].iter().any(|it| path.ends_with(it));
            let executed = executed || of_python && block.language != "console";
            assert!(
                executed || used || block.remarks.contains_key("not run"),
                "{path}:{}: say `<!-- not run: why -->`, or `<!-- file: name -->` and use it",
                block.line
            );
        }
    }
}

#[test]
fn every_verb_is_shown_at_work() {
    let pages = pages().into_iter().filter(|path| path.starts_with("docs/book"));
    let read = |path: String| fs::read_to_string(root().join(path)).expect("the page is there");
    let book: String = pages.map(read).collect();
    for verb in super::verbs() {
        let shown = [format!("$ map {verb}"), format!("| map {verb}")].iter().any(|it| book.contains(it));
        assert!(shown, "{verb}");
    }
}
