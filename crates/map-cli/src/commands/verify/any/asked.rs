//! The answer for one file: exit code, text and JSON.

use std::fmt::Write as _;
use std::time::Duration;

use anstream::adapter::strip_str;
use map_diagnostics::Severity;
use map_explain::bounds;
use map_ir::{ProcedureId, Program, RoleId};
use map_verify::{Limit, Report, Verdict};
use map_views::{Answer, AnyVerdict, Attempt, Habit, Obstacle, Precision, Proved, no_new_views_since};

use super::super::args::{Denied, Detail};
use super::super::junit::{Suites, number_of};
use super::evidence::{self, range};
use super::properties::{Found, Verdict as OfProperty};
use super::words::{About, NoProof, counted_views};
use super::{CONCRETE, Question, again};
use crate::exit::Exit;
use crate::input::Loaded;
use crate::json::{
    AnyNumberOutput, AnyOutput, AnyPropertyOutput, AnyVerdictWord, Closed as _, HabitOutput, Header,
    MailboxOutput, MethodOutput, Origin,
};
use crate::numbers::{grouped, in_words, seconds};
use crate::style;

/// The answer for one file.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) loaded: &'a Loaded,
    /// With two agents of the role.
    pub(super) program: &'a Program,
    pub(super) answer: Answer,
    /// What was found about properties, if they were judged.
    pub(super) properties: Option<Vec<Found>>,
    pub(super) took: Duration,
    /// The most views.
    pub(super) most: usize,
    pub(super) interrupted: bool,
}

impl Asked<'_> {
    pub(super) fn exit(&self) -> Exit {
        match &self.answer.verdict {
            _ if self.is_violated() => Exit::Violation,
            // What is not known of a mailbox or a property for want of time or room may be a violation.
            _ if self.may_overflow().is_some() || self.is_stopped() => Exit::Inconclusive,
            AnyVerdict::Proved(Proved::TerminatesIfFair(_)) if self.denies_fairness() => Exit::Violation,
            AnyVerdict::Proved(Proved::Terminates | Proved::TerminatesIfFair(_)) => Exit::Fine,
            AnyVerdict::Violated(_) => Exit::Violation,
            // That nothing goes wrong does not tell whether it ends.
            AnyVerdict::Proved(Proved::NothingGoesWrong)
            | AnyVerdict::NoProof(_)
            | AnyVerdict::NotVerified(_) => Exit::Inconclusive,
        }
    }

    /// Whether a proof that rests on fairness is not enough.
    fn denies_fairness(&self) -> bool {
        self.question.args.deny.contains(&Denied::IfFair)
    }

    /// See [`Answer::may_overflow`].
    pub(super) fn may_overflow(&self) -> Option<u32> {
        self.answer.may_overflow(CONCRETE)
    }

    /// Whether a limit came before a property was judged.
    fn is_stopped(&self) -> bool {
        self.properties.iter().flatten().any(|it| matches!(it.verdict, OfProperty::Stopped(_)))
    }

    /// The attempt that proved the verdict.
    fn proof(&self) -> Option<&Attempt> {
        let AnyVerdict::Proved(proved) = &self.answer.verdict else { return None };
        let proofs = || self.answer.attempts.iter().filter(|it| it.result.is_ok());
        // The verdict for one agent may be weaker than what is proved for more.
        proofs().find(|it| it.result.as_ref() == Ok(proved)).or_else(|| proofs().next_back())
    }

    pub(super) fn verdict(&self) -> AnyVerdictWord {
        match &self.answer.verdict {
            AnyVerdict::Proved(Proved::Terminates) => AnyVerdictWord::Of(Verdict::Terminates),
            AnyVerdict::Proved(Proved::TerminatesIfFair(_)) => AnyVerdictWord::Of(Verdict::TerminatesIfFair),
            AnyVerdict::Proved(Proved::NothingGoesWrong) => AnyVerdictWord::NothingGoesWrong,
            AnyVerdict::Violated(_) => {
                let last = self.answer.concrete.last();
                last.map_or(AnyVerdictWord::NoProof, |(_, report)| AnyVerdictWord::Of(report.verdict))
            }
            AnyVerdict::NoProof(_) | AnyVerdict::NotVerified(_) => AnyVerdictWord::NoProof,
        }
    }

    pub(super) fn is_violated(&self) -> bool {
        self.violated().is_some()
    }

    /// The least number of agents with which something is violated, and whether that is a property.
    pub(super) fn violated(&self) -> Option<(u32, bool)> {
        if let AnyVerdict::Violated(count) = self.answer.verdict {
            return Some((count, false));
        }
        let of_property = |it: &Found| match it.verdict {
            OfProperty::Violated(count) => Some((count, true)),
            _ => None,
        };
        self.properties.iter().flatten().filter_map(of_property).min()
    }

    /// Adds its JUnit suite.
    pub(super) fn add_to(&self, suites: &mut Suites) {
        let (role, from) = (self.question.role, self.answer.from);
        let number = number_of(role, from);
        let about = (self.loaded, self.program.scene.as_str(), number.as_str());
        let grounds = strip_str(&self.grounds()).to_string();
        let mut words = self.verdict_in_words();
        if matches!(self.violated(), Some((_, true))) {
            words.push_str("; a property is violated");
        }
        suites.any(about, self.exit(), (&words, &grounds), self.took);
    }

    /// The headline and, unless a line is wanted, what it rests on.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.headline());
        match self.question.args.detail() {
            Detail::Line => {}
            Detail::Short => text.push_str(&self.grounds()),
            Detail::Full => {
                text.push_str(&self.grounds());
                for attempt in &self.answer.attempts {
                    let _ =
                        writeln!(text, "tried: {}: {}", self.views_in_words(attempt), self.came_of(attempt));
                }
            }
        }
        text
    }

    fn headline(&self) -> String {
        let words = self.verdict_in_words();
        let words = match &self.answer.verdict {
            AnyVerdict::Violated(_) => style::bad(words),
            AnyVerdict::Proved(Proved::Terminates | Proved::TerminatesIfFair(_)) => style::good(words),
            _ => style::doubtful(words),
        };
        format!("{}  {}  {words}", self.loaded.source.name(), style::head(&self.program.scene))
    }

    /// The verdict, and what number of agents it is about.
    pub(super) fn verdict_in_words(&self) -> String {
        let (role, from) = (self.question.role, self.answer.from);
        let least = if from > 1 { format!(" from {from} on") } else { String::new() };
        match &self.answer.verdict {
            AnyVerdict::Violated(count) => format!("{}, with {role}={count}", self.verdict().word()),
            _ => format!("{}, for any number of %{role}{least}", self.verdict().word()),
        }
    }

    /// What the verdict rests on, line by line.
    pub(super) fn grounds(&self) -> String {
        let (role, from) = (self.question.role, self.answer.from);
        let mut text = String::new();
        if from > self.question.from {
            let _ = writeln!(
                text,
                "nothing is said of {role}={}: {}",
                range(self.question.from, from - 1),
                self.error()
            );
        }
        if let Some(proof) = self.proof() {
            let least = in_words(proof.precision.seen + 1);
            let (views, took) = (self.views_in_words(proof), seconds(self.took));
            let _ = writeln!(text, "proved for {least} or more from {views} ({took})");
        }
        if !matches!(self.answer.verdict, AnyVerdict::Violated(_)) {
            for line in evidence::lines(&self.answer, role, self.program) {
                let _ = writeln!(text, "{line}");
            }
        }
        if let Some(count) = self.may_overflow() {
            let mailbox = grouped(self.question.args.bounds.mailbox.into());
            let _ = writeln!(
                text,
                "not known: whether a mailbox of {mailbox} overflows with {role}={count}; to go on: raise --max-states, \
                 or --agents {role}={count}"
            );
        }
        if let Some(habits) = self.habits() {
            let least = self.proof().map_or(2, |proof| proof.precision.seen + 1);
            let least = in_words(least);
            let _ = writeln!(text, "{least} or more can always still end: they do whenever {habits}");
        }
        if self.answer.verdict == AnyVerdict::Proved(Proved::NothingGoesWrong) {
            text.push_str("whether all can always still end is not known\n");
        }
        if let Some(NoProof { what, why, advice }) = self.obstacle() {
            let _ = writeln!(text, "{what}: {why}");
            let _ = writeln!(text, "to go on: {advice}");
        }
        for role in &self.question.others {
            let agents = self.program.cast().map(|agent| self.program.agent(agent).role);
            let count = agents.filter(|&it| self.program.role_name(it) == *role).count();
            let _ = writeln!(text, "here {role}={count}; any number of %{role} is another question");
        }
        for property in self.properties.iter().flatten() {
            let _ = writeln!(text, "{}", property.line(role));
        }
        if let Some(count) = self.properties_not_judged() {
            let next = from.max(3);
            let what = if count == 1 { "1 property".to_owned() } else { format!("{count} properties") };
            let _ = writeln!(text, "not judged: {what}, which --agents {role}={next} judges");
        }
        for assumption in self.assumptions() {
            let _ = writeln!(text, "assumed: {assumption}");
        }
        if self.denies_fairness()
            && matches!(self.answer.verdict, AnyVerdict::Proved(Proved::TerminatesIfFair(_)))
        {
            text.push_str("denied: a run can go on for ever (--deny if-fair)\n");
        }
        text
    }

    /// What is wrong with the text with the least number of agents that was asked for.
    fn error(&self) -> String {
        let loaded = again(self.loaded, self.question.args, self.question.from);
        let first = loaded.diagnostics.iter().find(|it| it.severity() == Severity::Error);
        first.map_or_else(
            || "it is another scene".to_owned(),
            |error| format!("with it the text has an error, {} ({})", error.text, error.code.as_str()),
        )
    }

    /// How many properties the file has, if they should have been judged and were not.
    fn properties_not_judged(&self) -> Option<usize> {
        let count = map_syntax::parse(&self.loaded.source).file.properties().count();
        (count > 0 && self.question.judges_properties && self.properties.is_none()).then_some(count)
    }

    fn habits_proved(&self) -> &[Habit] {
        match &self.answer.verdict {
            AnyVerdict::Proved(Proved::TerminatesIfFair(habits)) => habits,
            _ => &[],
        }
    }

    /// The answers with which all agents end if there are two of the role or more, in words; none if the verdict
    /// needs no such.
    fn habits(&self) -> Option<String> {
        if !matches!(self.answer.verdict, AnyVerdict::Proved(Proved::TerminatesIfFair(_))) {
            return None;
        }
        let words = self.habits_proved().iter().map(|&(procedure, answers)| {
            let name = &self.program.procedure(procedure).name;
            if answers { format!("{name} answers") } else { format!("{name} says \"no\"") }
        });
        let words: Vec<String> = words.collect();
        Some(if words.is_empty() {
            "no decision says \"no\" for ever".to_owned()
        } else {
            words.join(" and ")
        })
    }

    /// The names of the cells that an attempt tells apart by who has contributed to them.
    fn counted(&self, attempt: &Attempt) -> Vec<String> {
        let name = |&(role, cell): &(RoleId, usize)| {
            let (cell, _) = self.program.memories[role.index()].cells[cell];
            format!("@{}", self.program.cell_name(cell))
        };
        attempt.counted.iter().map(name).collect()
    }

    /// How many views an attempt had, and what they show.
    fn views_in_words(&self, attempt: &Attempt) -> String {
        let Precision { seen, copies, copies_of_others, no_overflow, .. } = attempt.precision;
        let mut words = format!("{} of {} of them", counted_views(attempt.views), in_words(seen));
        let cells = self.counted(attempt);
        if !cells.is_empty() {
            let _ = write!(words, ", counting {}", cells.join(" and "));
        }
        for (copies, usual, whose) in [(copies, 2, ""), (copies_of_others, 1, " of those not seen")] {
            if copies > usual {
                let _ = write!(words, ", telling {} copies{whose} apart", in_words(usize::from(copies)));
            }
        }
        if no_overflow {
            words.push_str(", if no integer gets too large");
        }
        words
    }

    /// What came of an attempt.
    fn came_of(&self, attempt: &Attempt) -> String {
        match attempt.result {
            Ok(Proved::Terminates) => "terminates".to_owned(),
            Ok(Proved::TerminatesIfFair(_)) => "terminates if fair".to_owned(),
            Ok(Proved::NothingGoesWrong) => "no failure and no deadlock".to_owned(),
            Err(Obstacle::TooMany) => "not all views".to_owned(),
            Err(obstacle) => NoProof::of(obstacle, self.about()).what,
        }
    }

    fn about(&self) -> About<'_> {
        About {
            role: self.question.role,
            loaded: self.loaded,
            program: self.program,
            next: self.answer.first_unverified().unwrap_or(self.question.from.max(3)),
            most: self.most,
            interrupted: self.interrupted,
        }
    }

    fn obstacle(&self) -> Option<NoProof> {
        let role = self.question.role;
        let args = self.question.args;
        match self.answer.verdict {
            AnyVerdict::NoProof(it) => Some(NoProof::of(it, self.about())),
            AnyVerdict::NotVerified(count) => {
                let report = self.answer.concrete.last().map(|(_, report)| report);
                let (why, advice) = match report.and_then(|it| it.limit) {
                    Some(Limit::Interrupted) => ("it was interrupted", "let it run longer".to_owned()),
                    Some(Limit::States) => ("there are too many states", "raise --max-states".to_owned()),
                    Some(Limit::Memory) => ("there was no memory for it", "raise --max-memory".to_owned()),
                    Some(Limit::Time) => ("there was no time for it", "raise --time-limit".to_owned()),
                    Some(Limit::NoRoom | Limit::Calls | Limit::NoFirstState) => (
                        "its search cannot go on",
                        format!("--agents {role}={count} says why: verify that first"),
                    ),
                    None => {
                        let flags = report.map_or(&[][..], |it| &it.cut_by).iter().map(|bound| bound.flag());
                        let flags: Vec<&str> = flags.collect();
                        ("bounds cut some of its steps", format!("raise {}", flags.join(" and ")))
                    }
                };
                Some(NoProof {
                    what: format!("not known for {role}={count}, which is verified by itself"),
                    why: why.to_owned(),
                    advice: if args.search.max_states.is_none() && advice == "raise --max-states" {
                        format!("raise --max-states, which is {} here", grouped(self.most as u64))
                    } else {
                        advice
                    },
                })
            }
            _ => None,
        }
    }

    fn assumptions(&self) -> Vec<String> {
        let Some(proof) = self.proof() else { return Vec::new() };
        let mailboxes = "mailboxes have no bound, for they may grow with the number of agents".to_owned();
        let overflow = "no integer gets too large for 64 bits".to_owned();
        let overflow = proof.precision.no_overflow.then_some(overflow);
        [mailboxes].into_iter().chain(overflow).chain(bounds::numbers(self.program)).collect()
    }

    pub(super) fn output(&self) -> AnyOutput {
        let Question { role, args, .. } = *self.question;
        let from = self.answer.from;
        let number = |(count, report): &(u32, Report)| {
            let seen = self.answer.seen.iter().find(|it| it.agents == *count);
            let mailbox = |&(role, most): &(RoleId, usize)| MailboxOutput {
                role: self.program.role_name(role).to_owned(),
                messages: most,
            };
            AnyNumberOutput {
                agents: *count,
                verdict: report.verdict.into(),
                complete: report.complete,
                states: report.statistics.states,
                new_views: seen.map(|it| it.new_views),
                mailboxes: seen.map_or_else(Vec::new, |it| it.fullest.iter().map(mailbox).collect()),
            }
        };
        let habit = |&(procedure, answers): &(ProcedureId, bool)| HabitOutput {
            procedure: self.program.procedure(procedure).name.clone(),
            answers,
        };
        let property = |it: &Found| AnyPropertyOutput {
            name: it.name.clone(),
            verdict: it.in_short().into(),
            with: if let OfProperty::Violated(count) = it.verdict { Some(count) } else { None },
            reason: it.reason(),
            holds_up_to: it.holds_with.map(|(_, last)| last),
        };
        AnyOutput {
            header: Header::new("verify"),
            origin: Origin::new(&self.loaded.source, self.program, &args.scene.agents),
            scope: "any".to_owned(),
            role: role.to_owned(),
            from,
            verdict: self.verdict().into(),
            proved: matches!(self.answer.verdict, AnyVerdict::Proved(_)),
            obstacle: self.obstacle().map(|it| it.line()),
            advice: self.obstacle().map(|it| it.advice),
            habits: self.habits_proved().iter().map(habit).collect(),
            method: self.proof().map(|proof| MethodOutput {
                members: proof.precision.seen as u32,
                views: proof.views,
                copies: proof.precision.copies,
                copies_of_others: proof.precision.copies_of_others,
                counting: self.counted(proof),
            }),
            verified: self.answer.concrete.iter().map(number).collect(),
            properties: self.properties.iter().flatten().map(property).collect(),
            no_new_views_since: no_new_views_since(&self.answer.seen),
            violation: None,
            assumptions: self.assumptions(),
            seconds: self.took.as_secs_f64(),
        }
    }
}
