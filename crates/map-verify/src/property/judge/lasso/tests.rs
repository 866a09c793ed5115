//! Random graphs and formulas: the product with an automaton against the reference definition in `map-testkit`, and
//! every lasso against its claim.

use map_graph::BitSet;
use map_ltl::{
    Automaton, Effort, FormulaId, Formulas, Operator, Polarity, Shape, Word, random_formula, translate,
};
use map_semantics::Letter;
use map_testkit::scenes::Random;
use map_testkit::temporal::{self, Formula};

use map_ir::Temporal;

use super::super::drawn::drawn_lasso;
use super::super::product::{Move, Product};
use super::super::temporal::run_violates;
use super::{Lasso, accepting_lasso};
use crate::budget::{Budget, Limit, Stop};
use crate::property::graph::{Flags, LabelledGraph, LetterId, NOBODY, Transition};
use crate::property::verdict::Fairness;
use crate::tuning::Tuning;

const PROPOSITIONS: usize = 3;
const AGENTS: usize = 3;

/// A graph for both sides.
struct Case {
    seed: u64,
    plain: temporal::Graph,
    graph: LabelledGraph,
}

fn letter_of(bits: usize) -> temporal::Letter {
    (0..PROPOSITIONS).filter(|bit| bits >> bit & 1 == 1).collect()
}

fn set_of(letter: &temporal::Letter) -> BitSet {
    BitSet::of_truths((0..PROPOSITIONS).map(|index| letter.contains(&index)))
}

/// A set over the single number 0.
fn single(is_member: bool) -> BitSet {
    BitSet::of_truths([is_member].into_iter())
}

fn case(seed: u64, random: &mut Random) -> Case {
    let states = 1 + random.below(6);
    // Few distinct letters make formulas hold now and then.
    let variety = 1 << random.below(PROPOSITIONS + 1);
    // Some agent may loop for ever while others could go on.
    let circles = random.percent(60);
    let mut plain =
        temporal::Graph { first: letter_of(random.below(variety)), states: Vec::new(), agents: AGENTS };
    for state in 0..states {
        let mut here = temporal::State::default();
        if circles {
            let letter = letter_of(random.below(variety));
            let poll = random.percent(15);
            here.moves.push(temporal::Move {
                agent: Some(0),
                target: state,
                letter,
                poll,
                fault: false,
                open: false,
            });
        }
        for _ in 0..random.below(4) {
            let letter = letter_of(random.below(variety));
            let made = temporal::Move {
                agent: Some(random.below(AGENTS)),
                target: random.below(states),
                letter,
                poll: random.percent(15),
                fault: random.percent(10),
                open: false,
            };
            // The same once as a poll and once not is no poll.
            let same = |it: &temporal::Move| {
                (it.agent, it.target, &it.letter) == (made.agent, made.target, &made.letter)
            };
            if !here.moves.iter().any(same) {
                here.moves.push(made);
            }
        }
        let may_stay = random.percent(25);
        if may_stay || here.moves.iter().all(|made| made.fault) {
            here.moves.push(temporal::Move {
                agent: None,
                target: state,
                letter: letter_of(random.below(variety)),
                poll: false,
                fault: false,
                open: false,
            });
        }
        // Who is enabled can make a step; whose steps are all polls is not. A run stays where nobody is enabled.
        let steps = here.moves.iter().filter(|made| !made.poll).filter_map(|made| made.agent);
        let enabled = steps.filter(|_| random.percent(if circles { 95 } else { 50 })).collect();
        if here.moves.iter().all(|made| made.agent.is_some()) {
            here.enabled = enabled;
        }
        plain.states.push(here);
    }
    let mut graph = LabelledGraph::default();
    let first = graph.intern(set_of(&plain.first));
    graph.push_initial(first);
    for state in &plain.states {
        for made in &state.moves {
            let letter = graph.intern(set_of(&made.letter));
            let agent = made.agent.map_or(NOBODY, |agent| agent as u32);
            let flags = Flags { poll: made.poll, unlucky: made.fault, open: made.open };
            graph.push(Transition { mover: agent, target: made.target as u32, letter }, flags);
        }
        let enabled = BitSet::of_truths((0..AGENTS).map(|agent| state.enabled.contains(&agent)));
        graph.close_state(&enabled, false);
    }
    graph.finish(AGENTS);
    Case { seed, plain, graph }
}

/// An accepting run that is fair to the agents `0..fair_to`, found within a memory limit.
fn accepted(
    graph: &LabelledGraph,
    automaton: &Automaton,
    fair_to: usize,
    memory: usize,
) -> Result<Option<Lasso>, Limit> {
    accepting_lasso(
        graph,
        automaton,
        fair_to,
        &mut Budget { memory, threads: 1, tuning: Tuning::TINY, tick: &mut || None, stop: Stop::default() },
    )
}

/// An accepting run that may be drawn by lot.
fn drawn(graph: &LabelledGraph, automaton: &Automaton) -> Option<Lasso> {
    let (tuning, stop) = (Tuning::TINY, Stop::default());
    let mut budget = Budget { memory: usize::MAX, threads: 1, tuning, tick: &mut || None, stop };
    let product = Product::new(graph, automaton, 0, &budget).expect("it fits");
    drawn_lasso(&product, graph, false, &mut budget).expect("no limits")
}

/// The formula in the form of the reference definition.
fn plain(formulas: &Formulas, id: FormulaId) -> Formula {
    let part = |id: FormulaId| plain(formulas, id);
    match formulas.operator(id) {
        Operator::Truth => Formula::True,
        Operator::Falsity => Formula::True.negated(),
        Operator::Atom(atom) => Formula::Atom(atom as usize),
        Operator::Not(f) => part(f).negated(),
        Operator::And(f, g) => part(f).and(part(g)),
        Operator::Or(f, g) => part(f).or(part(g)),
        Operator::Implies(f, g) => part(f).negated().or(part(g)),
        Operator::Next(f) => part(f).next(),
        Operator::Until(f, g) => part(f).until(part(g)),
        Operator::Release(f, g) => part(f).negated().until(part(g).negated()).negated(),
        Operator::Always(f) => part(f).always(),
        Operator::Eventually(f) => part(f).eventually(),
    }
}

impl Case {
    /// Panics unless the moves are a path of the graph from a state. Returns its end.
    fn follow(&self, from: u32, moves: &[Move]) -> u32 {
        moves.iter().fold(from, |at, made| {
            assert_eq!(made.source, at, "seed {}", self.seed);
            assert!(
                self.graph.packed(at).iter().any(|&it| self.graph.unpack(it) == made.transition),
                "seed {}",
                self.seed
            );
            made.transition.target
        })
    }

    /// Panics unless the lasso is a run of the graph that is as fair as required. Returns its word.
    fn word(&self, lasso: &Lasso, fairness: Fairness) -> Word<LetterId> {
        let start = self.follow(0, &lasso.prefix);
        assert_eq!(self.follow(start, &lasso.cycle), start, "seed {}", self.seed);
        if fairness == Fairness::Weak && !lasso.cycle.is_empty() {
            for agent in 0..AGENTS {
                let turn = |made: &Move| {
                    let mut moves = self.graph.moves(made.source);
                    let polls =
                        moves.any(|(it, flags)| self.graph.unpack(it) == made.transition && flags.poll);
                    made.transition.mover == agent as u32 && !polls
                };
                let fair = |made: &Move| turn(made) || !self.graph.is_enabled(made.source, agent);
                assert!(lasso.cycle.iter().any(fair), "seed {}: not fair to {agent}", self.seed);
            }
        }
        let mut moves = lasso.prefix.iter().chain(&lasso.cycle).chain(&lasso.cycle);
        moves.find(|made| made.transition.mover == NOBODY);
        assert!(
            moves.all(|made| made.transition.mover == NOBODY),
            "seed {}: goes on after staying",
            self.seed
        );
        let letters = |moves: &[Move]| moves.iter().map(|made| made.transition.letter).collect::<Vec<_>>();
        let prefix = [vec![self.graph.initial_letter(lasso.first)], letters(&lasso.prefix)].concat();
        Word { prefix, cycle: letters(&lasso.cycle) }
    }

    /// Panics unless a formula holds on a word; on a prefix, for all its continuations.
    fn assert_holds(&self, formulas: &Formulas, id: FormulaId, word: &Word<LetterId>) {
        let holds = |letter: &LetterId, atom: u32| self.graph.holds(*letter, atom as usize);
        let mut words = vec![word.clone()];
        if word.cycle.is_empty() {
            let letters = 0..self.graph.letter_count() as LetterId;
            words = letters.map(|letter| Word { prefix: word.prefix.clone(), cycle: vec![letter] }).collect();
        }
        for word in words {
            assert!(formulas.holds_on(id, &word, holds), "seed {}: not satisfied by {word:?}", self.seed);
        }
    }
}

#[test]
fn some_run_is_found_exactly_if_there_is_one() {
    let (mut judged, mut found, mut fairness_matters, mut lots_matter) = (0, 0, 0, 0);
    for seed in 1..=4_000 {
        let mut random = Random::new(seed, 1);
        let case = case(seed, &mut random);
        let mut formulas = Formulas::default();
        let shape = Shape { size: 1 + random.below(5), atoms: PROPOSITIONS as u32, next: true };
        let mut id = random_formula(&mut formulas, shape, &mut |bound| random.below(bound));
        if random.percent(50) {
            // What unfair runs do more often than fair ones.
            id = formulas.always(id);
            id = formulas.eventually(id);
        }
        let formula = plain(&formulas, id);
        let automaton =
            translate(&formulas, id, Polarity::Positive, Effort::default()).expect("a small formula");
        let found_with = [Fairness::Weak, Fairness::None].map(|fairness| {
            let lasso = accepted(
                &case.graph,
                &automaton,
                if fairness == Fairness::Weak { AGENTS } else { 0 },
                usize::MAX,
            );
            let lasso = lasso.expect("no limits");
            let expected = temporal::some_run_satisfies(&case.plain, &formula, fairness == Fairness::Weak);
            assert_eq!(
                lasso.is_some(),
                expected,
                "seed {seed}, {fairness:?}: {formula:?} on {:?}",
                case.plain
            );
            if let Some(lasso) = &lasso {
                let word = case.word(lasso, fairness);
                case.assert_holds(&formulas, id, &word);
            }
            judged += 1;
            found += usize::from(lasso.is_some());
            lasso.is_some()
        });
        fairness_matters += usize::from(found_with[0] != found_with[1]);
        let drawn = drawn(&case.graph, &automaton);
        let expected = temporal::drawn_run_satisfies(&case.plain, &formula, false);
        assert_eq!(drawn.is_some(), expected, "seed {seed}, drawn: {formula:?} on {:?}", case.plain);
        if let Some(lasso) = &drawn {
            let word = case.word(lasso, Fairness::Fair);
            case.assert_holds(&formulas, id, &word);
        }
        lots_matter += usize::from(drawn.is_some() != found_with[0]);
    }
    assert!(lots_matter > 40, "weak fairness and lots differ only {lots_matter} times");
    assert!(
        found * 4 > judged && found * 4 < judged * 3 && fairness_matters > 40,
        "not trivial: {judged} judged, {found} with a run, {fairness_matters} for want of fairness only"
    );
}

#[test]
fn a_run_that_stays_does_so_for_ever() {
    // Nothing but polls in the first state: asked in vain for ever, or a yes, which is the proposition.
    let mut graph = LabelledGraph::default();
    let (no, yes) = (graph.intern(single(false)), graph.intern(single(true)));
    graph.push_initial(no);
    graph.push(Transition { mover: NOBODY, target: 0, letter: no }, Flags::default());
    graph.push(Transition { mover: 0, target: 1, letter: yes }, Flags::default());
    graph.close_state(&single(false), false);
    graph.push(Transition { mover: NOBODY, target: 1, letter: no }, Flags::default());
    graph.close_state(&single(false), false);
    graph.finish(1);
    let run = |write: fn(&mut Formulas, FormulaId) -> FormulaId| {
        let mut formulas = Formulas::default();
        let atom = formulas.atom(0);
        let id = write(&mut formulas, atom);
        let automaton = translate(&formulas, id, Polarity::Positive, Effort::default()).expect("small");
        accepted(&graph, &automaton, 1, usize::MAX).expect("no limits")
    };
    let for_ever = run(Formulas::never).expect("polls may be refused for ever");
    assert_eq!((for_ever.prefix.len(), for_ever.cycle.len()), (1, 1));
    let at_once = run(Formulas::next).expect("the first answer may be yes");
    assert_eq!((at_once.prefix.len(), at_once.cycle.len()), (1, 0), "whatever comes behind it");
    let later = run(|formulas, yes| {
        let next = formulas.next(yes);
        formulas.next(next)
    });
    assert_eq!(later, None, "a refusal is no step, so the answer cannot be the second one");
}

#[test]
fn a_bad_beginning_is_found_though_the_rest_is_cut() {
    // One step, with the proposition, to a state where all else is cut.
    let mut graph = LabelledGraph::default();
    let (no, yes) = (graph.intern(single(false)), graph.intern(single(true)));
    graph.push_initial(no);
    graph.push(Transition { mover: 0, target: 1, letter: yes }, Flags::default());
    graph.close_state(&single(true), false);
    graph.close_state(&single(true), true);
    graph.finish(1);
    let run = |write: fn(&mut Formulas, FormulaId) -> FormulaId| {
        let mut formulas = Formulas::default();
        let atom = formulas.atom(0);
        let id = write(&mut formulas, atom);
        let automaton = translate(&formulas, id, Polarity::Negated, Effort::default()).expect("small");
        accepted(&graph, &automaton, 1, usize::MAX).expect("no limits")
    };
    let never_next = run(|formulas, yes| {
        let next = formulas.next(yes);
        formulas.never(next)
    });
    assert_eq!(never_next.map(|lasso| (lasso.prefix.len(), lasso.cycle.len())), Some((1, 0)));
    assert_eq!(run(Formulas::always).map(|lasso| lasso.prefix.len()), Some(0));
    let again = run(|formulas, yes| {
        let later = formulas.eventually(yes);
        formulas.always(later)
    });
    assert_eq!(again, None, "it may come again behind the cut");
}

#[test]
fn a_product_that_needs_too_much_is_refused() {
    let case = case(7, &mut Random::new(7, 1));
    let mut formulas = Formulas::default();
    let atom = formulas.atom(0);
    let id = formulas.eventually(atom);
    let automaton = translate(&formulas, id, Polarity::Negated, Effort::default()).expect("a small formula");
    let lasso = accepted(&case.graph, &automaton, AGENTS, 31);
    assert_eq!(lasso, Err(Limit::Memory));
}

/// `f until g`, or `f` for ever, is judged as the denial of another formula.
#[test]
fn until_or_for_ever() {
    let (f, g) = (0, 1);
    let holds = |proposition| Box::new(Temporal::Holds(proposition));
    let formula = Temporal::Or(vec![Temporal::Always(holds(f)), Temporal::Until(holds(f), holds(g))]);
    let mut violated = 0;
    for number in 0..4_u64.pow(4) {
        let letters: Vec<u64> = (0..4).map(|place| number >> (2 * place) & 3).collect();
        // Until `f` fails for the first time `g` has held.
        let fails = letters.iter().position(|letter| letter & 1 == 0);
        let expected = fails.is_none_or(|fails| letters[..=fails].iter().any(|letter| letter & 2 != 0));
        let truths =
            |letter: u64| Letter::from(BitSet::of_truths((0..2).map(|index| letter >> index & 1 == 1)));
        let words: Vec<Letter> = letters.into_iter().map(truths).collect();
        for start in 0..4 {
            let (prefix, cycle) = words.split_at(start);
            assert_eq!(!run_violates(&formula, prefix, cycle), expected, "{words:?} from {start}");
        }
        violated += u32::from(!expected);
    }
    assert_eq!(violated, 85, "half of them or so");
}
