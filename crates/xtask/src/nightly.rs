//! What takes too long for every commit: the random comparisons at length, in the release profile and with seeds of the
//! day, then other random tests, and slow tests over all texts.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::wheel::run_script;

/// How many random scenes, unless `MAP_SCENES` says it. Other counts go with it.
const SCENES: u64 = 20_000;

/// A run of some tests.
struct Part {
    name: &'static str,
    package: &'static [&'static str],
    /// Which tests, as arguments of the binary.
    tests: &'static [&'static str],
    /// Counts of tests: for how many scenes there is one of these.
    settings: &'static [(&'static str, u64)],
}

const COMPARISONS: &[&str] = &["-p", "map-tests", "--test", "comparisons"];
const CLI: &[&str] = &["-p", "map-cli", "--features", "full", "--test", "cli"];

const FOUND: &[&str] = &["-p", "map-guard", "--test", "found", "--test", "played"];

const DOOMED: &[&str] = &["-p", "map-guard", "--test", "doomed"];

const PARTS: [Part; 8] = [
    Part {
        name: "random scenes",
        package: COMPARISONS,
        tests: &["all_comparisons"],
        settings: &[("MAP_SCENES", 1)],
    },
    Part {
        name: "models, formulas, texts, the whole library",
        package: COMPARISONS,
        tests: &["--skip", "all_comparisons"],
        settings: &[
            ("MAP_SCENES", 100),
            ("MAP_SPIN_SCENES", 20),
            ("MAP_SPIN_PROPERTIES", 100),
            ("MAP_FORMULAS", 1),
            ("MAP_MUTATIONS", 1),
            ("MAP_RUNS", 20),
            ("MAP_LOGS", 10),
        ],
    },
    Part {
        name: "forged logs",
        package: CLI,
        tests: &["simulated_runs", "a_forged_line"],
        settings: &[("MAP_LOGS", 1_000)],
    },
    Part {
        name: "all texts, all faults of the system",
        package: CLI,
        tests: &["graphs::mermaid_reads_it", "brief::", "faults::"],
        settings: &[],
    },
    Part { name: "guards that look ahead", package: DOOMED, tests: &[], settings: &[("MAP_DIALOGUES", 40)] },
    Part {
        name: "faults that played dialogues find",
        package: FOUND,
        tests: &[],
        settings: &[("MAP_DIALOGUES", 200)],
    },
    Part {
        name: "guards that are killed",
        package: CLI,
        tests: &["guard_durable::a_guard_that_is_killed_at_any_moment"],
        settings: &[("MAP_KILLS", 66)],
    },
    Part {
        name: "searches that are killed",
        package: CLI,
        tests: &["a_killed_search_goes_on", "kept::killed_at_any_moment_it_goes_on"],
        settings: &[("MAP_KILLS", 1_000)],
    },
];

/// What a part printed of its comparisons.
#[derive(Default)]
struct Tally {
    comparisons: u64,
    scenes: u64,
    failures: Vec<String>,
}

/// Runs all parts with the seeds of `day`, such as 20261128: today's by default.
pub(crate) fn run(root: &Path, day: Option<&str>) -> Result<(), String> {
    let day = day.map_or_else(today, |day| Ok(day.to_owned()))?;
    let day: u64 = day.parse().map_err(|_| format!("`{day}` is no day such as 20261128"))?;
    let scenes = std::env::var("MAP_SCENES").ok().and_then(|text| text.parse().ok()).unwrap_or(SCENES);
    let seed = day * 10_000;
    println!("seeds from {seed}");
    let begun = Instant::now();
    let mut all = Tally::default();
    for part in &PARTS {
        let part_begun = Instant::now();
        let result = tests(root, part, seed, scenes, &mut all)?;
        println!("== {}: {result}, {} s", part.name, part_begun.elapsed().as_secs());
    }
    for script in ["python/check", "playground/check"] {
        if let Err(failure) = run_script(root, script) {
            all.failures.push(failure);
        }
    }
    let Tally { comparisons, scenes, failures } = all;
    let seconds = begun.elapsed().as_secs();
    let failed = if failures.is_empty() { "none".to_owned() } else { failures.join("; ") };
    let line =
        format!("nightly {day}: {scenes} scenes, {comparisons} comparisons, {seconds} s, failures: {failed}");
    if !failures.is_empty() {
        return Err(line);
    }
    println!("{line}");
    Ok(())
}

/// Runs a part, and passes on what it prints.
fn tests(root: &Path, part: &Part, seed: u64, scenes: u64, all: &mut Tally) -> Result<&'static str, String> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["test", "--release", "--locked"]).args(part.package);
    command.arg("--").arg("--nocapture").args(part.tests);
    command.env("MAP_SEED", seed.to_string()).env("MAP_TUNING", "shipped").env("MAP_ALL_TEXTS", "1");
    command.env_remove("MAP_SCENES");
    for (name, scenes_for_one) in part.settings {
        command.env(name, scenes.div_ceil(*scenes_for_one).to_string());
    }
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("cargo: {error}"))?;
    let before = all.failures.len();
    let output = child.stdout.take().expect("the output is piped");
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        println!("{line}");
        if let Some(again) = line.strip_prefix("failed: ") {
            all.failures.push(again.to_owned());
        } else if let Some((_, comparison)) =
            line.strip_prefix("comparison ").and_then(|it| it.split_once(": "))
        {
            all.comparisons += 1;
            all.scenes +=
                comparison.split(' ').next().and_then(|count| count.parse::<u64>().ok()).unwrap_or(0);
        }
    }
    let status = child.wait().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() && all.failures.len() == before {
        all.failures.push(format!("{} (MAP_SEED={seed})", part.name));
    }
    Ok(if status.success() { "passed" } else { "failed" })
}

fn today() -> Result<String, String> {
    let output =
        Command::new("date").args(["-u", "+%Y%m%d"]).output().map_err(|error| format!("date: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
