//! Every name of the protocols of the library can be renamed: what is found in the text stays the same, and the old
//! name gives the old text.

use std::collections::BTreeSet;

use map_ide::{Analysis, Edit, TokenKind};

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

/// What `map check` finds: codes and lines.
fn found(analysis: &Analysis) -> Vec<(&'static str, usize)> {
    let line = |at: usize| analysis.text()[..at].matches('\n').count();
    analysis.diagnostics().iter().map(|it| (it.code.as_str(), line(it.range.start))).collect()
}

#[test]
fn every_name_of_the_library_can_be_renamed_and_renamed_back() {
    let mut renamed = 0;
    let mut refused = Vec::new();
    for protocol in map_library::PROTOCOLS {
        let text = protocol.right.text;
        let analysis = Analysis::new(text);
        let before = found(&analysis);
        // One place for each name: places with the same occurrences are about the same thing.
        let mut seen = BTreeSet::new();
        for token in analysis.tokens(None) {
            let kinds = [TokenKind::Keyword, TokenKind::Comment, TokenKind::Operator, TokenKind::Wildcard];
            let occurrences = analysis.references(token.range.start, true);
            let first = occurrences.first().map(|it| (it.range.start, token.kind));
            if kinds.contains(&token.kind) || occurrences.is_empty() || !seen.insert(first) {
                continue;
            }
            let at = token.range.start;
            let word = &text[token.range.clone()];
            let edits = match analysis.rename(at, "renamedWord") {
                Ok(edits) => edits,
                Err(why) => {
                    refused.push(format!("{}: {word}: {why}", protocol.name));
                    continue;
                }
            };
            assert!(!edits.is_empty(), "{}: {word}", protocol.name);
            let changed = applied(text, &edits);
            let after = Analysis::new(changed.as_str());
            assert_eq!(found(&after), before, "{}: {word} renamed in\n{changed}", protocol.name);
            // The place may have moved: edits before it are longer or shorter.
            let moved = edits.iter().filter(|edit| edit.range.start < at);
            let moved: isize = moved.map(|edit| edit.text.len() as isize - edit.range.len() as isize).sum();
            let place = at.checked_add_signed(moved).expect("the place is in the text");
            let old = &text[analysis.rename_range(at).expect("it was renamed")];
            let back =
                after.rename(place, old).unwrap_or_else(|why| panic!("{}: {word}: {why}", protocol.name));
            assert_eq!(applied(&changed, &back), text, "{}: {word} renamed back", protocol.name);
            renamed += 1;
        }
    }
    assert!(renamed > 500, "{renamed} names were renamed");
    // Only agents that are called after their role are refused.
    for why in &refused {
        assert!(why.contains("is called after its role"), "{why}");
    }
}
