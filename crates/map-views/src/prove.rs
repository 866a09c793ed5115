//! The whole question: small numbers of members one by one, then any number by views.

use map_ir::Program;
use map_semantics::Bounds;
use map_verify::{
    InternalError, Limits, Options, Progress, Reductions, Report, Snapshot, Verdict, verify_reduced,
};

use crate::Refusal;
use crate::attempt::{Attempt, Obstacle, Proved, attempt};
use crate::frame::Precision;
use crate::steps::Fault;

/// How far a proof may go.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The least number of members that the question is about, at least 1.
    pub from: u32,
    /// The most members with which the scene is verified as it is.
    pub concrete: u32,
    /// The limits of each such verification.
    pub limits: Limits,
    /// The most views.
    pub views: usize,
}

/// The answer for any number of members.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: AnyVerdict,
    /// The verifications with some numbers of members, each with its number.
    pub concrete: Vec<(u32, Report)>,
    /// The attempts to prove it, in order.
    pub attempts: Vec<Attempt>,
}

/// The verdict for any number of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyVerdict {
    /// Proved.
    Proved(Proved),
    /// Violated with this number of members: the last of the verifications.
    Violated(u32),
    /// Neither.
    NoProof(Obstacle),
    /// Neither: with this number of members, which views do not cover, there is no verdict.
    NotVerified(u32),
}

/// Asks whether a scene terminates for any number of agents of a role. `scene` compiles it with a number of them;
/// `None`
/// if that is not possible.
///
/// # Errors
/// If a trace of a violation does not replay, which would be a defect of the verifier.
pub fn prove(
    scene: &dyn Fn(u32) -> Option<Program>,
    role: &str,
    bounds: &Bounds,
    options: &ProofOptions,
    progress: &mut dyn Progress,
) -> Result<Answer, InternalError> {
    let mut answer = Answer {
        verdict: AnyVerdict::NoProof(Obstacle::Refused(Refusal::NotPlural)),
        concrete: Vec::new(),
        attempts: Vec::new(),
    };
    // Views speak of two members or more.
    let first = options.from.max(1);
    let mut weakest = Proved::Terminates;
    let last = if first < 2 { options.concrete.max(first) } else { options.concrete };
    for count in first..=last {
        let Some(program) = scene(count) else { break };
        let how = Options {
            limits: options.limits,
            keep_going: false,
            reductions: Reductions::ALL,
            self_check: false,
        };
        let report = verify_reduced(&program, bounds, &how, progress)?.report;
        let (verdict, complete) = (report.verdict, report.complete);
        answer.concrete.push((count, report));
        match verdict {
            Verdict::Violated(_) => {
                answer.verdict = AnyVerdict::Violated(count);
                return Ok(answer);
            }
            Verdict::TerminatesIfFair if count < 2 => weakest = Proved::TerminatesIfFair(Vec::new()),
            _ => {}
        }
        if count < 2 && (verdict == Verdict::Inconclusive || !complete) {
            answer.verdict = AnyVerdict::NotVerified(count);
            return Ok(answer);
        }
    }
    let (Some(two), Some(three)) = (scene(2), scene(3)) else { return Ok(answer) };
    let mut stop = || progress.tick(&Snapshot::default()).is_some();
    for precision in precisions() {
        if !is_worth_it(&precision, &answer.attempts) {
            continue;
        }
        let made = attempt((&two, &three), role, bounds, precision, options.views, &mut stop);
        let result = made.result.clone();
        answer.attempts.push(made);
        answer.verdict = match (answer.verdict, result) {
            (AnyVerdict::Proved(before), Ok(proved)) if rank(&before) >= rank(&proved) => {
                AnyVerdict::Proved(before)
            }
            (_, Ok(proved)) => AnyVerdict::Proved(proved),
            (before @ AnyVerdict::Proved(_), Err(_)) => before,
            (_, Err(obstacle)) => AnyVerdict::NoProof(obstacle),
        };
    }
    if let AnyVerdict::Proved(proved) = &mut answer.verdict
        && rank(proved) > rank(&weakest)
    {
        *proved = weakest;
    }
    Ok(answer)
}

/// The precisions that are tried, in order: without assumptions first.
fn precisions() -> Vec<Precision> {
    let coarse = Precision::COARSE;
    let counting = Precision { counting: true, ..coarse.clone() };
    let strict = [
        coarse,
        counting.clone(),
        Precision { copies: 3, ..counting.clone() },
        Precision { copies_of_others: 2, ..counting },
    ];
    let assuming = strict.clone().map(|it| Precision { no_overflow: true, ..it });
    strict.into_iter().chain(assuming).collect()
}

/// Whether an attempt may prove more than those before.
fn is_worth_it(precision: &Precision, before: &[Attempt]) -> bool {
    let is_final = |it: &Attempt| match it.result {
        Ok(Proved::Terminates) | Err(Obstacle::Stopped | Obstacle::NoStart) => true,
        Err(Obstacle::Refused(refusal)) => refusal != Refusal::Numbered,
        _ => false,
    };
    if before.iter().any(is_final) {
        return false;
    }
    // Whether an assumption would help.
    let lacks = |it: &Attempt| it.result == Err(Obstacle::Fault(Fault::Integers));
    if precision.no_overflow && (before.iter().any(|it| it.result.is_ok()) || !before.iter().any(lacks)) {
        return false;
    }
    let counted = before.iter().filter(|it| it.precision.counting);
    let copies = precision.copies != Precision::COARSE.copies;
    // More copies are needed to see that each contributes little.
    let too_much = |it: &Attempt| it.result == Err(Obstacle::Fault(Fault::Counting));
    !copies || counted.clone().any(|it| !it.counted.is_empty() && too_much(it))
}

fn rank(proved: &Proved) -> u32 {
    match proved {
        Proved::Terminates => 2,
        Proved::TerminatesIfFair(_) => 1,
        Proved::NothingGoesWrong => 0,
    }
}
