//! The replies depend neither on the number of threads nor on the memory that other questions use.

use std::num::NonZeroUsize;

use map_graph::BitSet;

use super::super::graphs::{Graphs, Sources};
use super::super::question::{Hindrance, Question, Reply, Subject};
use super::{Caller, answer_all};
use crate::budget::{Limit, Limits, Snapshot};
use crate::property::form::{Form, Literal};
use crate::property::graph::{Flags, LabelledGraph, NOBODY, Transition};
use crate::property::verdict::Fairness;
use crate::tuning::Tuning;

/// More than are processed between two calls of the caller.
const STATES: u32 = 70_000;

/// One state after the other; the proposition holds on the way to the last, where the run stays.
fn chain() -> LabelledGraph {
    let mut graph = LabelledGraph::default();
    let (no, yes) = (graph.intern(BitSet::new(1)), graph.intern(BitSet::full(1)));
    graph.push_initial(no);
    for state in 0..STATES - 1 {
        let letter = if state + 2 == STATES { yes } else { no };
        graph.push(Transition { mover: 0, target: state + 1, letter }, Flags::default());
        graph.close_state(&BitSet::full(1), false);
    }
    graph.push(Transition { mover: NOBODY, target: STATES - 1, letter: yes }, Flags::default());
    graph.close_state(&BitSet::new(1), false);
    graph.finish(1);
    graph
}

fn literal(positive: bool) -> Literal {
    Literal { proposition: 0, positive }
}

/// One by each kind of search: for one moment, for two, backwards, and by an automaton.
fn questions() -> Vec<Question> {
    let holds = |positive| Box::new(Form::Literal(literal(positive)));
    let again = Form::Eventually(holds(true));
    vec![
        Question::Violating(Form::Eventually(holds(true))),
        Question::InOrder(vec![literal(true)]),
        Question::InOrder(vec![literal(false), literal(true)]),
        Question::Violating(Form::LeadsTo(holds(false), holds(true))),
        Question::Violating(Form::Always(Box::new(again))),
    ]
}

/// The replies to all questions, where the caller's callback returns this limit.
fn answers(graph: &LabelledGraph, threads: usize, memory: usize, limit: Option<Limit>) -> Vec<String> {
    let mut ask = |_: &Snapshot| limit;
    answers_to(graph, threads, memory, &mut Caller::new(&mut ask, Snapshot::default(), None))
}

fn answers_to(graph: &LabelledGraph, threads: usize, memory: usize, caller: &mut Caller<'_>) -> Vec<String> {
    let subject = Subject {
        graphs: Graphs::new(graph),
        movers: 1,
        fairness: Fairness::Fair,
        is_symmetric: false,
        ceilings: &[],
    };
    let threads = NonZeroUsize::new(threads).expect("some threads");
    let limits = Limits { states: usize::MAX, memory, threads, tuning: Tuning::TINY };
    let replies = answer_all(&questions(), &subject, &limits, caller);
    let in_words = |reply: &Reply| match reply {
        Reply::Run(run) => format!("{} steps", run.path.len()),
        Reply::NoRun => "no run".to_owned(),
        Reply::Unanswered(Hindrance::Limit(limit)) => format!("{limit:?}"),
        Reply::Unanswered(Hindrance::Hurry) => "hurry".to_owned(),
        Reply::Unanswered(_) => "something else".to_owned(),
    };
    replies.iter().map(in_words).collect()
}

#[test]
fn what_needs_more_than_a_share_of_the_memory_may_have_all() {
    let graph = chain();
    let all = ["no run", "69999 steps", "69999 steps", "no run", "no run"];
    let mut seen = Vec::new();
    for memory in [1, 2, 3, 4, 6, 8, 16, 64].map(|times| times * Sources::bytes(&graph) / 2) {
        let one = answers(&graph, 1, memory, None);
        for threads in [2, 3, 8] {
            assert_eq!(answers(&graph, threads, memory, None), one, "{threads} threads, {memory} bytes");
        }
        seen.push(one);
    }
    assert!(seen[0].iter().all(|it| it == "Memory"), "{:?}", seen[0]);
    assert_eq!(seen[seen.len() - 1], all);
    seen.dedup();
    assert!(seen.len() > 3, "some need more than others: {seen:?}");
}

#[test]
fn when_time_is_over_only_what_is_quick_is_answered() {
    let found = answers(&chain(), 1, usize::MAX, Some(Limit::Time));
    assert_eq!(found, ["Time", "69999 steps", "hurry", "hurry", "hurry"]);
}

#[test]
fn threads_that_hear_of_the_limit_late_give_the_reply_without_a_limit() {
    let unlimited = answers(&chain(), 1, usize::MAX, None);
    for threads in [2, 8] {
        for (found, unlimited) in
            answers(&chain(), threads, usize::MAX, Some(Limit::Time)).iter().zip(&unlimited)
        {
            assert!(["Time", "hurry", unlimited].contains(&found.as_str()), "{found}");
        }
    }
}

#[test]
fn a_limit_reached_before_is_known_to_all_threads() {
    let graph = chain();
    for threads in [1, 2, 8] {
        let mut ask = |_: &Snapshot| unreachable!("it has returned a limit");
        let mut caller = Caller::new(&mut ask, Snapshot::default(), Some(Limit::Time));
        let found = answers_to(&graph, threads, usize::MAX, &mut caller);
        assert_eq!(found, ["hurry", "69999 steps", "hurry", "hurry", "hurry"], "{threads} threads");
    }
}
