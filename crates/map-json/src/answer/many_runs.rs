//! Statistics of many runs, for programs.

use map_explain::Namer;
use map_ir::SourceSpan;
use map_semantics::BoundHit;
use map_session::{ManyRuns, ViolatingRuns};
use map_simulate::{CollectedValue, Distribution, EndWord};

use crate::{
    AnswersOutput, BinOutput, BoundsOutput, CutsOutput, EndOutput, EndPlace, FirstOutput, Header,
    IntervalOutput, MeasureOutput, MeasuredValue, MeasuredWord, MessagesOutput, SpanOutput, StatisticsOutput,
    StepsOutput, ViolationsOutput, yes_of,
};

/// The most bins of the histogram.
const BINS: u64 = 50;

impl StatisticsOutput {
    /// How many runs came out. `one` is the command that plays the run with a seed alone, `all` the one that plays all.
    #[must_use]
    pub fn new(played: &ManyRuns, one: &dyn Fn(u64) -> String, all: String) -> Self {
        let found = &played.statistics;
        let per_run = |count: u64| if found.runs == 0 { 0.0 } else { count as f64 / found.runs as f64 };
        let cuts = |bound| found.cuts.get(&bound).copied().unwrap_or(0);
        let messages = found.messages.iter().map(|(&it, &sent)| {
            let performative = played.scene.program.performative(it);
            MessagesOutput {
                performative: performative.name.clone(),
                arity: performative.arity,
                sent,
                mean: per_run(sent),
            }
        });
        let answers = found.answers.iter().map(|(&it, answers)| AnswersOutput {
            procedure: played.scene.program.procedure(it).name.clone(),
            yes: answers.yes,
            no: answers.no,
        });
        Self {
            header: Header::new("run"),
            file: played.scene.source.name().to_owned(),
            scene: played.scene.program.scene.clone(),
            seed: played.options.seed.into(),
            yes: played.options.yes,
            yes_of: yes_of(&played.scene.program, &played.options),
            max_steps: played.options.max_steps,
            runs: found.runs,
            wanted: played.wanted,
            ends: found.ends.iter().map(|(&end, &runs)| end_output(played, end, runs, one)).collect(),
            properties: played.properties().map(|found| violations_output(&found, one)).collect(),
            measures: played
                .measures()
                .map(|(measure, found)| measure_output(&measure.name, found))
                .collect(),
            cuts: CutsOutput { depth: cuts(BoundHit::Depth), rounds: cuts(BoundHit::Rounds) },
            confidence: 0.95,
            steps: steps_output(played),
            messages: messages.collect(),
            answers: answers.collect(),
            bounds: BoundsOutput::new(&played.scene.program, &played.scene.bounds),
            repeat: all,
        }
    }
}

fn end_output(played: &ManyRuns, end: EndWord, runs: u64, one: &dyn Fn(u64) -> String) -> EndOutput {
    let (scene, found) = (&played.scene, &played.statistics);
    let (share, low, high) = found.share(end);
    let namer = Namer::new(&scene.source, &scene.program);
    let place = |(&(_, span), &runs): (&(EndWord, SourceSpan), &u64)| EndPlace {
        runs,
        text: namer.quote(span),
        span: SpanOutput::of(&scene.source, span),
    };
    let (number, seed) = found.examples.get(&end).copied().unwrap_or_default();
    EndOutput {
        verdict: end.into(),
        runs,
        share,
        interval: IntervalOutput { low, high },
        places: found.places.iter().filter(|((it, _), _)| *it == end).map(place).collect(),
        first: number,
        seed: seed.into(),
        repeat: one(seed),
    }
}

fn violations_output(
    &ViolatingRuns { name, runs, share: (share, low, high), first }: &ViolatingRuns<'_>,
    one: &dyn Fn(u64) -> String,
) -> ViolationsOutput {
    ViolationsOutput {
        name: name.to_owned(),
        violated: runs,
        share,
        interval: IntervalOutput { low, high },
        first: first.map(|(number, seed)| FirstOutput { number, seed: seed.into(), repeat: one(seed) }),
    }
}

fn measure_output(name: &str, found: &Distribution) -> MeasureOutput {
    let moments = found.moments();
    let quantiles = [0, 5, 25, 50, 75, 95, 100].map(|percent| found.quantile(percent));
    let values = found.values.iter().map(|(value, &runs)| {
        let (share, low, high) = found.share(runs);
        let value = match value {
            CollectedValue::Integer(number) => Some(MeasuredWord::Integer(*number)),
            CollectedValue::Word(word) => Some(MeasuredWord::Word(word.clone())),
            CollectedValue::Unknown => None,
        };
        MeasuredValue { value, runs, share, interval: IntervalOutput { low, high } }
    });
    MeasureOutput {
        name: name.to_owned(),
        n: found.runs(),
        without: found.without,
        stopped: found.stopped,
        mean: moments.map(|it| it.mean),
        interval: moments.and_then(|it| it.interval).map(|(low, high)| IntervalOutput { low, high }),
        sd: moments.map(|it| it.deviation),
        quantiles: moments.map(|_| quantiles.map(Option::unwrap_or_default)),
        values: values.collect(),
    }
}

fn steps_output(played: &ManyRuns) -> Option<StepsOutput> {
    let found = &played.statistics;
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
