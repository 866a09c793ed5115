//! The speed of receiving messages from a long mailbox out of order, beside a list that is scanned from its oldest
//! message.
//!
//! Timings are printed, never asserted: machines differ.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Instant;

use map_check::{CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_semantics::Bounds;
use map_simulate::{RunEnd, SimulationOptions, simulate};
use map_syntax::parse;

use crate::measured::Size;

/// Numbers of messages in the mailbox.
const ROWS: &[u64] = &[1_000, 10_000, 100_000];

/// One agent sends the numbers from N down to 1, then the other receives them from 1 up to N: each time the newest.
const SCENE: &str = "
    memory %source { @next = N } memory %sink { @next = 1 }
    decision more() | @next > 0 = @next with @next := @next - 1
    decision turn() | @next <= N = @next with @next := @next + 1
    queue[
        agent(!Source, %source) = agent(fill)
        agent(!Source, %source, fill) =
            $n = more() then item($n) => agent(!Sink, %sink) then agent(fill) or go() => agent(!Sink, %sink)
        agent(!Sink, %sink) = (waitfor go() <= agent(_, %source)) then agent(take)
        agent(!Sink, %sink, take) = $n = turn() then item($n) <= agent(_, %source) then agent(take) or skip
    ]";

pub(crate) fn run(size: Size) -> Result<(), String> {
    println!("\nlong mailboxes: n messages taken in the reverse of the order in which they came");
    println!(
        "{:>8} {:>9} {:>9} {:>12}   {:>12} {:>14} {:>8}",
        "messages", "steps", "seconds", "steps/s", "list seconds", "messages/s", "x list"
    );
    for &messages in if size == Size::Smoke { &ROWS[..1] } else { ROWS } {
        let (steps, seconds) = simulated(messages)?;
        let list = list(messages);
        println!(
            "{messages:>8} {steps:>9} {seconds:>9.3} {:>12.0}   {list:>12.3} {:>14.0} {:>8.1}",
            steps as f64 / seconds,
            messages as f64 / list,
            list / seconds,
        );
    }
    Ok(())
}

/// The whole run, with its sends, asks and receives: the number of steps, and seconds.
fn simulated(messages: u64) -> Result<(u64, f64), String> {
    let source = SourceFile::new("queue.map", SCENE.replace('N', &messages.to_string()));
    let file = parse(&source).file;
    let (checked, diagnostics) = check(&file, &CheckOptions::default());
    let program = compile(&checked.ok_or_else(|| format!("the queue has errors: {diagnostics:?}"))?);
    let bounds = Bounds { mailbox: u32::MAX, ..Bounds::USUAL };
    let options = SimulationOptions {
        seed: 1,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: u64::MAX,
        loss: 0.0,
        crash: 0.0,
    };
    let started = Instant::now();
    let run = simulate(&program, &bounds, &options, &mut |_| ControlFlow::Continue(()));
    let seconds = started.elapsed().as_secs_f64();
    if run.end != RunEnd::Ended || run.some_failed() || run.steps != 4 * messages + 3 {
        return Err(format!("the queue ended otherwise than expected: {:?} after {}", run.end, run.steps));
    }
    Ok((run.steps, seconds))
}

/// Only the removal, from a plain list: seconds.
fn list(messages: u64) -> f64 {
    let mut list: VecDeque<(u64, Vec<i64>)> =
        (0..messages).map(|at| (at, vec![(messages - at) as i64])).collect();
    let started = Instant::now();
    for wanted in 1..=messages as i64 {
        let found = list.iter().position(|(_, arguments)| arguments[0] == wanted);
        std::hint::black_box(found.and_then(|at| list.remove(at)));
    }
    started.elapsed().as_secs_f64()
}
