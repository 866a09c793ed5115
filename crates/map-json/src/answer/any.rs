//! Answers for any number of agents, for programs.

use map_explain::any::costs::unjudged;
use map_explain::any::properties::reason;
use map_explain::any::{self, AnyPresentation, NoProof};
use map_ir::{ProcedureId, RoleId};
use map_session::{AnyAnswer, AnyCost, AnyProperty, AnyPropertyVerdict};
use map_verify::Report;
use map_views::{AnyVerdict, no_new_views_since};

use crate::{
    AnyCostOutput, AnyNumberOutput, AnyOutput, AnyPropertyOutput, CostOfNumberOutput, CostRangeOutput,
    HabitOutput, Header, MailboxOutput, MethodOutput, Origin,
};

impl AnyOutput {
    /// What is known of a scene with any number of agents of a role, but for the run of a violation. `cast` are the
    /// numbers of agents that were asked for.
    #[must_use]
    pub fn new(found: &AnyAnswer, how: AnyPresentation<'_>, cast: &[impl ToString]) -> Self {
        let program = &found.scene.program;
        let obstacle = any::obstacle(found, how);
        let number = |(count, report): &(u32, Report)| {
            let seen = found.answer.seen.iter().find(|it| it.agents == *count);
            let mailbox = |&(role, most): &(RoleId, usize)| MailboxOutput {
                role: program.role_name(role).to_owned(),
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
            procedure: program.procedure(procedure).name.clone(),
            answers,
        };
        let property = |it: &AnyProperty| AnyPropertyOutput {
            name: it.name.clone(),
            verdict: it.word().into(),
            with: if let AnyPropertyVerdict::Violated(count) = it.verdict { Some(count) } else { None },
            reason: reason(it),
            holds_up_to: it.holds_with.map(|(_, last)| last),
        };
        let cost = |it: &AnyCost| AnyCostOutput {
            name: it.name.clone(),
            each: it.each.ok().flatten(),
            reason: it.each.err().map(|why| unjudged(why).to_owned()),
            together: it
                .together
                .iter()
                .map(|&(agents, range)| CostOfNumberOutput {
                    agents,
                    range: CostRangeOutput::new(range, true),
                })
                .collect(),
        };
        Self {
            header: Header::new("verify"),
            origin: Origin::new(&found.scene.source, program, cast),
            scope: "any".to_owned(),
            role: found.question.role.clone(),
            from: found.answer.from,
            verdict: found.verdict().into(),
            proved: matches!(found.answer.verdict, AnyVerdict::Proved(_)),
            obstacle: obstacle.as_ref().map(NoProof::line),
            advice: obstacle.map(|obstacle| obstacle.advice),
            habits: any::habits(found).iter().map(habit).collect(),
            method: found.proof().map(|proof| MethodOutput {
                members: proof.precision.seen as u32,
                views: proof.views,
                copies: proof.precision.copies,
                copies_of_others: proof.precision.copies_of_others,
                counting: any::counted_cells(found, proof),
            }),
            verified: found.answer.concrete.iter().map(number).collect(),
            properties: found.properties.iter().flatten().map(property).collect(),
            costs: found.costs.iter().map(cost).collect(),
            no_new_views_since: no_new_views_since(&found.answer.seen),
            violation: None,
            assumptions: any::assumptions(found),
            seconds: found.took.as_secs_f64(),
        }
    }
}
