//! Linear temporal logic: the translation, the direct evaluation and SPIN against each other, on random formulas and
//! random lassos.
//!
//! `MAP_FORMULAS=N` sets how many formulas, `MAP_SEED=S` where the seeds start. A failure prints the seed, the formula
//! and the word.

use std::sync::atomic::{AtomicUsize, Ordering};

use map_ltl::{Automaton, Effort, FormulaId, Formulas, Polarity, Shape, Word, random_formula, translate};
use map_testkit::scenes::Random;
use map_tests::lasso::{accepts, buchi_accepts, claim_accepts};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_tests::spin::{self, to_spin};

/// Words tried for each formula.
const WORDS: usize = 12;

fn word(random: &mut Random, atoms: u32) -> Word<u64> {
    let mut moments = |least: usize, most: usize| {
        let length = least + random.below(most - least + 1);
        (0..length).map(|_| random.below(1 << atoms) as u64).collect()
    };
    Word { prefix: moments(0, 4), cycle: moments(1, 4) }
}

/// A formula with the automata for it and for its negation.
struct Translated {
    formulas: Formulas,
    id: FormulaId,
    automaton: Automaton,
    negated: Automaton,
}

/// A random formula, translated; `None` if it is too large.
fn translated(random: &mut Random, shape: Shape) -> Option<Translated> {
    let mut formulas = Formulas::default();
    let id = random_formula(&mut formulas, shape, &mut |bound| random.below(bound));
    let automaton = translate(&formulas, id, Polarity::Positive, Effort::default()).ok()?;
    let negated = translate(&formulas, id, Polarity::Negated, Effort::default()).ok()?;
    Some(Translated { formulas, id, automaton, negated })
}

impl Translated {
    /// Panics unless both automata, the degeneralised one, and the direct evaluation agree on a word. Returns whether
    /// the formula holds.
    fn judged(&self, seed: u64, word: &Word<u64>) -> bool {
        let holds = self.formulas.holds_on(self.id, word, |moment, atom| moment >> atom & 1 == 1);
        let says = [
            accepts(&self.automaton, word),
            !accepts(&self.negated, word),
            buchi_accepts(&self.automaton.degeneralised(), word),
        ];
        assert!(
            says == [holds; 3],
            "seed {seed}: {} on {word:?}: evaluated {holds}; automaton, that of the negation, with one condition: \
             {says:?}",
            to_spin(&self.formulas, self.id)
        );
        holds
    }
}

#[test]
fn automata_accept_what_formulas_mean() {
    let (count, first) = (setting("MAP_FORMULAS").unwrap_or(8_000), setting("MAP_SEED").unwrap_or(1));
    println!("{count} formulas from seed {first}");
    let (satisfied, judged, too_large) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    for_each_seed(count, first, |seed| {
        let mut random = Random::new(seed, 1);
        let shape = Shape { size: 2 + random.below(14), atoms: 1 + random.below(4) as u32, next: true };
        let Some(translated) = translated(&mut random, shape) else {
            too_large.fetch_add(1, Ordering::Relaxed);
            return;
        };
        for _ in 0..WORDS {
            let holds = translated.judged(seed, &word(&mut random, shape.atoms));
            judged.fetch_add(1, Ordering::Relaxed);
            satisfied.fetch_add(usize::from(holds), Ordering::Relaxed);
        }
    });
    let (satisfied, judged) = (satisfied.into_inner(), judged.into_inner());
    println!(
        "{judged} judgements agree, {satisfied} of them that the formula holds; {too_large:?} formulas too large"
    );
    assert!(judged >= 10 * count as usize, "nearly all formulas are small enough to be translated");
    assert!(satisfied * 5 > judged && satisfied * 5 < judged * 4, "the formulas are not trivial");
}

/// Sums of the sizes of our automata and SPIN's.
#[derive(Default)]
struct Sizes {
    formulas: AtomicUsize,
    own: AtomicUsize,
    own_degeneralised: AtomicUsize,
    spin: AtomicUsize,
    words: AtomicUsize,
    slow: AtomicUsize,
}

#[test]
fn spin_agrees() {
    if !spin::is_installed() {
        println!("SKIPPED: no `spin` here (Debian package `spin`)");
        assert!(std::env::var_os("MAP_REQUIRE_SPIN").is_none(), "`spin` is not installed");
        return;
    }
    let (count, first) = (setting("MAP_FORMULAS").unwrap_or(1_500), setting("MAP_SEED").unwrap_or(1));
    println!("{count} formulas from seed {first}");
    let sizes = Sizes::default();
    for_each_seed(count, first, |seed| {
        let mut random = Random::new(seed, 2);
        let shape = Shape { size: 2 + random.below(6), atoms: 1 + random.below(3) as u32, next: false };
        let Some(translated) = translated(&mut random, shape) else { return };
        let text = to_spin(&translated.formulas, translated.id);
        let claim = spin::never_claim(&text).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error}"));
        let Some(claim) = claim else {
            sizes.slow.fetch_add(1, Ordering::Relaxed);
            return;
        };
        for _ in 0..WORDS {
            let word = word(&mut random, shape.atoms);
            let holds = translated.judged(seed, &word);
            assert_eq!(
                claim_accepts(&claim, &word),
                holds,
                "seed {seed}: spin (left) on {text} and {word:?}"
            );
        }
        let add = |counter: &AtomicUsize, count: usize| counter.fetch_add(count, Ordering::Relaxed);
        add(&sizes.formulas, 1);
        add(&sizes.words, WORDS);
        add(&sizes.own, translated.automaton.len());
        add(&sizes.own_degeneralised, translated.automaton.degeneralised().states.len());
        add(&sizes.spin, claim.states.len());
    });
    let Sizes { formulas, own, own_degeneralised, spin, words, slow } = sizes;
    let formulas = formulas.into_inner();
    println!(
        "{formulas} formulas agree on {words:?} words; states: {own:?}, with one condition {own_degeneralised:?}, spin {spin:?}; spin too slow: {slow:?}"
    );
    assert!(formulas * 20 >= count as usize * 19, "nearly all formulas are small enough to be translated");
}
