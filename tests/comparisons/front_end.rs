//! Damaged texts through the whole front end: however a correct text is mutilated, the result is a diagnostic or a
//! program, never a panic.
//!
//! `MAP_MUTATIONS=N` sets how many mutations. Failing texts are written to `tests/regressions/`, where they stay as
//! tests.

use map_testkit::scenes::{Random, random_scene};
use map_testkit::texts::{Kind, Piece, pieces, words};
use map_tests::cases::texts;
use map_tests::front_end::run;
use map_tests::settings::{setting, some_of};
use map_tests::tally::Tally;

/// The texts that are tried with their prefixes and with every word left out: some that use the whole language or, with
/// `MAP_ALL_TEXTS` set, the whole library.
fn to_be_cut() -> Vec<(String, String)> {
    if std::env::var_os("MAP_ALL_TEXTS").is_some() {
        return texts("protocols");
    }
    texts("protocols/persuasion")
}

#[test]
fn regressions() {
    for (name, text) in texts("tests/regressions") {
        if let Err(error) = run(&text) {
            panic!("{name}: {error}");
        }
    }
}

#[test]
fn every_prefix() {
    let mut tally = Tally::new("map", run);
    for (name, text) in to_be_cut() {
        for end in cuts(&text) {
            tally.take(&format!("prefix-{end}-of-{name}"), &text[..end]);
        }
        tally.take(&format!("all-of-{name}"), &text);
    }
    tally.finish();
}

/// Of the other places at which a text can be cut, one in so many is tried.
const OTHERS: usize = 8;

/// Where a text is cut: behind each word, behind its first character, and at some other places. Cutting a comment in
/// its middle at one place or another makes no difference.
fn cuts(text: &str) -> Vec<usize> {
    let (mut cuts, mut others, mut before) = (vec![0], Vec::new(), 0);
    for Piece { kind, range } in pieces(text) {
        others.extend(before + 1..=range.start);
        match kind {
            Kind::Word => {
                cuts.extend([range.start + 1, range.end]);
                others.extend(range.start + 2..range.end);
            }
            Kind::Comment => cuts.extend(range.start + 1..=range.start + 3),
        }
        before = range.end;
    }
    cuts.extend(some_of(others, OTHERS));
    cuts.retain(|&at| at < text.len() && text.is_char_boundary(at));
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

#[test]
fn every_word_left_out() {
    let mut tally = Tally::new("map", run);
    for (name, text) in to_be_cut() {
        for word in words(&text) {
            let rest = format!("{}{}", &text[..word.start], &text[word.end..]);
            tally.take(&format!("without-{}-of-{name}", word.start), &rest);
        }
    }
    tally.finish();
}

#[test]
fn words_swapped_doubled_and_replaced() {
    let mut corpus: Vec<String> = Vec::new();
    for folder in ["protocols", "tests/cases", "tests/cases-fmt"] {
        corpus.extend(texts(folder).into_iter().map(|(_, text)| text));
    }
    let mut tally = Tally::new("map", run);
    let mutations = setting("MAP_MUTATIONS").unwrap_or(1_500);
    for seed in 0..mutations {
        let mut random = Random::new(seed, 7);
        // In small texts a mutation hits something that matters more often.
        let text = if random.percent(40) { random_scene(seed) } else { random.pick(&corpus).clone() };
        let donor = random.pick(&corpus).clone();
        tally.take(&format!("mutation-{seed}"), &mutate(&mut random, text, &donor));
    }
    println!("seeds 0 to {mutations}");
    tally.finish();
}

/// The text with one to three changes of a word each.
fn mutate(random: &mut Random, mut text: String, donor: &str) -> String {
    for _ in 0..random.between(1, 3) {
        let words = words(&text);
        let others = self::words(donor);
        if words.is_empty() || others.is_empty() {
            return text;
        }
        let one = random.below(words.len());
        let word = words[one].clone();
        // Replacing a word by another of its kind keeps the syntax correct, so that later phases are tested, too.
        let kind =
            |text: &str| text.chars().next().map(|first| if first.is_alphabetic() { 'a' } else { first });
        let alike: Vec<_> =
            others.iter().filter(|it| kind(&donor[(*it).clone()]) == kind(&text[word.clone()])).collect();
        let other = match alike.is_empty() || random.percent(30) {
            true => random.pick(&others),
            false => random.pick(&alike),
        };
        let other = &donor[other.clone()];
        match random.below(6) {
            0 => {
                // Nearby words often belong to the same operation, so that the text may stay correct.
                let reach = if random.percent(50) { 2 } else { words.len() };
                let two = (one + 1 + random.below(reach)).min(words.len() - 1);
                let far = words[two].clone();
                if one < two {
                    let (near_text, far_text) = (text[word.clone()].to_owned(), text[far.clone()].to_owned());
                    text.replace_range(far, &near_text);
                    text.replace_range(word, &far_text);
                }
            }
            1 => text.insert_str(word.end, &format!(" {}", &text[word.clone()])),
            2 => text.replace_range(word, ""),
            3 => text.insert_str(word.start, &format!("{other} ")),
            _ => text.replace_range(word, other),
        }
    }
    text
}
