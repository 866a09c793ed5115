//! The whole question: small numbers of members one by one, then any number by views.

use map_ir::Program;
use map_semantics::Bounds;
use map_verify::{
    InternalError, Limits, Options, Progress, Reductions, Report, Snapshot, Verdict, ViolationKind,
    verify_reduced,
};

use crate::Refusal;
use crate::attempt::{Attempt, Obstacle, Theorem, attempt};
use crate::evidence::{Views, VisibleFacts};
use crate::frame::{MOST_SEEN, Precision};
use crate::steps::Fault;

/// What part of the states is enough as evidence, which is no proof.
const EVIDENCE: usize = 4;

/// What part of the states is enough for two members and more as long as a proof may come.
const AT_FIRST: usize = 10;

/// What part of the views is allowed if they show more than one member.
const SEEING_MORE: usize = 20;

/// So many states are always allowed for them.
const ALWAYS: usize = 1_000;

/// How far a proof may go.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The least number of members that the question is about, at least 1.
    pub from: u32,
    /// The most members with which the scene is verified as it is.
    pub concrete: u32,
    /// The most members with which it is verified if there is no proof. All these verifications together may have a
    /// quarter of the states of one of the others.
    pub evidence: u32,
    /// The limits of each such verification. Of two members or more a tenth of the states is enough if there is a
    /// proof.
    pub limits: Limits,
    /// The most views.
    pub views: usize,
}

/// The answer for any number of members.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: AnyVerdict,
    /// The least number of members that the verdict speaks of: the one that was asked for or, if the scene cannot be
    /// compiled with that, the least with which it can.
    pub from: u32,
    /// The verifications with some numbers of members, each with its number. Only the last may be incomplete.
    pub concrete: Vec<(u32, Report)>,
    /// What the states with some of these numbers show: of the first ones, as long as there are not too many states.
    /// None if views cannot show them.
    pub seen: Vec<VisibleFacts>,
    /// The attempts to prove it, in order.
    pub attempts: Vec<Attempt>,
}

impl Answer {
    /// The least number of members, at least two and at most `concrete`, with which a mailbox may overflow for all that
    /// is known, since the verification with that number was not finished: views set no bound to mailboxes. `None` if
    /// there is none, or nothing is proved.
    #[must_use]
    pub fn may_overflow(&self, concrete: u32) -> Option<u32> {
        let AnyVerdict::Proved(_) = self.verdict else { return None };
        let is_done = |count: u32| self.concrete.iter().any(|(it, report)| *it == count && report.complete);
        (self.from.max(2)..=concrete).find(|&count| !is_done(count))
    }

    /// Whether nothing is proved, or not all that was asked.
    #[must_use]
    pub fn needs_evidence(&self) -> bool {
        matches!(self.verdict, AnyVerdict::NoProof(_) | AnyVerdict::Proved(Theorem::NothingGoesWrong))
    }

    /// The least number of members that is not verified; `None` if none is.
    #[must_use]
    pub fn first_unverified(&self) -> Option<u32> {
        let (count, report) = self.concrete.last()?;
        Some(if report.verdict == Verdict::Inconclusive { *count } else { count + 1 })
    }
}

/// The verdict for any number of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyVerdict {
    /// Proved.
    Proved(Theorem),
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
    let mut question = Question { scene, role, bounds, options, progress };
    let mut answer = Answer {
        verdict: AnyVerdict::NoProof(Obstacle::Refused(Refusal::NotPlural)),
        from: options.from.max(1),
        concrete: Vec::new(),
        seen: Vec::new(),
        attempts: Vec::new(),
    };
    if question.verify_few(&mut answer)? {
        return Ok(answer);
    }
    question.attempt_all(&mut answer)?;
    if answer.verdict == AnyVerdict::NoProof(Obstacle::Stopped) {
        return Ok(answer);
    }
    if answer.needs_evidence() {
        question.verify_more(options.evidence, &mut answer)?;
    } else if answer.verdict == AnyVerdict::Proved(Theorem::Terminates)
        && answer.may_overflow(options.concrete).is_some()
    {
        // Where runs may go on for ever, mailboxes mostly do grow up to their bound, in too many states.
        question.verify_more(options.concrete, &mut answer)?;
    }
    if !matches!(answer.verdict, AnyVerdict::Violated(_)) {
        question.look(&mut answer)?;
    }
    Ok(answer)
}

/// What is asked.
struct Question<'q> {
    scene: &'q dyn Fn(u32) -> Option<Program>,
    role: &'q str,
    bounds: &'q Bounds,
    options: &'q ProofOptions,
    progress: &'q mut dyn Progress,
}

impl Question<'_> {
    /// Verifies the scene with few members; whether that is the answer.
    fn verify_few(&mut self, answer: &mut Answer) -> Result<bool, InternalError> {
        // Views speak of two members or more.
        let first = self.options.from.max(1);
        let last = if first < 2 { self.options.concrete.max(first) } else { self.options.concrete };
        for count in first..=last {
            let Some(program) = (self.scene)(count) else {
                // One alone has another name, which the text need not know: then nothing is said of one.
                if answer.concrete.is_empty() && count < last {
                    answer.from = count + 1;
                    continue;
                }
                break;
            };
            let mut limits = self.options.limits;
            if count > 1 {
                limits.states = (limits.states / AT_FIRST).max(limits.states.min(ALWAYS));
            }
            let report = self.verify(&program, &limits)?;
            let (verdict, complete) = (report.verdict, report.complete);
            answer.concrete.push((count, report));
            if matches!(verdict, Verdict::Violated(_)) {
                answer.verdict = AnyVerdict::Violated(count);
                return Ok(true);
            }
            if count < 2 && (verdict == Verdict::Inconclusive || !complete) {
                answer.verdict = AnyVerdict::NotVerified(count);
                return Ok(true);
            }
            if !complete {
                break;
            }
        }
        Ok(false)
    }

    fn verify(&mut self, program: &Program, limits: &Limits) -> Result<Report, InternalError> {
        let how =
            Options { limits: *limits, keep_going: false, reductions: Reductions::ALL, self_check: false };
        Ok(verify_reduced(program, self.bounds, &how, self.progress)?.report)
    }

    /// Tries one precision after the other.
    fn attempt_all(&mut self, answer: &mut Answer) -> Result<(), InternalError> {
        for precision in precisions() {
            if !is_worth_it(&precision, &answer.attempts) {
                continue;
            }
            let sees_more = precision.seen > 1;
            if sees_more && !self.verify_up_to(precision.least() - 1, answer)? {
                continue;
            }
            if matches!(answer.verdict, AnyVerdict::Violated(_)) {
                return Ok(());
            }
            let views = if sees_more { self.options.views / SEEING_MORE } else { self.options.views };
            let mut stop = || self.progress.tick(&Snapshot::default()).is_some();
            let before = &answer.attempts;
            let how = (precision, views);
            let Some(made) = attempt(self.scene, self.role, self.bounds, how, before, &mut stop) else {
                continue;
            };
            let result = made.result.clone();
            let is_bonus = sees_more && result == Err(Obstacle::TooMany);
            answer.attempts.push(made);
            answer.verdict = match (answer.verdict.clone(), result) {
                (AnyVerdict::Proved(before), Ok(proved)) if rank(&before) >= rank(&proved) => {
                    AnyVerdict::Proved(before)
                }
                (_, Ok(proved)) => AnyVerdict::Proved(proved),
                (before @ AnyVerdict::Proved(_), Err(_)) => before,
                (before, _) if is_bonus => before,
                (_, Err(obstacle)) => AnyVerdict::NoProof(obstacle),
            };
        }
        // Few members may only end in fair runs.
        let only_if_fair = |(_, report): &(u32, Report)| report.verdict == Verdict::TerminatesIfFair;
        if answer.verdict == AnyVerdict::Proved(Theorem::Terminates)
            && answer.concrete.iter().any(only_if_fair)
        {
            answer.verdict = AnyVerdict::Proved(Theorem::TerminatesIfFair(Vec::new()));
        }
        Ok(())
    }

    /// Verifies the scene with numbers of members up to `last`, of which views that show so many do not speak; whether
    /// that is an answer.
    fn verify_up_to(&mut self, last: u32, answer: &mut Answer) -> Result<bool, InternalError> {
        if self.first_open(answer) <= last {
            self.verify_more(last, answer)?;
        }
        Ok(self.first_open(answer) > last || matches!(answer.verdict, AnyVerdict::Violated(_)))
    }

    /// The least number of members that is not verified to its end.
    fn first_open(&self, answer: &Answer) -> u32 {
        let is_done = |report: &Report| report.complete && !matches!(report.verdict, Verdict::Violated(_));
        let done = answer.concrete.iter().take_while(|(_, report)| is_done(report));
        done.last().map_or(answer.from, |(count, _)| count + 1)
    }

    /// Verifies the scene with more and more members, up to `last`.
    fn verify_more(&mut self, last: u32, answer: &mut Answer) -> Result<(), InternalError> {
        // Those with too many states for the beginning are verified again.
        answer.concrete.truncate(answer.concrete.partition_point(|(_, report)| report.complete));
        let mut states = self.options.limits.states / EVIDENCE;
        for count in self.first_open(answer)..=last {
            if answer.concrete.last().is_some_and(|(_, report)| !report.complete) {
                break;
            }
            let Some(program) = (self.scene)(count) else { break };
            let mut limits = self.options.limits;
            if count > self.options.concrete {
                limits.states = states;
            }
            let report = self.verify(&program, &limits)?;
            let verdict = report.verdict;
            if count > self.options.concrete {
                states = states.saturating_sub(report.statistics.states);
            }
            answer.concrete.push((count, report));
            match verdict {
                // For more members than are verified in any case mailboxes have no bound.
                Verdict::Violated(ViolationKind::MailboxOverflow) if count > self.options.concrete => break,
                Verdict::Violated(_) => {
                    answer.verdict = AnyVerdict::Violated(count);
                    break;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Looks at all states with the numbers of members that were verified.
    fn look(&mut self, answer: &mut Answer) -> Result<(), InternalError> {
        let (Some(two), Some(three)) = ((self.scene)(2), (self.scene)(3)) else { return Ok(()) };
        let Ok(mut views) = Views::new(&two, &three, self.role, self.bounds) else { return Ok(()) };
        let mut limits = self.options.limits;
        limits.states /= EVIDENCE;
        for (count, _) in answer.concrete.iter().filter(|(_, report)| report.complete) {
            let Some(program) = (self.scene)(*count) else { break };
            let looked = views.look((&program, *count), self.bounds, &limits, self.progress)?;
            let Some(seen) = looked else { break };
            limits.states = limits.states.saturating_sub(seen.states);
            answer.seen.push(seen);
        }
        Ok(())
    }
}

/// The precisions that are tried, in order: without assumptions first.
fn precisions() -> Vec<Precision> {
    let one = Precision::finer(1);
    let counting = |seen| Precision { seen, counting: true, ..Precision::COARSE };
    let assuming = one.clone().map(|it| Precision { no_overflow: true, ..it });
    one.into_iter().chain((2..=MOST_SEEN).map(counting)).chain(assuming).collect()
}

/// Whether an attempt may prove more than those before.
fn is_worth_it(precision: &Precision, before: &[Attempt]) -> bool {
    let is_final = |it: &Attempt| match it.result {
        Ok(Theorem::Terminates) | Err(Obstacle::Stopped | Obstacle::NoStart) => true,
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
    if precision.seen > 1 {
        return is_worth_seeing_more(before);
    }
    // Those who tell more copies apart have no fewer views.
    let are_too_many = before.last().is_some_and(|it| it.result == Err(Obstacle::TooMany));
    if are_too_many && precision.copies_of_others > Precision::COARSE.copies_of_others {
        return false;
    }
    let counted = before.iter().filter(|it| it.precision.counting);
    let copies = precision.copies != Precision::COARSE.copies;
    // More copies are needed to see that each contributes little.
    let too_much = |it: &Attempt| it.result == Err(Obstacle::Fault(Fault::Counting));
    !copies || counted.clone().any(|it| !it.counted.is_empty() && too_much(it))
}

/// Whether views of more members may show that what is in the way never happens.
fn is_worth_seeing_more(before: &[Attempt]) -> bool {
    before.last().is_some_and(|it| {
        matches!(
            it.result,
            Err(Obstacle::Deadlock | Obstacle::Fault(Fault::Failure | Fault::Runaway | Fault::RunError))
        )
    })
}

fn rank(proved: &Theorem) -> u32 {
    match proved {
        Theorem::Terminates => 2,
        Theorem::TerminatesIfFair(_) => 1,
        Theorem::NothingGoesWrong => 0,
    }
}
