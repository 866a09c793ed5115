//! The time and size of charts, relative to replaying the run, which every run that is shown goes through anyway;
//! PlantUML on the same chart, if it is installed; and a whole report by the `map` binary, if it has been built.
//!
//! Timings are printed, never asserted: machines differ.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use map_check::{CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_render::chart::evidence::of_replayed;
use map_render::chart::page::{self, Around};
use map_render::chart::{Chart, mermaid, plantuml, svg, text};
use map_semantics::Bounds;
use map_simulate::{SimulationOptions, simulate};
use map_syntax::{ast, parse};
use map_verify::{Trace, replay};

use crate::measured::{Size, program};

/// Two agents exchange messages; after 40 rounds, in step 201, one of them has no answer left and fails.
const ROUNDS: &str = "memory %a { @n = 0 }
decision more() | @n < 40 = yes with @n := @n + 1
rounds[
    agent(!A, %a) = agent(loop)
    agent(!A, %a, loop) = $x = more() then m($x) => agent(_, %b) then (waitfor m() <= agent(_, %b)) then agent(loop)
    agent(!B, %b) = (waitfor m($x) <= agent(_, %a)) then m() => agent(_, %a) then agent()
]";

/// How often everything is repeated; the best time counts.
const TIMES: u32 = 20;

pub(crate) fn run(auction: &ast::File, size: Size) -> Result<(), String> {
    println!("\ncharts, unfolded; times of the time it takes to make the run again, best of {TIMES}");
    println!("{:>28} {:>10} {:>10} {:>10} {:>10}", "run", "written as", "bytes", "ms", "x replay");
    let rounds = parse(&SourceFile::new("rounds.map", ROUNDS)).file;
    let (checked, _) = check(&rounds, &CheckOptions::default());
    let rounds = compile(&checked.ok_or("the rounds have errors")?);
    charts("2 agents, 201 steps", &rounds, 1_000)?;
    if size == Size::Full {
        charts("21 agents, 200 steps", &program(auction, 20)?, 200)?;
        report()?;
    }
    Ok(())
}

fn bounds() -> Bounds {
    Bounds { mailbox: 1_000, ..Bounds::USUAL }
}

/// The best time, in milliseconds, and the result.
fn best<T>(mut make: impl FnMut() -> T) -> (f64, T) {
    let timed = |make: &mut dyn FnMut() -> T| {
        let started = Instant::now();
        let made = make();
        (started.elapsed().as_secs_f64() * 1e3, made)
    };
    let mut best = timed(&mut make);
    for _ in 1..TIMES {
        let again = timed(&mut make);
        if again.0 < best.0 {
            best = again;
        }
    }
    best
}

/// A random run of at most `max_steps` steps, printed in every format.
fn charts(name: &str, program: &Program, max_steps: u64) -> Result<(), String> {
    let options = SimulationOptions {
        seed: 1,
        yes: 0.75,
        yes_of: Vec::new(),
        truthful: false,
        max_steps,
        loss: 0.0,
        crash: 0.0,
    };
    let bounds = bounds();
    let mut trace = Trace::default();
    simulate(program, &bounds, &options, &mut |seen| {
        trace.steps.push(seen.step.clone());
        ControlFlow::Continue(())
    });
    let (again, replayed) = best(|| replay(program, &bounds, &trace));
    let replayed = replayed.map_err(|error| error.to_string())?;
    println!("{name:>28} {:>10} {:>10} {again:>10.3} {:>10.2}", "(replay)", "-", 1.0);
    let (recorded, chart) = best(|| of_replayed(program, &replayed, &[]));
    println!("{name:>28} {:>10} {:>10} {recorded:>10.3} {:>10.2}", "(chart)", "-", recorded / again);
    type Print = fn(&Chart) -> String;
    let prints: [(&str, Print); 5] = [
        ("text", |chart| text::draw(chart, 80)),
        ("svg", |chart| svg::draw(chart).to_string()),
        ("html", |chart| page::print(chart, &Around { title: "", above: &[], below: "" })),
        ("mermaid", mermaid::print),
        ("plantuml", plantuml::print),
    ];
    for (language, print) in prints {
        let (taken, text) = best(|| print(&chart));
        println!("{name:>28} {language:>10} {:>10} {taken:>10.3} {:>10.2}", text.len(), taken / again);
    }
    by_plantuml(name, &chart, again)
}

/// PlantUML's picture of the same chart, including the start of the JVM. Prints nothing if PlantUML is not installed.
fn by_plantuml(name: &str, chart: &Chart, again: f64) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, picture) = (folder.path().join("chart.puml"), folder.path().join("chart.svg"));
    std::fs::write(&source, plantuml::print(chart)).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let mut tool = Command::new("plantuml");
    tool.arg("-tsvg").arg(&source).env("JAVA_TOOL_OPTIONS", "-Djava.awt.headless=true");
    if tool.stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return Ok(());
    }
    let taken = started.elapsed().as_secs_f64() * 1e3;
    let bytes = std::fs::metadata(picture).map_or(0, |file| file.len());
    println!("{name:>28} {:>10} {bytes:>10} {taken:>10.0} {:>10.0}", "PlantUML's", taken / again);
    Ok(())
}

/// `map verify` with and without `--report`, as processes of the binary next to this one.
fn report() -> Result<(), String> {
    let map = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("map");
    if !map.is_file() {
        println!("(no report: cargo build -p map-cli makes the binary that writes it)");
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (scene, page) = (folder.path().join("rounds.map"), folder.path().join("report.html"));
    std::fs::write(&scene, ROUNDS).map_err(|error| error.to_string())?;
    let verify = |flags: &[&Path]| {
        let mut command = Command::new(&map);
        command.arg("verify").arg(&scene).args(flags).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().map(|status| status.code())
    };
    let (without, plain) = best(|| verify(&[]));
    let (with, reported) = best(|| verify(&[Path::new("--report"), &page]));
    if !matches!((&plain, &reported), (Ok(Some(1)), Ok(Some(1)))) {
        return Err(format!("the rounds should fail: {plain:?}, {reported:?}"));
    }
    let bytes = std::fs::metadata(&page).map_err(|error| error.to_string())?.len();
    println!("report of 201 steps: {bytes} bytes; map verify {without:.1} ms, with --report {with:.1} ms");
    Ok(())
}
