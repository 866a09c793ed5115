//! No memory for a table of a search: the search ends without a verdict.

use std::process::{Command, Output, Stdio};

use super::{Fault, MEMORY, run, shim};

const ENOMEM: i32 = 12;

/// Only tables are that large in the search below.
const LARGE: usize = 1 << 20;

/// The search of 142,205 states.
fn line() -> String {
    let ballot = super::super::protocols().join("../ballot/ballot.map");
    format!("verify {} --agents voter=5 --reductions none --no-properties --threads 1", ballot.display())
}

#[test]
fn a_table_without_memory_makes_no_verdict() {
    let Some(shim) = shim() else { return };
    let fine = run(shim, (&line(), ""), None, LARGE);
    assert_eq!(fine.code, Some(0), "{}", fine.err);
    let count = fine.counts[MEMORY];
    assert!(count > 2, "{count}");
    let step = if std::env::var_os("MAP_FAULTS").is_some() { 1 } else { count as usize / 2 };
    let mut without = 0;
    for n in (1..=count as i64).step_by(step) {
        for n in [n, -n] {
            let ended = run(shim, (&line(), ""), Some(Fault { kind: MEMORY, n, error: ENOMEM }), LARGE);
            // Where another way needs less memory, there is the verdict after all.
            let said = (&ended.out, &ended.err);
            if ended.code == Some(0) {
                assert!(ended.out.contains("terminates"), "{said:?}");
                continue;
            }
            assert_eq!(ended.code, Some(4), "{n} of {count}: {said:?}");
            assert!(ended.out.contains("inconclusive") && ended.out.contains("no room to grow"), "{said:?}");
            without += 1;
        }
    }
    assert!(without > 2, "{without} of {count}");
}

/// Runs a command line with this many MiB of addresses.
fn limited(mebibytes: usize, line: &str) -> Output {
    let map = env!("CARGO_BIN_EXE_map");
    let line = format!("ulimit -v {}; exec {map} {line}", mebibytes << 10);
    Command::new("bash").args(["-c", &line]).stdin(Stdio::null()).output().expect("bash runs")
}

/// `MAP_FAULTS=1` tries many more limits.
#[test]
fn under_a_limit_on_addresses_there_is_a_verdict_or_none() {
    // What the program itself takes depends on how it was built.
    let begins = |mebibytes: &usize| limited(*mebibytes, "explain MAP101").status.success();
    let own = (4..).step_by(2).find(begins).expect("some addresses are enough");
    let step = if std::env::var_os("MAP_FAULTS").is_some() { 1 } else { 20 };
    let mut codes = Vec::new();
    for mebibytes in (own + 12..own + 52).step_by(step) {
        let output = limited(mebibytes, &line());
        let code = output.status.code();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        // What is no table of a search ends the process, which the system's message says.
        assert!(matches!(code, Some(0 | 4)), "{mebibytes} MiB: {code:?} {:?} {err}", output.status);
        codes.push(code);
    }
    assert!(codes.contains(&Some(4)), "{own} MiB alone: {codes:?}");
}
