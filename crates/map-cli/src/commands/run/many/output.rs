//! The statistics as JSON.

use map_explain::Teller;
use map_ir::SourceSpan;
use map_semantics::BoundHit;
use map_simulate::EndWord;

use super::{Counted, Violated};
use crate::commands::run::repeat;
use crate::json::{
    AnswersOutput, BinOutput, BoundsOutput, CutsOutput, EndOutput, EndPlace, FirstOutput, Header,
    IntervalOutput, MessagesOutput, SpanOutput, StatisticsOutput, StepsOutput, ViolationsOutput, yes_of,
};

/// The most bins of the histogram.
const BINS: u64 = 50;

impl Counted<'_> {
    pub(super) fn output(&self) -> StatisticsOutput {
        let found = &self.found;
        let per_run = |count: u64| if found.runs == 0 { 0.0 } else { count as f64 / found.runs as f64 };
        let cuts = |bound| found.cuts.get(&bound).copied().unwrap_or(0);
        let messages = found.messages.iter().map(|(&it, &sent)| {
            let performative = self.program.performative(it);
            MessagesOutput {
                performative: performative.name.clone(),
                arity: performative.arity,
                sent,
                mean: per_run(sent),
            }
        });
        let answers = found.answers.iter().map(|(&it, answers)| AnswersOutput {
            procedure: self.program.procedure(it).name.clone(),
            yes: answers.yes,
            no: answers.no,
        });
        StatisticsOutput {
            header: Header::new("run"),
            file: self.loaded.source.name().to_owned(),
            scene: self.program.scene.clone(),
            seed: self.options.seed.into(),
            yes: self.options.yes,
            yes_of: yes_of(self.program, self.options),
            max_steps: self.options.max_steps,
            runs: found.runs,
            wanted: self.wanted,
            ends: found.ends.iter().map(|(&end, &runs)| self.end(end, runs)).collect(),
            properties: self.properties().map(|found| self.violations_output(&found)).collect(),
            cuts: CutsOutput { depth: cuts(BoundHit::Depth), rounds: cuts(BoundHit::Rounds) },
            confidence: 0.95,
            steps: self.steps_output(),
            messages: messages.collect(),
            answers: answers.collect(),
            bounds: BoundsOutput::new(self.program, self.bounds),
            repeat: repeat::many(self.args, self.wanted, self.options.seed),
        }
    }

    fn end(&self, end: EndWord, runs: u64) -> EndOutput {
        let (share, low, high) = self.found.share(end);
        let teller = Teller::new(&self.loaded.source, self.program);
        let place = |(&(_, span), &runs): (&(EndWord, SourceSpan), &u64)| EndPlace {
            runs,
            text: teller.quote(span),
            span: SpanOutput::of(&self.loaded.source, span),
        };
        let (number, seed) = self.found.examples.get(&end).copied().unwrap_or_default();
        EndOutput {
            verdict: end.into(),
            runs,
            share,
            interval: IntervalOutput { low, high },
            places: self.found.places.iter().filter(|((it, _), _)| *it == end).map(place).collect(),
            first: number,
            seed: seed.into(),
            repeat: repeat::one(self.args, seed),
        }
    }

    fn violations_output(
        &self,
        &Violated { name, runs, share: (share, low, high), first }: &Violated<'_>,
    ) -> ViolationsOutput {
        ViolationsOutput {
            name: name.to_owned(),
            violated: runs,
            share,
            interval: IntervalOutput { low, high },
            first: first.map(|(number, seed)| FirstOutput {
                number,
                seed: seed.into(),
                repeat: repeat::one(self.args, seed),
            }),
        }
    }

    fn steps_output(&self) -> Option<StepsOutput> {
        let found = &self.found;
        let interval = found.mean_steps_interval().map(|(low, high)| IntervalOutput { low, high });
        let bins = found.histogram(BINS).into_iter();
        Some(StepsOutput {
            least: found.quantile(0)?,
            quartiles: [found.quantile(25)?, found.quantile(50)?, found.quantile(75)?],
            most: found.quantile(100)?,
            mean: found.mean_steps(),
            interval,
            histogram: bins.map(|bin| BinOutput { from: bin.from, to: bin.to, runs: bin.runs }).collect(),
        })
    }
}
