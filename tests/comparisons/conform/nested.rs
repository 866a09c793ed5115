//! Agents with ever more threads: what a run of the scene said is never held against anybody, and the states that are
//! kept of an agent are few.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start.

use std::time::{Duration, Instant};

use map_check::{CheckOptions, check};
use map_compile::compile;
use map_conform::{Arrivals, Settings, Verdict};
use map_diagnostics::SourceFile;
use map_ir::{AgentId, Program};
use map_testkit::scenes::{Random, nested_scene};
use map_tests::settings::Seeds;

use super::naive::Simulated;
use super::{Line, reported, shown};

const LIMIT: usize = 1_000;

fn program(text: &str) -> Program {
    let parsed = map_syntax::parse(&SourceFile::new("nested.map", text));
    let (checked, _) = check(&parsed.file, &CheckOptions::default());
    compile(&checked.unwrap_or_else(|| panic!("the scene is correct:\n{text}")))
}

fn log(program: &Program, random: &mut Random) -> Vec<Line> {
    let mut log = Vec::new();
    let Some(mut run) = Simulated::start(program, Arrivals::Logged, random) else { return log };
    for _ in 0..80 {
        run.step(program, AgentId::new(random.below(program.agents.len())), random, &mut log);
    }
    log
}

#[test]
fn runs_with_ever_more_threads_are_never_violated() {
    let seeds = Seeds::new("MAP_SCENES", 12);
    let Seeds { first, count, .. } = seeds;
    println!("{count} scenes from seed {first}");
    let (mut most, mut incomplete, mut lines, mut longest) = (0, 0, 0, (Duration::ZERO, 0));
    for seed in first..first + count {
        let text = nested_scene(seed);
        let program = program(&text);
        let log = log(&program, &mut Random::new(seed, 22));
        let settings = Settings { arrivals: Arrivals::Logged, limit: LIMIT, ..Settings::default() };
        let begun = Instant::now();
        let report = reported(&program, settings, &log);
        longest = longest.max((begun.elapsed(), seed));
        let show = || format!("seed {seed}\n{text}\n{}", shown(&program, &log));
        assert_ne!(report.verdict, Verdict::Violated, "{}", show());
        // Besides those that are kept, what one line adds to them.
        assert!(report.hypotheses <= 4 * LIMIT, "{} hypotheses: {}", report.hypotheses, show());
        most = most.max(report.hypotheses);
        incomplete += usize::from(report.incomplete);
        lines += log.len();
    }
    println!("{lines} lines, at most {most} hypotheses, {incomplete} incomplete, longest {longest:?}");
    let enough = lines as u64 > 10 * count && most > 100;
    assert!(enough || !seeds.has_variety(), "{lines} lines, {most} hypotheses");
}
