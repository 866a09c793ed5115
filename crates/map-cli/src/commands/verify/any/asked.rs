//! The answer for one file: exit code, text and JSON.

use map_explain::Tone;
use map_explain::any::properties::reason;
use map_explain::any::{self, AnyPresentation, page};
use map_ir::{ProcedureId, Program, RoleId};
use map_render::report::Report;
use map_session::{AnyAnswer, AnyProperty, AnyPropertyVerdict, Compilation};
use map_verify::Report as Searched;
use map_views::{AnyVerdict, no_new_views_since};

use super::super::args::{DeniedArg, Detail};
use super::super::junit::{Suites, number_of};
use super::Question;
use crate::exit::Exit;
use crate::json::{
    AnyNumberOutput, AnyOutput, AnyPropertyOutput, HabitOutput, Header, MailboxOutput, MethodOutput, Origin,
};
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
        match any::tone(&self.found, self.presentation()) {
            Tone::Good => Exit::Fine,
            Tone::Bad => Exit::Violation,
            Tone::Doubtful => Exit::Inconclusive,
        }
    }

    fn presentation(&self) -> AnyPresentation<'_> {
        AnyPresentation {
            others: &self.question.others,
            denies_fairness: self.question.args.deny.contains(&DeniedArg::IfFair),
            interrupted: self.interrupted,
        }
    }

    pub(super) fn report(&self) -> Report {
        page::report(&self.found, self.presentation())
    }

    /// Adds its JUnit suite.
    pub(super) fn add_to(&self, suites: &mut Suites) {
        let (role, from) = (self.question.role, self.found.answer.from);
        let number = number_of(role, from);
        let about = (&*self.loaded.source, self.program().scene.as_str(), number.as_str());
        let grounds = any::grounds(&self.found, self.presentation());
        let mut words = any::verdict_in_words(&self.found, self.presentation());
        if matches!(self.found.violated(), Some((_, true))) {
            words.push_str("; a property is violated");
        }
        suites.any(about, self.exit(), (&words, &grounds), self.found.took);
    }

    pub(super) fn text(&self) -> String {
        let present = match self.question.args.detail() {
            Detail::Line => any::in_line,
            Detail::Short => any::in_short,
            Detail::Full => any::in_full,
        };
        style::text(&present(&self.found, self.presentation()))
    }

    pub(super) fn output(&self) -> AnyOutput {
        let Question { role, args, .. } = *self.question;
        let from = self.found.answer.from;
        let number = |(count, report): &(u32, Searched)| {
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
            obstacle: any::obstacle(&self.found, self.presentation()).map(|it| it.line()),
            advice: any::obstacle(&self.found, self.presentation()).map(|it| it.advice),
            habits: any::habits(&self.found).iter().map(habit).collect(),
            method: self.found.proof().map(|proof| MethodOutput {
                members: proof.precision.seen as u32,
                views: proof.views,
                copies: proof.precision.copies,
                copies_of_others: proof.precision.copies_of_others,
                counting: any::counted_cells(&self.found, proof),
            }),
            verified: self.found.answer.concrete.iter().map(number).collect(),
            properties: self.found.properties.iter().flatten().map(property).collect(),
            no_new_views_since: no_new_views_since(&self.found.answer.seen),
            violation: None,
            assumptions: any::assumptions(&self.found),
            seconds: self.found.took.as_secs_f64(),
        }
    }
}
