//! Advice that was tried: what comes out with other flags where a limit came before the verdict, or a mailbox
//! overflowed.

use std::time::Duration;

use map_explain::{counted, grouped, seconds, verdict};
use map_semantics::Bounds;
use map_session::{Engine, Scene, SearchLimits, ThisProcess, TimeLimit, Verification, Watch};
use map_verify::{InternalError, Limit, Limits, Options, Report, Verdict, ViolationKind};
use map_views::{AnyVerdict, Theorem};

use crate::any::refuse_beside_any;
use crate::host::Host;
use crate::scene::Any;
use crate::search::SearchArgs;
use crate::values::CastArg;

/// The most states of an attempt, or a tenth of what the flags allow, and the longest time.
const STATES: usize = 200_000;
const TIME: Duration = Duration::from_secs(2);

/// The size of mailboxes that is tried, if the search does not say which would do.
const ROOMY: u32 = 1_000;

/// The least size of mailboxes in which a flood is sought.
const SMALL: u32 = 3;

impl SearchArgs {
    /// What was tried after this verification and came out, as a sentence that begins with the flag. Nothing of what
    /// came to nothing. Any number of agents is tried if `any_number` goes with the other flags.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn tried(
        &self,
        found: &Verification,
        any_number: bool,
        host: &impl Host,
    ) -> Result<Option<String>, InternalError> {
        let report = &found.report;
        let overflows = report.verdict == Verdict::Violated(ViolationKind::MailboxOverflow);
        let is_open = report.verdict == Verdict::Inconclusive
            && matches!(report.limit, Some(Limit::States | Limit::Memory | Limit::Time));
        if !overflows && !is_open {
            return Ok(None);
        }
        if is_open && let Some(tried) = self.try_smaller_mailboxes(found, host)? {
            return Ok(Some(tried));
        }
        // Where integers grow nothing else helps.
        if found.growth.is_some() {
            return Ok(None);
        }
        if let Some(tried) = self.try_larger_mailboxes(found, host)? {
            return Ok(Some(tried));
        }
        match is_open && any_number {
            true => self.try_any_number(found, host),
            false => Ok(None),
        }
    }

    /// The verdict with mailboxes that hold more messages.
    fn try_larger_mailboxes(
        &self,
        found: &Verification,
        host: &impl Host,
    ) -> Result<Option<String>, InternalError> {
        let mailbox = found.crowded.unwrap_or(ROOMY);
        if mailbox <= found.scene.bounds.mailbox {
            return Ok(None);
        }
        let Some((report, took)) = self.try_mailboxes(found, mailbox, host)? else { return Ok(None) };
        Ok(match report.verdict {
            Verdict::Inconclusive => None,
            Verdict::Violated(ViolationKind::MailboxOverflow) => {
                Some(format!("--mailbox {mailbox} does not help: it overflows, too (tried, {took})"))
            }
            _ => {
                let words = verdict::words(&report);
                let states = counted(report.statistics.states as u64, "state");
                let messages = grouped(mailbox.into());
                Some(format!(
                    "--mailbox {mailbox}, if {messages} messages are meant: {words} (tried, {states}, {took})"
                ))
            }
        })
    }

    /// A flood of messages, which small mailboxes show early. They hold a message from each agent, so that nothing
    /// overflows only because many agents say something once.
    fn try_smaller_mailboxes(
        &self,
        found: &Verification,
        host: &impl Host,
    ) -> Result<Option<String>, InternalError> {
        let agents = u32::try_from(found.scene.program.agents.len()).unwrap_or(u32::MAX);
        let mailbox = agents.max(SMALL);
        if mailbox >= found.scene.bounds.mailbox {
            return Ok(None);
        }
        let Some((report, took)) = self.try_mailboxes(found, mailbox, host)? else { return Ok(None) };
        let flooded = report.verdict == Verdict::Violated(ViolationKind::MailboxOverflow);
        let states = counted(report.statistics.states as u64, "state");
        Ok(flooded.then(|| {
            let words = verdict::words(&report);
            format!("--mailbox {mailbox}, which finds a flood of messages: {words} (tried, {states}, {took})")
        }))
    }

    /// What comes of mailboxes of another size, and how long it took; nothing if there is no time for that.
    fn try_mailboxes(
        &self,
        found: &Verification,
        mailbox: u32,
        host: &impl Host,
    ) -> Result<Option<(Report, String)>, InternalError> {
        let Some(limits) = limits(found, host) else { return Ok(None) };
        let scene = Scene { bounds: Bounds { mailbox, ..found.scene.bounds.clone() }, ..found.scene.clone() };
        let options = Options {
            limits: limits.limits,
            keep_going: false,
            reductions: self.reductions.chosen(),
            self_check: false,
        };
        let mut watch = host.watch(&scene, &limits);
        let report = ThisProcess.search(&scene, &options, &mut watch)?.report;
        Ok(Some((report, seconds(watch.elapsed()))))
    }

    /// The verdict for any number of agents of the role that has the most.
    fn try_any_number(
        &self,
        found: &Verification,
        host: &impl Host,
    ) -> Result<Option<String>, InternalError> {
        let program = &found.scene.program;
        let Some(part) = program.parts.iter().max_by_key(|part| part.agents.len()) else { return Ok(None) };
        let any = Any { role: program.role_name(part.role).to_owned(), from: 1 };
        if part.agents.len() < 2 || refuse_beside_any(Some(&any), &self.bounds).is_err() {
            return Ok(None);
        }
        let Some(limits) = limits(found, host) else { return Ok(None) };
        let mut args = self.clone();
        args.judge.no_properties = true;
        args.scene.agents.retain(|cast| cast.name() != any.role);
        args.scene.agents.push(CastArg::Any { name: any.role.clone(), from: any.from });
        let source = &found.scene.source;
        let Some(scene) = args.compile_any(source, &any).scene(found.scene.bounds.clone()) else {
            return Ok(None);
        };
        let mut watch = host.watch(&scene, &limits);
        let answer = args.any_number(source, &any, limits).ask(&scene, &mut watch)?;
        let proved = matches!(
            answer.answer.verdict,
            AnyVerdict::Proved(Theorem::Terminates | Theorem::TerminatesIfFair(_))
        );
        let (role, words, took) = (&any.role, answer.verdict().words(), seconds(answer.took));
        Ok((proved && answer.may_overflow().is_none())
            .then(|| format!("--agents {role}=any: {words} for any number (tried, {took})")))
    }
}

/// The limits of an attempt; none if there is nothing left.
fn limits(found: &Verification, host: &impl Host) -> Option<SearchLimits> {
    let time = host.time_left().map_or(TIME, |left| left.min(TIME));
    if host.is_stopped() || time.is_zero() {
        return None;
    }
    let SearchLimits { limits, fixed, .. } = found.limits;
    let limits = Limits { states: STATES.min(limits.states / 10), ..limits };
    Some(SearchLimits {
        limits,
        time: Some(TimeLimit { search: time, whole: time, is_shared: false }),
        fixed,
    })
}
