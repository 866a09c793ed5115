//! Verifications for programs.

use map_explain::verification::{self, DeniedFinding};
use map_explain::{Namer, growth, initial_values};
use map_ir::{PerformativeId, PointKind, Program, SourceSpan};
use map_session::Verification;
use map_verify::Growth;

use super::steps_output;
use crate::{
    AlternativeKind, AlternativeOutput, BoundsOutput, ClauseOutput, CostOutput, EndlessOutput, GrownOutput,
    GrowthOutput, Header, IdleAgent, LimitsOutput, OperationOutput, Origin, PropertyOutput, SpanOutput,
    StepOutput, UnreadMessage, UnusedOutput, VerifiedOutput, ViolationOutput, Word,
};

impl VerifiedOutput {
    /// What is known of a scene after a search. `cast` are the numbers of agents that were asked for; `denied` is what
    /// is an error although it is no violation.
    #[must_use]
    pub fn new(found: &Verification, cast: &[impl ToString], denied: &[DeniedFinding]) -> Self {
        Telling { found }.output(cast, denied)
    }
}

#[derive(Clone, Copy)]
struct Telling<'a> {
    found: &'a Verification,
}

impl<'a> Telling<'a> {
    fn program(self) -> &'a Program {
        &self.found.scene.program
    }

    fn output(self, cast: &[impl ToString], denied: &[DeniedFinding]) -> VerifiedOutput {
        let report = &self.found.report;
        let mut namer = Namer::new(&self.found.scene.source, self.program());
        let (trace, choices) = self.trace_output(&mut namer);
        let endless = self.endless_output(&mut namer);
        let violations = report.violations.iter().map(|violation| ViolationOutput {
            kind: violation.kind.into(),
            steps: violation.steps,
            possible: violation.possible,
        });
        VerifiedOutput {
            header: Header::new("verify"),
            origin: Origin::new(&self.found.scene.source, self.program(), cast),
            verdict: report.verdict.into(),
            complete: report.complete,
            cut: !report.cut_by.is_empty(),
            searched: report.searched,
            possible: self.found.violation().is_some_and(|violation| violation.possible),
            limit: report.limit.map(Word),
            states: report.statistics.states,
            transitions: report.statistics.transitions,
            depth: report.statistics.depth,
            violations: violations.collect(),
            untraced: report.untraced.iter().copied().map(Word).collect(),
            trace,
            initial: self
                .found
                .trace
                .as_ref()
                .map_or_else(Vec::new, |it| initial_values(&namer, &it.initial)),
            choices,
            endless,
            growth: self.growth_output(),
            denied: verification::denied(self.found, denied).map(|(denied, _)| Word(denied)).collect(),
            properties: PropertyOutput::all(&self.found.properties),
            costs: CostOutput::all(self.found),
            unused: self.unused_output(&namer),
            bounds: BoundsOutput::new(self.program(), &report.bounds),
            limits: LimitsOutput::new(&self.found.limits),
            assumptions: verification::assumptions(self.found),
            reductions: self.found.reductions.names().into_iter().map(str::to_owned).collect(),
            seconds: self.found.figures.took.as_secs_f64(),
            peak_memory_bytes: self.found.figures.peak_memory,
            states_memory_bytes: report.statistics.states_memory,
            states_per_second: self.found.states_per_second(),
            spin: None,
        }
    }

    fn trace_output(self, namer: &mut Namer<'_>) -> (Vec<StepOutput>, Vec<String>) {
        let Some(replayed) = &self.found.trace else { return (Vec::new(), Vec::new()) };
        steps_output(namer, replayed)
    }

    fn endless_output(self, namer: &mut Namer<'_>) -> Option<EndlessOutput> {
        // That of a livelock follows its trace; a scene that terminates if fair has no other trace.
        let endless = self.found.endless.as_ref().or(self.found.unfair.as_ref())?;
        let begins = self.found.violation().map_or(0, |violation| violation.steps);
        let (mut trace, mut choices) = steps_output(namer, &endless.replayed);
        let repeated_from = endless.repeated_from.checked_sub(begins)?;
        Some(EndlessOutput {
            trace: trace.split_off(begins),
            choices: choices.split_off(begins),
            repeated_from,
        })
    }

    fn growth_output(self) -> Option<GrowthOutput> {
        let Growth { replayed, repeated_from, rounds, grown } = self.found.growth.as_ref()?;
        let program = self.program();
        let (trace, choices) = steps_output(&mut Namer::new(&self.found.scene.source, program), replayed);
        let values = grown.iter().map(|it| GrownOutput {
            agent: program.agent_name(it.agent).to_owned(),
            value: growth::name_of(program, it),
            by: it.steady.then_some(it.by),
        });
        Some(GrowthOutput {
            trace,
            choices,
            repeated_from: *repeated_from,
            rounds: *rounds,
            values: values.collect(),
        })
    }

    fn unused_output(self, namer: &Namer<'_>) -> UnusedOutput {
        let program = self.program();
        let unused = &self.found.report.unused;
        let place = |span: SourceSpan| SpanOutput::of(&self.found.scene.source, span);
        let idle = unused.agents.iter().filter(|_| self.found.report.is_exhaustive()).map(|&agent| {
            let entry = program.part(program.agent(agent).part).entry;
            IdleAgent {
                agent: program.agent_name(agent).to_owned(),
                span: place(program.clause(entry).head_span),
            }
        });
        let clauses = unused.clauses.iter().map(|&clause| {
            let span = program.clause(clause).head_span;
            ClauseOutput { head: namer.quote(span), span: place(span) }
        });
        let operations = unused.operations.iter().map(|&point| {
            let point = program.point(point);
            OperationOutput { kind: Word((&point.kind).into()), span: place(point.span) }
        });
        let regions = |kind: AlternativeKind, indices: &[usize]| -> Vec<AlternativeOutput> {
            let spans = indices.iter().map(|&region| program.regions[region].span);
            spans.map(|span| AlternativeOutput { kind: kind.into(), span: place(span) }).collect()
        };
        let mut alternatives = regions(AlternativeKind::Alternative, &unused.alternatives);
        alternatives.extend(regions(AlternativeKind::Timeout, &unused.timeouts));
        let unread = unused.unread.iter().map(|&(performative, agent)| UnreadMessage {
            performative: program.performative(performative).name.clone(),
            arity: program.performative(performative).arity,
            agent: program.agent_name(agent).to_owned(),
            spans: self.sends(performative).map(place).collect(),
        });
        UnusedOutput {
            agents: idle.collect(),
            clauses: clauses.collect(),
            operations: operations.collect(),
            alternatives,
            unread: unread.collect(),
        }
    }

    /// The places where a message is sent.
    fn sends(self, wanted: PerformativeId) -> impl Iterator<Item = SourceSpan> + 'a {
        let points = self.program().points.iter();
        points
            .filter(move |point| matches!(point.kind, PointKind::Send { performative, .. } if performative == wanted))
            .map(|point| point.span)
    }
}
