//! The answer for one file: exit code, text and JSON.

use std::fmt::Write as _;

use anstream::adapter::strip_str;
use map_diagnostics::Severity;
use map_explain::bounds;
use map_ir::{ProcedureId, Program, RoleId};
use map_session::{AnyAnswer, AnyProperty, AnyPropertyVerdict, Compilation};
use map_verify::{Limit, Report};
use map_views::{AnyVerdict, Attempt, Habit, Obstacle, Precision, Proved, no_new_views_since};

use super::super::args::{DeniedArg, Detail};
use super::super::junit::{Suites, number_of};
use super::evidence::{self, range};
use super::properties::{line, reason};
use super::words::{About, NoProof, counted_views};
use super::{Question, again};
use crate::exit::Exit;
use crate::json::{
    AnyNumberOutput, AnyOutput, AnyPropertyOutput, HabitOutput, Header, MailboxOutput, MethodOutput, Origin,
};
use crate::numbers::{grouped, in_words, seconds};
use crate::style;

/// The answer for one file.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) loaded: &'a Compilation,
    pub(super) found: AnyAnswer,
    pub(super) interrupted: bool,
}

impl Asked<'_> {
    /// The scene with two agents of the role or more.
    pub(super) fn program(&self) -> &Program {
        &self.found.scene.program
    }

    pub(super) fn exit(&self) -> Exit {
        match &self.found.answer.verdict {
            _ if self.found.violated().is_some() => Exit::Violation,
            // What is not known of a mailbox or a property for want of time or room may be a violation.
            _ if self.found.may_overflow().is_some() || self.found.is_stopped() => Exit::Inconclusive,
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
        self.question.args.deny.contains(&DeniedArg::IfFair)
    }

    /// Adds its JUnit suite.
    pub(super) fn add_to(&self, suites: &mut Suites) {
        let (role, from) = (self.question.role, self.found.answer.from);
        let number = number_of(role, from);
        let about = (&*self.loaded.source, self.program().scene.as_str(), number.as_str());
        let grounds = strip_str(&self.grounds()).to_string();
        let mut words = self.verdict_in_words();
        if matches!(self.found.violated(), Some((_, true))) {
            words.push_str("; a property is violated");
        }
        suites.any(about, self.exit(), (&words, &grounds), self.found.took);
    }

    /// The headline and, unless a line is wanted, what it rests on.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.headline());
        match self.question.args.detail() {
            Detail::Line => {}
            Detail::Short => text.push_str(&self.grounds()),
            Detail::Full => {
                text.push_str(&self.grounds());
                for attempt in &self.found.answer.attempts {
                    let _ =
                        writeln!(text, "tried: {}: {}", self.views_in_words(attempt), self.came_of(attempt));
                }
            }
        }
        text
    }

    fn headline(&self) -> String {
        let words = self.verdict_in_words();
        let words = match &self.found.answer.verdict {
            AnyVerdict::Violated(_) => style::bad(words),
            AnyVerdict::Proved(Proved::Terminates | Proved::TerminatesIfFair(_)) => style::good(words),
            _ => style::doubtful(words),
        };
        format!("{}  {}  {words}", self.loaded.source.name(), style::head(&self.program().scene))
    }

    /// The verdict, and what number of agents it is about.
    pub(super) fn verdict_in_words(&self) -> String {
        let (role, from) = (self.question.role, self.found.answer.from);
        let least = if from > 1 { format!(" from {from} on") } else { String::new() };
        match &self.found.answer.verdict {
            AnyVerdict::Violated(count) => format!("{}, with {role}={count}", self.found.verdict()),
            _ => format!("{}, for any number of %{role}{least}", self.found.verdict()),
        }
    }

    /// What the verdict rests on, line by line.
    pub(super) fn grounds(&self) -> String {
        let (role, from) = (self.question.role, self.found.answer.from);
        let mut text = String::new();
        if from > self.question.from {
            let _ = writeln!(
                text,
                "nothing is said of {role}={}: {}",
                range(self.question.from, from - 1),
                self.error()
            );
        }
        if let Some(proof) = self.found.proof() {
            let least = in_words(proof.precision.seen + 1);
            let (views, took) = (self.views_in_words(proof), seconds(self.found.took));
            let _ = writeln!(text, "proved for {least} or more from {views} ({took})");
        }
        if !matches!(self.found.answer.verdict, AnyVerdict::Violated(_)) {
            for line in evidence::lines(&self.found.answer, role, self.program()) {
                let _ = writeln!(text, "{line}");
            }
        }
        if let Some(count) = self.found.may_overflow() {
            let mailbox = grouped(self.question.args.bounds.mailbox.into());
            let _ = writeln!(
                text,
                "not known: whether a mailbox of {mailbox} overflows with {role}={count}; to go on: raise --max-states, \
                 or --agents {role}={count}"
            );
        }
        if let Some(habits) = self.habits() {
            let least = self.found.proof().map_or(2, |proof| proof.precision.seen + 1);
            let least = in_words(least);
            let _ = writeln!(text, "{least} or more can always still end: they do whenever {habits}");
        }
        if self.found.answer.verdict == AnyVerdict::Proved(Proved::NothingGoesWrong) {
            text.push_str("whether all can always still end is not known\n");
        }
        if let Some(NoProof { what, why, advice }) = self.obstacle() {
            let _ = writeln!(text, "{what}: {why}");
            let _ = writeln!(text, "to go on: {advice}");
        }
        for role in &self.question.others {
            let agents = self.program().cast().map(|agent| self.program().agent(agent).role);
            let count = agents.filter(|&it| self.program().role_name(it) == *role).count();
            let _ = writeln!(text, "here {role}={count}; any number of %{role} is another question");
        }
        for property in self.found.properties.iter().flatten() {
            let _ = writeln!(text, "{}", line(property, role));
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
            && matches!(self.found.answer.verdict, AnyVerdict::Proved(Proved::TerminatesIfFair(_)))
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
        (count > 0 && self.question.judges_properties && self.found.properties.is_none()).then_some(count)
    }

    fn habits_proved(&self) -> &[Habit] {
        match &self.found.answer.verdict {
            AnyVerdict::Proved(Proved::TerminatesIfFair(habits)) => habits,
            _ => &[],
        }
    }

    /// The answers with which all agents end if there are two of the role or more, in words; none if the verdict
    /// needs no such.
    fn habits(&self) -> Option<String> {
        if !matches!(self.found.answer.verdict, AnyVerdict::Proved(Proved::TerminatesIfFair(_))) {
            return None;
        }
        let words = self.habits_proved().iter().map(|&(procedure, answers)| {
            let name = &self.program().procedure(procedure).name;
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
            let (cell, _) = self.program().memories[role.index()].cells[cell];
            format!("@{}", self.program().cell_name(cell))
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
            program: self.program(),
            next: self.found.answer.first_unverified().unwrap_or(self.question.from.max(3)),
            most: self.found.most,
            interrupted: self.interrupted,
        }
    }

    fn obstacle(&self) -> Option<NoProof> {
        let role = self.question.role;
        let args = self.question.args;
        match self.found.answer.verdict {
            AnyVerdict::NoProof(it) => Some(NoProof::of(it, self.about())),
            AnyVerdict::NotVerified(count) => {
                let report = self.found.answer.concrete.last().map(|(_, report)| report);
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
                        format!("raise --max-states, which is {} here", grouped(self.found.most as u64))
                    } else {
                        advice
                    },
                })
            }
            _ => None,
        }
    }

    fn assumptions(&self) -> Vec<String> {
        let Some(proof) = self.found.proof() else { return Vec::new() };
        let mailboxes = "mailboxes have no bound, for they may grow with the number of agents".to_owned();
        let overflow = "no integer gets too large for 64 bits".to_owned();
        let overflow = proof.precision.no_overflow.then_some(overflow);
        [mailboxes].into_iter().chain(overflow).chain(bounds::numbers(self.program())).collect()
    }

    pub(super) fn output(&self) -> AnyOutput {
        let Question { role, args, .. } = *self.question;
        let from = self.found.answer.from;
        let number = |(count, report): &(u32, Report)| {
            let seen = self.found.answer.seen.iter().find(|it| it.agents == *count);
            let mailbox = |&(role, most): &(RoleId, usize)| MailboxOutput {
                role: self.program().role_name(role).to_owned(),
                messages: most,
            };
            AnyNumberOutput {
                agents: *count,
                verdict: report.verdict.words().to_owned(),
                complete: report.complete,
                states: report.statistics.states,
                new_views: seen.map(|it| it.new_views),
                mailboxes: seen.map_or_else(Vec::new, |it| it.fullest.iter().map(mailbox).collect()),
            }
        };
        let habit = |&(procedure, answers): &(ProcedureId, bool)| HabitOutput {
            procedure: self.program().procedure(procedure).name.clone(),
            answers,
        };
        let property = |it: &AnyProperty| AnyPropertyOutput {
            name: it.name.clone(),
            verdict: it.word().to_owned(),
            with: if let AnyPropertyVerdict::Violated(count) = it.verdict { Some(count) } else { None },
            reason: reason(it),
            holds_up_to: it.holds_with.map(|(_, last)| last),
        };
        AnyOutput {
            header: Header::new("verify"),
            origin: Origin::new(&self.loaded.source, self.program(), &args.scene),
            scope: "any".to_owned(),
            role: role.to_owned(),
            from,
            verdict: self.found.verdict().to_owned(),
            proved: matches!(self.found.answer.verdict, AnyVerdict::Proved(_)),
            obstacle: self.obstacle().map(|it| it.line()),
            advice: self.obstacle().map(|it| it.advice),
            habits: self.habits_proved().iter().map(habit).collect(),
            method: self.found.proof().map(|proof| MethodOutput {
                members: proof.precision.seen as u32,
                views: proof.views,
                copies: proof.precision.copies,
                copies_of_others: proof.precision.copies_of_others,
                counting: self.counted(proof),
            }),
            verified: self.found.answer.concrete.iter().map(number).collect(),
            properties: self.found.properties.iter().flatten().map(property).collect(),
            no_new_views_since: no_new_views_since(&self.found.answer.seen),
            violation: None,
            assumptions: self.assumptions(),
            seconds: self.found.took.as_secs_f64(),
        }
    }
}
