//! Flags of a request: one string, as on the command line. None of them names a file or a program.

use clap::Parser;
use map_flags::{BoundArgs, OddsArgs, SceneArgs, SearchArgs, first_line};

/// How many steps of a run are told if nothing else is said.
const RUN_STEPS: u64 = 200;

/// The most steps that may be asked for.
const MAX_RUN_STEPS: u64 = 10_000;

/// Of checks, logs and pictures of roles.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
struct CheckFlags {
    #[command(flatten)]
    scene: SceneArgs,
}

/// Of runs.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct RunFlags {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) odds: OddsArgs,
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[arg(long, default_value_t = RUN_STEPS)]
    pub(crate) max_steps: u64,
}

/// The flags of a check.
///
/// # Errors
/// What is wrong with them. So it is with the functions below.
pub(crate) fn of_check(flags: &str) -> Result<SceneArgs, String> {
    read::<CheckFlags>(flags).map(|given| given.scene)
}

/// The flags of a run.
pub(crate) fn of_run(flags: &str) -> Result<RunFlags, String> {
    let given: RunFlags = read(flags)?;
    match given.max_steps {
        steps if steps > MAX_RUN_STEPS => {
            Err(format!("flags: --max-steps: this server allows at most {MAX_RUN_STEPS}"))
        }
        _ => Ok(given),
    }
}

/// The flags of a search.
pub(crate) fn of_search(flags: &str) -> Result<SearchArgs, String> {
    SearchArgs::read(flags).map_err(in_flags)
}

fn read<F: Parser>(flags: &str) -> Result<F, String> {
    let words = shlex::split(flags).ok_or_else(|| in_flags("a quote is not closed".to_owned()))?;
    F::try_parse_from(&words).map_err(|error| in_flags(first_line(&error)))
}

/// What is wrong with flags.
#[expect(clippy::needless_pass_by_value, reason = "it is what errors are mapped by")]
pub(crate) fn in_flags(what: String) -> String {
    format!("error: flags: {what}")
}

#[cfg(test)]
mod tests {
    use super::{of_check, of_run, of_search};

    #[test]
    fn a_run_has_an_end() {
        assert_eq!(of_run("").unwrap().max_steps, 200);
        let given = of_run("--seed 3 --max-steps 9").unwrap();
        assert_eq!((given.seed, given.max_steps), (Some(3), 9));
        assert!(of_run("--max-steps 10001").is_err());
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
            assert!(of_run(flags).is_err(), "run {flags}");
            assert!(of_search(flags).is_err(), "verify {flags}");
        }
        assert!(of_search("--property --report=x").is_err());
        assert!(of_check("--scene --format=json").is_err());
    }
}
