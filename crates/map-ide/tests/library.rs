//! The texts of the library: formatting by small changes gives what the formatter gives.

use map_diagnostics::SourceFile;
use map_ide::{Analysis, Edit};

fn texts() -> impl Iterator<Item = &'static str> {
    map_library::PROTOCOLS.iter().flat_map(|protocol| protocol.versions()).map(|version| version.text)
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut changed = String::new();
    let mut at = 0;
    for edit in edits {
        assert!(at <= edit.range.start, "edits are in order and do not overlap");
        changed.push_str(&text[at..edit.range.start]);
        changed.push_str(&edit.text);
        at = edit.range.end;
    }
    changed + &text[at..]
}

fn formatted(text: &str) -> String {
    map_syntax::format(&SourceFile::new("", text)).expect("the text follows the grammar")
}

#[test]
fn small_changes_give_what_the_formatter_gives() {
    for text in texts() {
        let edits =
            Analysis::new(text).format().expect("it can be laid out").expect("the text follows the grammar");
        assert_eq!(edits.is_empty(), text == formatted(text), "no change is no change");
        // The same words without indentation, with spaces around parentheses, and with further parentheses.
        for other in [
            text.lines().map(|line| format!("{}\n", line.trim_start())).collect::<String>(),
            text.replace('(', "( ").replace(" then ", " then\n"),
            text.replace(" = skip\n", " = ((skip))\n")
                .replace("timeout (", "timeout ((")
                .replace("(skip)\n", "(skip))\n"),
        ] {
            let analysis = Analysis::new(other.as_str());
            let Some(edits) = analysis.format().expect("it can be laid out") else { continue };
            assert_eq!(applied(&other, &edits), formatted(&other));
        }
    }
}

#[test]
fn a_formatted_range_leaves_the_rest_and_the_meaning_alone() {
    for text in texts() {
        let other: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        let other = other.replace("waitfor (", "waitfor").replace(" timeout (skip)\n", " timeout skip\n");
        let analysis = Analysis::new(other.as_str());
        let Some(all) = analysis.format().expect("it can be laid out") else { continue };
        for at in (0..other.len()).step_by(other.len() / 7 + 1).filter(|&at| other.is_char_boundary(at)) {
            let edits = analysis
                .format_range(at..at)
                .expect("it can be laid out")
                .expect("the text follows the grammar");
            assert!(edits.iter().all(|edit| all.contains(edit)), "some of the changes to the whole");
            assert_eq!(formatted(&applied(&other, &edits)), formatted(&other));
        }
    }
}
