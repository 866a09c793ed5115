//! The cost of properties: the searches that judge them, with reductions and without, relative to the search for
//! termination on the same scene in the same run, on one thread each.

use std::num::NonZeroUsize;
use std::time::Instant;

use map_check::{CastOverride, CheckOptions, check};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_ir::Value;
use map_semantics::{Bounds, Network, Timeouts};
use map_syntax::{ast, parse_formula};
use map_verify::{
    Fairness, Limits, PropertyJudgement, PropertyOptions, PropertyReport, Reductions, Tuning, verify,
    verify_properties,
};

use crate::measured::{NoClock, Size};

/// Sets of properties that are judged together: an invariant, four kinds, and one that needs an automaton.
const SETS: &[(&str, &[&str])] = &[
    ("an invariant", &["always mailbox(!Auctioneer) <= 9"]),
    (
        "four kinds",
        &[
            "never failed(!Auctioneer)",
            "eventually ended",
            "forall $b in %bidder : $b sends bid(_) to _ leadsto done($b)",
            "forall $b in %bidder : possible sequence $b sends bid(_) to _ ; $b receives sold(_, _) from _",
        ],
    ),
    ("an automaton", &["always (done(!Auctioneer) implies eventually always ended)"]),
];

pub(crate) fn run(file: &ast::File, size: Size) -> Result<(), String> {
    let bidders = if size == Size::Smoke { 2 } else { 3 };
    let agents = vec![CastOverride { name: "bidder".to_owned(), count: bidders }];
    let (checked, _) = check(file, &CheckOptions { agents, ..CheckOptions::default() });
    let checked = checked.ok_or("the auction has errors")?;
    let limits =
        Limits { states: usize::MAX, memory: 16 << 30, threads: NonZeroUsize::MIN, tuning: Tuning::SHIPPED };
    println!(
        "properties: the auction with {bidders} bidders, bidloop=3, without reductions and with; x termination: times the \
         search for termination without reductions"
    );
    println!(
        "{:>16} {:>10} {:>9} {:>14} {:>10} {:>9} {:>14}",
        "properties", "states", "seconds", "x termination", "reduced", "seconds", "x termination"
    );
    for (name, texts) in SETS {
        let mut program = compile(&checked);
        let mut compiler = PropertyCompiler::new(&checked, &mut program);
        for text in *texts {
            let formula = parse_formula(&SourceFile::new("formula", *text))
                .map_err(|errors| format!("{text}: {errors:?}"))?;
            compiler.add(text, &formula).map_err(|errors| format!("{text}: {errors:?}"))?;
        }
        let properties = compiler.finish();
        let bidloop = program.name_constant("bidloop").ok_or("the auction has a bidloop")?;
        let bounds = Bounds {
            depth: 50,
            rounds: None,
            rounds_of: vec![(Value::Name(bidloop), 3)],
            mailbox: 50,
            timeouts: Timeouts::Quiescent,
            network: Network::INSTANT,
            after: None,
        };
        let started = Instant::now();
        let plain =
            verify(&program, &bounds, &limits, true, &mut NoClock).map_err(|error| error.to_string())?;
        let without = started.elapsed().as_secs_f64();
        let judge = |reductions| {
            let options = PropertyOptions { limits, fairness: Fairness::Fair, reductions };
            let started = Instant::now();
            let judged = verify_properties(&program, &properties, &bounds, &options, &mut NoClock)
                .map_err(|error| error.to_string())?;
            Ok::<_, String>((judged, started.elapsed().as_secs_f64()))
        };
        let (judged, seconds) = judge(Reductions::NONE)?;
        let (reduced, reduced_seconds) = judge(Reductions::ALL)?;
        if judged.searched && judged.statistics.states != plain.statistics.states {
            return Err(format!("{name}: {} states", judged.statistics.states));
        }
        let words = |report: &PropertyReport| {
            report.properties.iter().map(PropertyJudgement::words).collect::<Vec<_>>()
        };
        if words(&judged) != words(&reduced) {
            return Err(format!("{name}: {:?}, and with reductions {:?}", words(&judged), words(&reduced)));
        }
        println!(
            "{name:>16} {:>10} {seconds:>9.3} {:>14.2} {:>10} {reduced_seconds:>9.3} {:>14.2}",
            judged.statistics.states,
            seconds / without,
            reduced.statistics.states,
            reduced_seconds / without
        );
    }
    Ok(())
}
