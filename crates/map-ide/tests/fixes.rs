//! The fixes of problems mend them: tried on the examples of the pages that explain the codes, and on slips that are
//! put into the protocols of the library.

use map_ide::{Analysis, Code, Edit, Fix, Problem};

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

/// The fenced texts of a page.
fn examples(page: &str) -> impl Iterator<Item = &str> {
    page.split("```map\n").skip(1).filter_map(|rest| rest.split("```").next())
}

/// Applies each fix of each problem by itself; the problem must not be there any more.
fn mend(text: &str, mended: &mut Vec<&'static str>) {
    let problems = Analysis::new(text).diagnostics();
    for problem in &problems {
        for Fix { title, edits } in &problem.fixes {
            let changed = applied(text, edits);
            assert_ne!(changed, text, "{title}");
            let after = Analysis::new(changed.as_str()).diagnostics();
            let same = |it: &&Problem| it.code == problem.code && it.message == problem.message;
            // The same may be said of another place: some mistakes are reported only where they are met first.
            let fewer = after.iter().filter(same).count() < problems.iter().filter(same).count();
            let elsewhere = after.iter().filter(same).all(|it| it.range.start != problem.range.start);
            assert!(
                fewer || elsewhere,
                "{title} does not mend `{}` in\n{text}\nwhich became\n{changed}",
                problem.message
            );
            mended.push(problem.code.as_str());
        }
    }
}

#[test]
fn the_fixes_of_the_examples_mend_them() {
    let mut mended = Vec::new();
    for code in Code::ALL {
        examples(code.explanation()).for_each(|text| mend(text, &mut mended));
    }
    mended.dedup();
    assert!(mended.len() >= 10, "{mended:?}");
}

#[test]
fn slips_in_names_are_mended() {
    let mut mended = Vec::new();
    for protocol in map_library::PROTOCOLS {
        let text = protocol.right.text;
        let analysis = Analysis::new(text);
        let tokens = analysis.tokens(None);
        for token in tokens.iter().step_by(tokens.len() / 12 + 1) {
            let word = &text[token.range.clone()];
            if word.len() < 6 || !word[2..].bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                continue;
            }
            // A letter is missing.
            let slip = Edit { range: token.range.start + 3..token.range.start + 4, text: String::new() };
            mend(&applied(text, &[slip]), &mut mended);
        }
    }
    for code in ["MAP104", "MAP105", "MAP204"] {
        assert!(mended.contains(&code), "{code}: {mended:?}");
    }
}
