//! Views per second of proofs for any number of agents, and how views grow with the scene: with what the members say,
//! and with the agents that they talk with.
//!
//! Timings are printed, never asserted: machines differ.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Instant;

use map_check::{CastOverride, CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::Bounds;
use map_syntax::parse;
use map_verify::{Limits, Tuning};
use map_views::{AnyVerdict, ProofOptions, prove};

use crate::measured::{AUCTION, NoClock, Size};

/// Dialogues of the library, each with the role of which there may be any number.
const LIBRARY: &[(&str, &str, &str)] = &[
    ("two-phase-commit", "voter", include_str!("../../../protocols/two-phase-commit/two-phase-commit.map")),
    ("handoff", "worker", include_str!("../../../protocols/agent-handoff/handoff.map")),
    ("contract-net", "participant", include_str!("../../../protocols/contract-net/contract-net.map")),
    ("iterated", "contractor", include_str!("../../../protocols/iterated-contract-net/iterated.map")),
    ("auction", "bidder", AUCTION),
];

/// How many messages each member says, and how many servers it asks.
const GROWTH: &[usize] = &[1, 2, 3, 4, 6, 8];

/// The most views.
const MOST: usize = 500_000;

pub(crate) fn run(size: Size) -> Result<(), String> {
    println!("\nproofs for any number of agents (all attempts together)");
    head("dialogue");
    for &(name, role, text) in if size == Size::Smoke { &LIBRARY[..1] } else { LIBRARY } {
        row(name, role, text)?;
    }
    let rows = if size == Size::Smoke { &GROWTH[..1] } else { GROWTH };
    println!("\nn questions of each client, one after the other, to one server");
    head("n");
    for &n in rows {
        row(&n.to_string(), "client", &questions(n))?;
    }
    println!("\none question of each client to each of n servers");
    head("n");
    for &n in rows {
        row(&n.to_string(), "client", &servers(n))?;
    }
    Ok(())
}

fn head(what: &str) {
    println!("{what:>16} {:>9} {:>9} {:>9} {:>9}   verdict", "attempts", "views", "seconds", "views/s");
}

fn row(name: &str, role: &str, text: &str) -> Result<(), String> {
    let scene = |count| with_members(text, role, count);
    if scene(2).is_none() {
        return Err(format!("{name} has errors with two of %{role}"));
    }
    let bounds = Bounds { mailbox: u32::MAX, ..Bounds::USUAL };
    let limits =
        Limits { states: MOST, memory: 16 << 30, threads: NonZeroUsize::MIN, tuning: Tuning::SHIPPED };
    // Views alone: no number of agents is verified as it is.
    let options = ProofOptions { from: 2, concrete: 0, evidence: 0, limits, views: MOST };
    let started = Instant::now();
    let answer =
        prove(&scene, role, &bounds, &options, &mut NoClock).map_err(|defect| format!("{name}: {defect}"))?;
    let seconds = started.elapsed().as_secs_f64();
    let views: usize = answer.attempts.iter().map(|it| it.views).sum();
    let verdict = match &answer.verdict {
        AnyVerdict::Proved(proved) => format!("{proved:?}"),
        other => format!("{other:?}"),
    };
    let attempts = answer.attempts.len();
    println!(
        "{name:>16} {attempts:>9} {views:>9} {seconds:>9.3} {:>9.0}   {}",
        views as f64 / seconds,
        verdict.split('(').next().unwrap_or_default()
    );
    Ok(())
}

fn with_members(text: &str, role: &str, count: u32) -> Option<Program> {
    let file = parse(&SourceFile::new("bench.map", text)).file;
    let agents = vec![CastOverride { name: role.to_owned(), count: i64::from(count) }];
    check(&file, &CheckOptions { agents, ..CheckOptions::default() }).0.map(|checked| compile(&checked))
}

/// Each client asks n questions, each of its own kind.
fn questions(n: usize) -> String {
    let answers: Vec<String> = (0..n)
        .map(|i| {
            format!(
                "(ask{i}() <= agent($who, %client) then answer{i}() => agent($who, %client) then agent())"
            )
        })
        .collect();
    let asks: Vec<String> = (0..n)
        .map(|i| {
            format!("ask{i}() => agent(!Server, %server) then waitfor answer{i}() <= agent(!Server, %server)")
        })
        .collect();
    format!(
        "s[ agent(!Server, %server) = waitfor ({}) timeout skip\n agent($me, %client) = {} ]",
        answers.join(" or "),
        asks.join(" then ")
    )
}

/// Each client asks each of n servers.
fn servers(n: usize) -> String {
    let mut text = "s[ ".to_owned();
    for i in 0..n {
        let _ = writeln!(
            text,
            "agent(!Server{i}x, %server{i}) = waitfor (ask() <= agent($who, %client) then answer() => agent($who, %client) \
             then agent()) timeout skip"
        );
    }
    let asks: Vec<String> = (0..n)
        .map(|i| {
            format!("ask() => agent(!Server{i}x, %server{i}) then waitfor answer() <= agent(!Server{i}x, %server{i})")
        })
        .collect();
    let _ = write!(text, "agent($me, %client) = {} ]", asks.join(" then "));
    text
}
