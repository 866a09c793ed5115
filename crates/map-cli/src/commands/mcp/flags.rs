//! The flags that a request may give: those that say what is verified, checked or played, and how far. None of them
//! names a file or a program.

use clap::Parser;
use map_flags::{BoundArgs, SceneArgs, SearchArgs, first_line};

use super::limits::Limits;
use crate::args::OddsArgs;

/// How many steps of a run are told if nothing else is said.
const RUN_STEPS: u64 = 200;

/// The most steps that may be asked for.
const MAX_RUN_STEPS: u64 = 10_000;

/// Of `map check`.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
struct CheckFlags {
    #[command(flatten)]
    _scene: SceneArgs,
}

/// Of `map run`.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
struct RunFlags {
    #[command(flatten)]
    _scene: SceneArgs,
    #[command(flatten)]
    _bounds: BoundArgs,
    #[command(flatten)]
    _odds: OddsArgs,
    #[arg(long)]
    seed: Option<u64>,
    #[arg(long)]
    max_steps: Option<u64>,
}

/// The flags of a check, as words.
///
/// # Errors
/// What is wrong with them. So it is with the functions below.
pub(super) fn of_check(flags: &str) -> Result<Vec<String>, String> {
    read::<CheckFlags>(flags).map(|(words, _)| words)
}

/// The flags of a run, with a seed, since it is told twice.
pub(super) fn of_run(flags: &str, any_seed: impl FnOnce() -> u64) -> Result<Vec<String>, String> {
    let (mut words, given) = read::<RunFlags>(flags)?;
    match given.max_steps {
        Some(steps) if steps > MAX_RUN_STEPS => {
            return Err(format!("--max-steps: this server allows at most {MAX_RUN_STEPS}"));
        }
        Some(_) => {}
        None => words.push(format!("--max-steps={RUN_STEPS}")),
    }
    if given.seed.is_none() {
        words.push(format!("--seed={}", any_seed()));
    }
    Ok(words)
}

/// The flags of a verification, within the limits.
pub(super) fn of_verify(flags: &str, limits: &Limits) -> Result<Vec<String>, String> {
    let given = SearchArgs::read(flags)?;
    let mut words = split(flags)?;
    words.extend(limits.flags_beside(&given.limits)?);
    Ok(words)
}

fn read<F: Parser>(flags: &str) -> Result<(Vec<String>, F), String> {
    let words = split(flags)?;
    let given = F::try_parse_from(&words).map_err(|error| first_line(&error))?;
    Ok((words, given))
}

fn split(flags: &str) -> Result<Vec<String>, String> {
    shlex::split(flags).ok_or_else(|| "a quote is not closed".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{of_check, of_run, of_verify};
    use crate::commands::mcp::limits::Limits;

    const LIMITS: Limits = Limits { states: None, memory: 1 << 30, time: Duration::from_secs(60) };

    #[test]
    fn a_run_has_a_seed_and_an_end() {
        assert_eq!(of_run("", || 7).unwrap(), ["--max-steps=200", "--seed=7"]);
        assert_eq!(of_run("--seed 3 --max-steps 9", || 7).unwrap(), ["--seed", "3", "--max-steps", "9"]);
        assert!(of_run("--max-steps 10001", || 7).is_err());
    }

    #[test]
    fn no_flag_names_a_file_or_a_program() {
        for flags in [
            "--junit x",
            "--report x",
            "--save-trace x",
            "--save-test x",
            "--with spin",
            "--procedures sh",
            "--ask !A",
            "--format json",
            "--text-too",
            "--deny warnings",
            "-",
            "x.map",
            "-- x.map",
            "-v",
            "--color always",
            "'",
            "--help",
            "--version",
        ] {
            assert!(of_check(flags).is_err(), "check {flags}");
            assert!(of_run(flags, || 7).is_err(), "run {flags}");
            assert!(of_verify(flags, &LIMITS).is_err(), "verify {flags}");
        }
        assert!(of_verify("--property --report=x", &LIMITS).is_err());
        assert!(of_check("--scene --format=json").is_err());
    }
}
