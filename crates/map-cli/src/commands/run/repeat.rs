//! The commands that repeat runs.

use super::answers::ANSWER_TIMEOUT;
use super::{Args, MAX_STEPS};
use crate::chart::ChartArg;
use map_flags::CommandLine;
use map_flags::{CRASH, LOSS};

/// `map run FILE --seed N` with every flag that affects the run.
pub(super) fn one(args: &Args, seed: u64) -> String {
    words(args, &[("seed", seed)]).line()
}

/// The same for many runs.
pub(super) fn many(args: &Args, runs: u64, seed: u64) -> String {
    words_of_many(args, runs, seed).line()
}

/// The same for many runs at each point of a sweep.
pub(super) fn swept(args: &Args, runs: u64, seed: u64) -> String {
    let mut words = words_of_many(args, runs, seed);
    for sweep in &args.many.sweep {
        words.flag("sweep", &sweep);
    }
    words.line()
}

fn words_of_many(args: &Args, runs: u64, seed: u64) -> CommandLine {
    let mut words = words(args, &[("runs", runs), ("seed", seed)]);
    for what in &args.many.collect {
        words.flag("collect", &what);
    }
    if args.many.no_collect {
        words.switch("no-collect");
    }
    words
}

fn words(args: &Args, last: &[(&str, u64)]) -> CommandLine {
    let mut words = CommandLine::new("run", &args.file);
    words.scene(&args.scene);
    words.bounds(&args.bounds);
    if args.odds.loss != LOSS {
        words.flag("loss", &args.odds.loss);
    }
    if args.odds.crash != CRASH {
        words.flag("crash", &args.odds.crash);
    }
    for odds in &args.odds.yes {
        words.flag("yes", &odds);
    }
    if args.odds.truthful {
        words.switch("truthful");
    }
    if args.max_steps != MAX_STEPS {
        words.flag("max-steps", &args.max_steps);
    }
    let answers = &args.answers;
    if let Some(command) = &answers.procedures {
        words.flag("procedures", &command);
    }
    if answers.answer_timeout != ANSWER_TIMEOUT {
        words.flag("answer-timeout", &answers.answer_timeout);
    }
    for agent in &answers.ask {
        words.flag("ask", &agent);
    }
    for (name, number) in last {
        words.flag(name, &number);
    }
    if answers.per_agent {
        words.switch("per-agent");
    }
    match args.chart {
        ChartArg::Never => {}
        ChartArg::Auto => words.switch("chart=auto"),
        ChartArg::Always => words.switch("chart"),
    }
    words
}
