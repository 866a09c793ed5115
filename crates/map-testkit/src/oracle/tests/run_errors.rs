//! Steps that go wrong by a run error, before or after other violations.

use super::{OracleReport, assert_verdict, assert_violation, report, report_with};

fn kinds(found: &OracleReport) -> Vec<(&str, u32, bool)> {
    found.violations.iter().map(|(kind, length, possible)| (kind.as_str(), *length, *possible)).collect()
}

#[test]
fn a_failure_comes_before_a_run_error() {
    let found = report(
        "procedure bad() = 1 / 0
         s [ agent(!A, %a) = $v = bad()
             agent(!B, %b) = m() <= agent(!A, %a) ]",
    );
    assert_violation(&found, ("failure", 1, false), 2, 1);
    assert_eq!(kinds(&found), [("failure", 1, false), ("run error", 1, false)]);
}

#[test]
fn a_run_error_is_no_livelock() {
    let found = report(
        "memory %a { @n = 2 }
         procedure bad() = 4 / @n with @n := @n - 1
         s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = $v = bad() then agent(loop) ]",
    );
    assert_violation(&found, ("run error", 3, false), 3, 2);
    assert_eq!(found.violations.len(), 1);
}

#[test]
fn a_cut_before_the_ask_counts() {
    let scene = "procedure bad() = 1 / 0
                 s [ agent(!A, %a) = m() <= agent(!B, %b) or agent(x)
                     agent(!A, %a, x) = $v = bad()
                     agent(!B, %b) = skip ]";
    assert_violation(&report(scene), ("run error", 1, false), 1, 0);
    let found = report_with(scene, |options| options.rounds = Some(0));
    assert_verdict(&found, "terminates", 1, 0);
    assert!(found.cut);
}

#[test]
fn a_cut_behind_the_ask_does_not_count() {
    let found = report_with(
        "procedure bad() = 1 / 0
         s [ agent(!A, %a) = $v = bad() then agent(x)
             agent(!A, %a, x) = skip ]",
        |options| options.rounds = Some(0),
    );
    assert_violation(&found, ("run error", 1, false), 1, 0);
    assert!(!found.cut);
}

#[test]
fn an_error_in_an_update_goes_wrong_like_one_in_the_answer() {
    let found = report(
        "memory %a { @n = yes }
         procedure bad() = 1 with @n := @n + 1
         s [ agent(!A, %a) = $v = bad() ]",
    );
    assert_violation(&found, ("run error", 1, false), 1, 0);
}

#[test]
fn an_update_is_computed_before_a_domain_is_found_empty() {
    let found = report(
        "memory %a { @n = yes }
         decision bad() = in %b with @n := @n + 1
         s [ agent(!A, %a) = $v = bad() or skip
             agent($b, %b) = skip ]
         cast %b = 0",
    );
    assert_violation(&found, ("run error", 1, false), 1, 0);
}

#[test]
fn a_run_error_after_a_no() {
    // "No" takes the act on to the second ask; "yes" ends it.
    let found = report(
        "procedure bad() = 1 / 0
         s [ agent(!A, %a) = $v = d() or $w = bad() ]",
    );
    assert_violation(&found, ("run error", 1, false), 2, 1);
    // What went wrong has run, too.
    assert_eq!(found.operations_run.len(), 2);
}

#[test]
fn a_waitfor_that_would_go_wrong_does_not_wait() {
    let found = report(
        "procedure bad() = 1 / 0
         s [ agent(!A, %a) = waitfor $v = bad() timeout skip ]",
    );
    assert_violation(&found, ("run error", 1, false), 1, 0);
}

#[test]
fn a_run_error_after_a_failure_is_listed() {
    let found = report(
        "procedure bad() = 1 / 0
         s [ agent(!A, %a) = waitfor m() <= agent(!B, %b) then $v = bad()
             agent(!B, %b) = m() => agent(!A, %a) then fail ]",
    );
    // Sent and failed in one step; received; gone wrong.
    assert_violation(&found, ("failure", 1, false), 3, 2);
    assert_eq!(kinds(&found), [("failure", 1, false), ("run error", 3, false)]);
}
