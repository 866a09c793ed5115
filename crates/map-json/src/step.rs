//! Steps in traces.

use map_explain::Namer;
use map_explain::step::{describe_assumption, refused};
use map_ir::{PerformativeId, PointId, PointKind};
use map_semantics::{Action, ObservedStep, Step, StepKind};
use map_session::TakenStep;
use serde::Serialize;

use crate::{SpanOutput, Word};

/// A step. Names of agents are without their sigil, values in source form, abstract values as `getValue#1`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepOutput {
    /// Who.
    pub agent: String,
    /// Which of the agent's threads, from 0.
    pub thread: usize,
    /// What it is.
    pub kind: Word<StepKind>,
    /// The procedure of an ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure: Option<String>,
    /// The answer of an ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The performative of a send or receive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performative: Option<String>,
    /// The arguments of an ask or message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    /// The recipients of a send.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Vec<String>>,
    /// Those of the recipients whose copies are lost.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lost: Vec<String>,
    /// The sender of what is received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The procedures that said "no" on the way of the step.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refused: Vec<String>,
    /// How open questions are taken to come out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub taking: Vec<String>,
    /// The operation, or the place that is left.
    pub span: SpanOutput,
}

impl StepOutput {
    /// A step that `namer` has already narrated, or at least learnt the names of.
    #[must_use]
    pub fn new(namer: &Namer<'_>, seen: &TakenStep<'_>) -> Self {
        let program = namer.program;
        // By name: whatever else a step has may belong here.
        let ObservedStep { outcome, result: _, unread: _, lost } = seen.observed;
        let name = |agent| program.agent_name(agent).to_owned();
        let values = |values: &[_]| values.iter().map(|&value| namer.value(value)).collect();
        let performative = |it: PerformativeId| Some(program.performative(it).name.clone());
        let at = outcome.action.as_ref().map_or(seen.place, Action::point);
        let mut step = Self {
            agent: name(seen.step.agent),
            thread: seen.step.thread,
            kind: outcome.kind.into(),
            procedure: None,
            answer: None,
            performative: None,
            arguments: None,
            to: None,
            lost: lost.iter().map(|&agent| name(agent)).collect(),
            from: None,
            refused: refused(namer, &outcome.events).into_iter().map(str::to_owned).collect(),
            taking: outcome.assumptions.iter().map(|it| describe_assumption(namer, it)).collect(),
            span: SpanOutput::of(namer.source, program.point(at).span),
        };
        match &outcome.action {
            Some(Action::Ask { point, arguments, answer, .. }) => {
                step.procedure = procedure(namer, *point);
                step.answer = Some(namer.value(*answer));
                step.arguments = Some(values(arguments));
            }
            Some(Action::Send { message, to, .. }) => {
                step.performative = performative(message.performative);
                step.arguments = Some(values(&message.arguments));
                step.to = Some(to.iter().map(|&agent| name(agent)).collect());
            }
            Some(Action::Receive { message, .. }) => {
                step.performative = performative(message.performative);
                step.arguments = Some(values(&message.arguments));
                step.from = Some(name(message.sender));
            }
            None => {}
        }
        step
    }
}

fn procedure(namer: &Namer<'_>, ask: PointId) -> Option<String> {
    match namer.program.point(ask).kind {
        PointKind::Ask { procedure, .. } => Some(namer.program.procedure(procedure).name.clone()),
        _ => None,
    }
}

/// A step in the form that replays it.
#[must_use]
pub fn choice(step: &Step) -> String {
    step.to_string()
}
