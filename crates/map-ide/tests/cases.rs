//! Cases on disk: a text in which `$0` is the cursor, then the questions, each with its answer. `MAP_UPDATE=1` writes
//! the answers; read them before you commit them.
#![allow(clippy::disallowed_methods, reason = "cases are files")]

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use map_ide::{Analysis, Edit};

#[test]
fn the_questions_of_all_cases_have_their_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = std::fs::read_dir(folder).expect("there are cases");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "the cases are found");
    let update = std::env::var("MAP_UPDATE").is_ok();
    let mut wrong = String::new();
    for path in paths {
        let written = std::fs::read_to_string(&path).expect("cases are UTF-8");
        let answered = answered(&written);
        if update {
            std::fs::write(&path, &answered).expect("cases can be written");
        } else if written != answered {
            let _ = writeln!(wrong, "{}:\n{answered}", path.display());
        }
    }
    assert!(wrong.is_empty(), "other answers than the cases say:\n{wrong}");
}

/// The case with the answers that are given now.
fn answered(written: &str) -> String {
    let mut parts = written.split("==== ");
    let marked = parts.next().expect("splitting gives at least one part");
    let mut case = marked.to_owned();
    let at = marked.find("$0");
    let analysis = Analysis::new(marked.replacen("$0", "", 1));
    for part in parts {
        let question = part.lines().next().unwrap_or_default();
        let answer = answer(&analysis, question, at.unwrap_or(0));
        let _ = write!(case, "==== {question}\n{answer}");
    }
    case
}

fn answer(analysis: &Analysis, question: &str, at: usize) -> String {
    let text = analysis.text();
    let whole = 0..text.len();
    let (word, argument) = question.split_once(' ').unwrap_or((question, ""));
    match word {
        "hover" => analysis.hover(at).map_or("nothing\n".to_owned(), |hover| {
            format!(
                "{}{}",
                marked(text, &[(hover.range, String::new())]),
                on_lines(&hover.markdown, argument.parse().unwrap_or(usize::MAX))
            )
        }),
        "definition" => {
            let targets = analysis.definition(at).into_iter();
            marked(text, &targets.map(|it| (it.name_range, String::new())).collect::<Vec<_>>())
        }
        "references" => {
            let found = analysis.references(at, true).into_iter();
            marked(text, &found.map(|it| (it.range, format!("{:?}", it.kind))).collect::<Vec<_>>())
        }
        "rename" => match analysis.rename(at, argument) {
            Ok(edits) => changed(text, &edits),
            Err(why) => format!("refused: {why}\n"),
        },
        "completion" => {
            let mut answer = String::new();
            for it in analysis.completion(at) {
                let detail = it.detail.map(|detail| format!("   ({detail})")).unwrap_or_default();
                let insert =
                    if it.insert == it.label { String::new() } else { format!("   {:?}", it.insert) };
                let _ = writeln!(answer, "{} {:?} {}{detail}{insert}", it.rank, it.kind, it.label);
            }
            answer
        }
        "signature" => analysis.signature(at).map_or("nothing\n".to_owned(), |it| {
            let active = it.parameters.get(it.active).map(|range| &it.label[range.clone()]);
            let about = it.documentation.map(|about| format!("{about}\n")).unwrap_or_default();
            format!("{}\nnow: {}\n{about}", it.label, active.unwrap_or("past the last"))
        }),
        "symbols" => {
            let mut answer = String::new();
            outline(&analysis.symbols(), 0, &mut answer);
            answer
        }
        "folds" => {
            let line = |at: usize| text[..at].matches('\n').count() + 1;
            let folds = analysis.folds().into_iter();
            folds
                .map(|it| format!("{}-{} {:?}\n", line(it.range.start), line(it.range.end), it.kind))
                .collect()
        }
        "selection" => {
            let ranges = analysis.selection(at).into_iter();
            ranges
                .map(|range| format!("{}\n", text[range].split_whitespace().collect::<Vec<_>>().join(" ")))
                .collect()
        }
        "hints" => {
            let hints = analysis.inlay_hints(whole).into_iter();
            marked(text, &hints.map(|it| (it.at - 1..it.at, it.label)).collect::<Vec<_>>())
        }
        "colours" => {
            let mut marks = Vec::new();
            for it in analysis.tokens(None) {
                let mut label = format!("{:?}", it.kind);
                for (is, word) in [
                    (it.modifiers.declaration, "declaration"),
                    (it.modifiers.modification, "modification"),
                    (it.modifiers.may_refuse, "may refuse"),
                ] {
                    if is {
                        let _ = write!(label, ", {word}");
                    }
                }
                marks.push((it.range, label));
            }
            marked(text, &marks)
        }
        "format" => analysis.format().expect("it can be laid out").map_or("nothing\n".to_owned(), |edits| {
            format!("{} edits\n{}", edits.len(), applied(text, &edits))
        }),
        "format_range" => analysis
            .format_range(at..at)
            .expect("it can be laid out")
            .map_or("nothing\n".to_owned(), |edits| {
                format!("{} edits\n{}", edits.len(), applied(text, &edits))
            }),
        "lenses" => {
            let lenses = analysis.lenses().into_iter();
            let label = |scene: Option<String>, property: Option<String>| match (scene, property) {
                (Some(scene), _) => format!("scene {scene}"),
                (None, property) => format!("property {}", property.unwrap_or_default()),
            };
            marked(text, &lenses.map(|it| (it.range, label(it.scene, it.property))).collect::<Vec<_>>())
        }
        "problems" => {
            let mut marks = Vec::new();
            for it in analysis.diagnostics() {
                marks.push((it.range, format!("{} {} ({})", it.code.as_str(), it.message, it.label)));
                marks.extend(it.related.into_iter().map(|(range, label)| (range, format!("  {label}"))));
            }
            marked(text, &marks)
        }
        "actions" => {
            let mut answer = String::new();
            for it in analysis.actions(if at == 0 { whole } else { at..at }) {
                let preferred = if it.preferred { " (preferred)" } else { "" };
                let _ = writeln!(answer, "{}{preferred}:\n{}", it.title, changed(text, &it.edits).trim_end());
            }
            answer
        }
        _ => panic!("there is no question `{question}`"),
    }
}

/// The lines with marked ranges, each range underlined with its label.
fn marked(text: &str, marks: &[(Range<usize>, String)]) -> String {
    if marks.is_empty() {
        return "nothing\n".to_owned();
    }
    let mut shown = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = start..start + line.len();
        let mut on_line = marks
            .iter()
            .filter(|(range, _)| {
                here.contains(&range.start) || range.start == here.end && here.end == text.len()
            })
            .peekable();
        if on_line.peek().is_some() {
            let _ = writeln!(shown, "    {}", line.trim_end_matches('\n'));
        }
        for (range, label) in on_line {
            let before = text[start..range.start].chars().count();
            let until = range.end.min(start + line.trim_end_matches('\n').len());
            let length = text[range.start..until.max(range.start)].chars().count().max(1);
            let _ = writeln!(shown, "{}{} {label}", " ".repeat(before + 4), "^".repeat(length));
        }
        start = here.end;
    }
    let lines = shown.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// The first lines of a text.
fn on_lines(text: &str, most: usize) -> String {
    text.lines().take(most).map(|line| format!("{}\n", line.trim_end())).collect()
}

fn outline(symbols: &[map_ide::Symbol], depth: usize, answer: &mut String) {
    for it in symbols {
        let detail = if it.detail.is_empty() { String::new() } else { format!(" {}", it.detail) };
        let _ = writeln!(answer, "{}{:?} {}{detail}", "  ".repeat(depth), it.kind, it.name);
        outline(&it.children, depth + 1, answer);
    }
}

/// The lines that differ after the changes.
fn changed(text: &str, edits: &[Edit]) -> String {
    let after = applied(text, edits);
    let old: Vec<&str> = text.lines().collect();
    let new = after.lines().filter(|line| !old.contains(line));
    new.map(|line| format!("{line}\n")).collect()
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut changed = String::new();
    let mut at = 0;
    for edit in edits {
        changed.push_str(&text[at..edit.range.start]);
        changed.push_str(&edit.text);
        at = edit.range.end;
    }
    changed + &text[at..]
}
