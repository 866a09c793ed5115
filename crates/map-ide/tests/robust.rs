//! Texts that break off anywhere: every question is answered, whatever the offset.

use map_ide::Analysis;

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Asks everything at an offset, and checks what holds of every answer.
fn ask(analysis: &Analysis, at: usize) {
    let text = analysis.text();
    let at = text.floor_char_boundary(at);
    let whole = 0..text.len();
    let inside = |range: &std::ops::Range<usize>| {
        assert!(text.get(range.clone()).is_some(), "{range:?} in a text of {} bytes", text.len());
    };
    if let Some(hover) = analysis.hover(at) {
        inside(&hover.range);
        assert!(!hover.markdown.is_empty());
    }
    for target in analysis.definition(at) {
        inside(&target.name_range);
        inside(&target.full_range);
        assert!(
            target.full_range.start <= target.name_range.start
                && target.name_range.end <= target.full_range.end
        );
    }
    for occurrence in analysis.references(at, true) {
        inside(&occurrence.range);
    }
    if let Ok(range) = analysis.rename_range(at) {
        inside(&range);
        let _ = analysis.rename(at, "other_name");
    }
    for completion in analysis.completion(at) {
        inside(&completion.replace);
        assert!(completion.replace.start <= at && at <= completion.replace.end);
    }
    if let Some(signature) = analysis.signature(at) {
        for parameter in signature.parameters {
            assert!(signature.label.get(parameter).is_some());
        }
    }
    let selection = analysis.selection(at);
    assert_eq!(selection.last(), Some(&whole), "the widest selection is the whole text");
    for pair in selection.windows(2) {
        assert!(pair[1].start <= pair[0].start && pair[0].end <= pair[1].end, "{pair:?}");
    }
    for action in analysis.actions(at..at) {
        action.edits.iter().for_each(|edit| inside(&edit.range));
    }
}

/// Asks everything that is about the whole text.
fn ask_all(analysis: &Analysis) {
    let text = analysis.text();
    let whole = 0..text.len();
    for problem in analysis.diagnostics() {
        assert!(text.get(problem.range).is_some());
        assert!(problem.related.iter().all(|(range, _)| text.get(range.clone()).is_some()));
    }
    for fold in analysis.folds() {
        assert!(text[fold.range].contains('\n'));
    }
    let mut last = 0;
    for token in analysis.tokens(None) {
        assert!(last <= token.range.start, "tokens do not overlap");
        assert!(!text[token.range.clone()].contains('\n'));
        last = token.range.end;
    }
    for hint in analysis.inlay_hints(whole) {
        assert!(text.is_char_boundary(hint.at));
    }
    let _ = (analysis.symbols(), analysis.lenses(), analysis.format());
}

#[test]
fn texts_that_break_off_are_answered() {
    let mut numbers = Numbers(1);
    for protocol in map_library::PROTOCOLS {
        for version in protocol.versions() {
            let ends: Vec<usize> = words(version.text);
            for _ in 0..4 {
                let end = ends[numbers.below(ends.len())];
                let analysis = Analysis::new(&version.text[..end]);
                ask_all(&analysis);
                ask(&analysis, end);
                for _ in 0..12 {
                    ask(&analysis, numbers.below(end + 1));
                }
            }
        }
    }
}

#[test]
fn texts_with_a_word_left_out_are_answered() {
    let mut numbers = Numbers(2);
    for protocol in map_library::PROTOCOLS {
        let text = protocol.right.text;
        let ends = words(text);
        for _ in 0..4 {
            let index = numbers.below(ends.len() - 1);
            let without = format!("{}{}", &text[..ends[index]], &text[ends[index + 1]..]);
            let analysis = Analysis::new(without);
            ask_all(&analysis);
            ask(&analysis, ends[index]);
            for _ in 0..12 {
                ask(&analysis, numbers.below(text.len()));
            }
        }
    }
}

#[test]
fn odd_texts_are_answered() {
    for text in [
        "",
        "\u{feff}",
        "[",
        "a[",
        "]",
        "agent",
        "a[agent(",
        "a[agent(!A, %a) = ",
        "a[agent(!A, %a) = m(",
        "a[agent(!A, %a) = m($x) =>",
        "a[agent(!A, %a) = m($x) => agent(",
        "procedure",
        "procedure p",
        "procedure p(",
        "property",
        "property p",
        "property p : in",
        "property p : $x in",
        "memory",
        "memory %r {",
        "cast",
        "$",
        "a[ agent(!Ä, %ö) = \"ü\" ] /* é",
        "/",
        "// map: allow(",
        "\"",
        "in in in",
        "property in : in in in in",
        "a[agent]",
        "a[$x = ]",
        "= = =",
        "a[ = p() <= <= ]",
        "( ( (",
        ") ) )",
    ] {
        let analysis = Analysis::new(text);
        ask_all(&analysis);
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            ask(&analysis, at);
        }
        // Offsets that are none.
        let _ = (analysis.hover(text.len() + 9), analysis.completion(1), analysis.inlay_hints(9..usize::MAX));
        let (end, start) = (1, 3);
        let _ = (analysis.format_range(usize::MAX..usize::MAX), analysis.actions(start..end));
    }
}

/// The ends of the words of a text.
fn words(text: &str) -> Vec<usize> {
    map_syntax::sketch(text).tokens.iter().map(|token| token.span.end as usize).collect()
}

/// In a browser there is 1 MiB of stack. An overflow would end the whole process.
#[test]
fn the_deepest_texts_fit_a_small_stack() {
    let around =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(200), close.repeat(200));
    let in_body = |body: String| format!("s[ agent(!A, %r) = {body} ]");
    let in_property = |formula: String| format!("s[ agent(!A, %r) = skip ]\nproperty p : {formula}");
    let texts = [
        in_body(around("fail par fail or skip then (", "skip", ")")),
        in_body(around("waitfor ", "skip", " timeout fail")),
        in_body(format!("p({})", around("1 * 2 + (", "1", ") - 3"))),
        in_body(format!("p({})", around("if ", "1 < 2", " then 3 < 4 else 5 < 6"))),
        in_property(around("exists $x in %r : ", "ended", "")),
        in_property(around("(", "ended", ") until ended")),
        in_property(around("count(", "ended", ") == 1")),
    ];
    let work = move || {
        for text in texts {
            let analysis = Analysis::new(text);
            for at in [analysis.text().len() / 2, analysis.text().len()] {
                ask(&analysis, at);
            }
            analysis.format().expect("a text that can be laid out");
            let broken = analysis.text().replacen("skip", "skip skip", 1).replacen("ended", "ended ended", 1);
            ask(&Analysis::new(broken), 300);
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}
