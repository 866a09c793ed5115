//! The trace to a violation: of the shortest ones the first in the order of steps.

use map_graph::BitSet;
use map_ir::AgentId;
use map_semantics::{Step, Turn};

use super::Explorer;
use super::found::violation_at;
use super::reach::{for_each_lead, leads};
use crate::budget::{Limit, Limits, Progress, with_budget};
use crate::report::{InternalError, Trace, ViolationKind};
use crate::state::Next;
use crate::system::Buffers;
use crate::termination::along::Path;
use crate::termination::site::Site;
use crate::together::shard::owner_of;
use crate::together::told::{put_limit, read_limit};
use crate::together::wire::{Reader, put, put_bytes, put_words};
use crate::together::{ClusterLost, Initial, Link};
use crate::witness::replay::NoTrace;

/// The path to a violation in a level.
pub(super) fn path_to(
    explorer: &Explorer<'_>,
    link: &mut Link<'_>,
    initial: &[Initial],
    (kind, site, livelocks): (ViolationKind, &Site, &BitSet),
    depth: usize,
) -> Result<Path, ClusterLost> {
    let shard = &explorer.shard;
    let mut on_path = BitSet::new(shard.len());
    let violates = |&state: &usize| match kind {
        ViolationKind::Livelock => livelocks.contains(state) && shard.is_clean(state) == site.clean,
        _ => violation_at(explorer, kind, state, depth).is_some_and(|found| found.clean == site.clean),
    };
    shard.level(depth).filter(violates).for_each(|state| on_path.insert(state));
    for level in (0..depth).rev() {
        let leads = leads(explorer, link, level, &on_path)?;
        for_each_lead(explorer, level, &leads, |state, transitions| {
            let is_allowed = !site.clean || shard.is_clean(state);
            if is_allowed && transitions.iter().any(|(it, leads)| *leads && !(site.clean && it.compared)) {
                on_path.insert(state);
            }
        });
    }
    let (own, count) = (link.own(), link.count());
    let has = |words: &[u32]| {
        let is_own = owner_of(words, count) == own;
        is_own.then(|| shard.find(&explorer.system.space, words)).flatten()
    };
    // Earlier states of the path may be led to again.
    let is_on_path = |words: &[u32], level: usize| {
        let is_there = |state: usize| shard.level(level).contains(&state) && on_path.contains(state);
        has(words).is_some_and(|state| is_there(state as usize))
    };
    let first = first_of(link, initial.iter().map(|it| it.words.as_slice()), |it| is_on_path(it, 0))?;
    let mut states = vec![initial[first].words.clone()];
    while states.len() <= depth {
        let last = &states[states.len() - 1];
        let mut out = Vec::new();
        if has(last).is_some() {
            explorer.system.expand(&mut Buffers::default(), last, &mut |successor| {
                if let Next::State(next) = successor.result
                    && !successor.passed
                    && !(site.clean && successor.compared)
                {
                    put_words(&mut out, next);
                }
            });
        }
        let told = link.tell(&out)?.concat();
        let (mut from, mut targets) = (Reader(&told), Vec::new());
        while !from.is_empty() {
            targets.push(from.words());
        }
        let next = first_of(link, targets.iter().map(Vec::as_slice), |it| is_on_path(it, states.len()))?;
        states.push(targets.swap_remove(next));
    }
    let last = has(&states[depth]).and_then(|state| violation_at(explorer, kind, state as usize, depth));
    let mut out = Vec::new();
    if let Some(step) = last.and_then(|site| site.step) {
        put_step(&mut out, &step);
    }
    let told = link.tell(&out)?.concat();
    let last = (!told.is_empty()).then(|| read_step(&mut Reader(&told)));
    Ok(Path { initial: initial[first].options.clone(), states, last })
}

/// The first vector for which `holds` in the process that owns it.
fn first_of<'w>(
    link: &mut Link<'_>,
    vectors: impl Iterator<Item = &'w [u32]>,
    holds: impl Fn(&[u32]) -> bool,
) -> Result<usize, ClusterLost> {
    let first = vectors.enumerate().find(|(_, words)| holds(words)).map(|(place, _)| place);
    let mut out = Vec::new();
    put(&mut out, first.map_or(0, |place| place as u64 + 1));
    let told = link.tell(&out)?;
    let places = told.iter().filter_map(|told| Reader(told).number().checked_sub(1));
    Ok(places.min().expect("some path leads on") as usize)
}

/// Makes the trace along a path in the first process, which tells it to the others.
pub(super) fn trace_along(
    explorer: &mut Explorer<'_>,
    link: &mut Link<'_>,
    path: Path,
    (kind, site): (ViolationKind, &Site),
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<Result<Trace, NoTrace>, ClusterLost> {
    let mut out = Vec::new();
    if link.own() == 0 {
        let statistics = explorer.statistics;
        let made = with_budget(&statistics, limits, progress, |budget| {
            path.trace(&mut explorer.system, kind, site, budget)
        });
        write_trace(&mut out, &made);
    }
    let told = link.tell(&out)?.swap_remove(0);
    Ok(read_trace(&told))
}

fn write_trace(out: &mut Vec<u8>, made: &Result<Trace, NoTrace>) {
    match made {
        Ok(trace) => {
            put(out, 0);
            put_words(out, &trace.initial);
            trace.steps.iter().for_each(|step| put_step(out, step));
        }
        Err(NoTrace::Limit(limit)) => {
            put(out, 1);
            put_limit(out, Some(*limit));
        }
        Err(NoTrace::Unlifted) => put(out, 2),
        Err(NoTrace::Broken(error)) => {
            put(out, 3);
            put_bytes(out, error.0.as_bytes());
        }
    }
}

fn read_trace(told: &[u8]) -> Result<Trace, NoTrace> {
    let mut from = Reader(told);
    match from.number() {
        0 => {
            let (initial, mut steps) = (from.words(), Vec::new());
            while !from.is_empty() {
                steps.push(read_step(&mut from));
            }
            Ok(Trace { initial, steps })
        }
        1 => Err(NoTrace::Limit(read_limit(&mut from).unwrap_or(Limit::Interrupted))),
        2 => Err(NoTrace::Unlifted),
        _ => Err(NoTrace::Broken(InternalError(String::from_utf8_lossy(from.bytes()).into_owned()))),
    }
}

const TURNS: [Turn; 4] = [Turn::Act, Turn::Timeout, Turn::Crash, Turn::Arrive];

fn put_step(out: &mut Vec<u8>, step: &Step) {
    let turn = TURNS.iter().position(|it| *it == step.turn).unwrap_or(0);
    [step.agent.index(), step.thread, turn].iter().for_each(|&number| put(out, number as u64));
    put_words(out, &step.options);
}

fn read_step(from: &mut Reader<'_>) -> Step {
    let agent = AgentId::new(from.number() as usize);
    let thread = from.number() as usize;
    let turn = TURNS[(from.number() as usize).min(TURNS.len() - 1)];
    Step { agent, thread, turn, options: from.words() }
}
