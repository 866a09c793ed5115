//! Random formulas are formulas, and everything that a formula may look back with occurs in them.

use std::collections::BTreeMap;

use map_diagnostics::SourceFile;

use super::parsed;
use crate::oracle::{Vocabulary, vocabulary};
use crate::scenes::{random_formula, random_formula_about_all, random_formula_about_several, random_options};

/// Words with a text that only they bring along.
const LOOKS_BACK: [&str; 8] =
    ["unless", "precedes", "before", "count(_", "total(", " in 0..2 :", "and $v1", "implies $v1"];

#[test]
fn everything_occurs_but_most_formulas_are_as_before() {
    for random in [random_formula as fn(&Vocabulary, u64) -> String, random_formula_about_all] {
        let mut found: BTreeMap<&str, u32> = LOOKS_BACK.map(|word| (word, 0)).into();
        let (mut formulas, mut plain) = (0, 0);
        for seed in 0..400 {
            let words = vocabulary(&parsed(seed).1, &random_options(seed));
            if words.agents.is_empty() {
                continue;
            }
            for index in 0..10 {
                let text = random(&words, seed * 10 + index);
                let formula = map_syntax::parse_formula(&SourceFile::new("formula", text.as_str()));
                assert!(formula.is_ok(), "{text}: {formula:?}");
                let occurs = LOOKS_BACK.map(|word| text.contains(word));
                LOOKS_BACK
                    .iter()
                    .zip(occurs)
                    .for_each(|(word, occurs)| *found.get_mut(word).unwrap() += u32::from(occurs));
                formulas += 1;
                plain += u32::from(!occurs.contains(&true));
            }
        }
        assert!(formulas > 2_000, "{formulas}");
        assert!(found.values().all(|&times| times > 5), "{found:?}");
        assert!(plain * 3 > formulas * 2, "{plain} of {formulas}: {found:?}");
    }
}

#[test]
fn formulas_about_several_are_about_two_or_more_of_a_role() {
    let (mut pairs, mut counts) = (0, 0);
    for seed in 0..100 {
        let words = vocabulary(&parsed(seed).1, &random_options(seed));
        if words.agents.is_empty() {
            continue;
        }
        let text = random_formula_about_several(&words, seed);
        let formula = map_syntax::parse_formula(&SourceFile::new("formula", text.as_str()));
        assert!(formula.is_ok(), "{text}: {formula:?}");
        pairs += u32::from(text.contains("$x0 == $x1 or"));
        counts += u32::from(text.contains("count($x0 in"));
    }
    assert!(pairs > 20 && counts > 20, "{pairs} {counts}");
}
