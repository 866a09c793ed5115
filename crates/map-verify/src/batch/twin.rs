//! A state expanded without its vector against the same state with it: what is found must be the same, step by step.

use map_ir::{AgentId, PerformativeId};
use map_semantics::Step;
use map_store::Full;

use super::{Setting, step_of};
use crate::space::{Found, Halves, Made, Next, Successor, Tell};
use crate::store::{Folder, Key};
use crate::system::Buffers;

/// All that is told of a step.
#[derive(Debug, PartialEq)]
struct Told {
    agent: AgentId,
    step: Step,
    after: Option<u32>,
    compared: bool,
    unlucky: bool,
    dropped: Vec<(PerformativeId, AgentId)>,
    next: Next<Key>,
}

impl Told {
    fn new<S>(successor: &Successor<'_, S>, next: Next<Key>) -> Self {
        Self {
            agent: successor.agent,
            step: step_of(successor),
            after: successor.after.map(|after| after.id),
            compared: successor.compared,
            unlucky: successor.unlucky,
            // Nobody looks at what is dropped before something goes wrong.
            dropped: if let Next::State(_) = next { successor.dropped.to_vec() } else { Vec::new() },
            next,
        }
    }
}

/// Expands a state in both ways, of which nothing is missing in the tables. The first way is gone once more, so that
/// what it has remembered is used; what came of it the first time is told by the keys that it found.
///
/// # Panics
/// If they differ.
pub(super) fn compare(
    setting: &Setting<'_>,
    halves: &mut Halves,
    folder: &mut Folder,
    (state, first): (u32, &[Made]),
) {
    let Setting { system, store, .. } = *setting;
    let (mut again, mut without) = (Vec::new(), Vec::new());
    let each = &mut |found: Found<'_>| {
        without.push(found.tell(|successor| Told::new(&successor, successor.result)));
    };
    let Ok(judgement) =
        system.space.expand_halves(halves, (store, folder), (state, Tell::All), &mut again, each)
    else {
        panic!("state {state} was expanded before")
    };
    let tail = |place, id| system.space.tail_of(place, id);
    let mut words = Vec::new();
    store.load(folder, state, &mut words, tail);
    let (mut full, mut with) = (false, Vec::new());
    let judged = system.expand(&mut Buffers::default(), &words, &mut |successor| {
        let altered = successor.altered.clone();
        match successor.result.try_map(|next| store.key(folder, next, altered, tail)) {
            Ok(next) => with.push(Told::new(&successor, next)),
            Err(Full) => full = true,
        }
    });
    let told = |it: &Made| (it.key, it.agent, it.thread, it.kind, it.compared);
    assert!(first.iter().map(told).eq(again.iter().map(told)), "state {state}: other steps by tables");
    let keys = with.iter().filter_map(|told| if let Next::State(key) = told.next { Some(key) } else { None });
    assert!(full || first.iter().map(|it| it.key).eq(keys), "state {state}, {words:?}: other keys");
    assert!(full || (judged, &with) == (Some(judgement), &without), "{words:?}: {without:?}, {with:?}");
}
