//! Measures of random scenes: those of the text, the same expressions given besides, and what a naive reading of the
//! run finds.

use std::ops::ControlFlow;
use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_ir::Value;
use map_semantics::{Action, Happening, Message, SceneState, SceneStep};
use map_session::{Collect, PropertySelection, Simulate, compile};
use map_simulate::{EndWord, Response, SimulationOptions};
use map_testkit::oracle::{Vocabulary, vocabulary};
use map_testkit::scenes::{
    RandomAgent, RandomMeasure, RandomSends, RandomValue, measure_alone, measures_text, random_measures,
};
use map_tests::engines::{NoWatch, check_options, judging};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{CostRange, Fairness, MostCost, verify_costs};

pub(crate) const COMPARISON: Comparison =
    Comparison { name: "measures", kind: Kind::Any, scenes: 100, compare, enough };

/// How many runs of each scene.
const RUNS: u64 = 4;

fn enough(counts: &Counts, scenes: u64) -> bool {
    let (values, nothing) = (counts.of("values"), counts.of("nothing"));
    values > scenes * 2
        && nothing * 20 > values
        && counts.of("of agents") > scenes
        && counts.of("added up") > scenes / 2
}

/// A message that is sent, and how many copies of it.
struct Sent {
    message: Message,
    copies: usize,
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let words = vocabulary(&scene.file, &scene.options);
    let measures = random_measures(&words, scene.seed);
    let text = format!("{}{}", measures_text(&words, &measures), scene.text);
    let mut names = Vec::new();
    for (number, measure) in measures.iter().enumerate() {
        match measure.of {
            None => names.push((number, None)),
            Some(role) => {
                let agents = words.agents.iter().zip(&words.role_of).filter(|(_, of)| **of == role);
                names.extend(agents.map(|(agent, _)| (number, Some(agent.as_str()))));
            }
        }
    }
    let alone: Vec<String> =
        names.iter().map(|&(number, agent)| measure_alone(&words, &measures, number, agent)).collect();
    // What is asked for twice is collected once.
    let (mut given, mut column): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
    for text in alone.iter().map(|it| format!("{it} + 0")) {
        let known = given.iter().position(|it| *it == text);
        column.push(known.unwrap_or(given.len()));
        if known.is_none() {
            given.push(text);
        }
    }
    let declared = compiled(scene, &text, Collect { given: &[], declared: true });
    let besides = compiled(scene, &scene.text, Collect { given: &given, declared: false });
    // Those that only add up are costs, too.
    let all: Vec<String> = (0..measures.len()).map(|number| format!("m{number}")).collect();
    let added_up = compiled(scene, &text, Collect { given: &all, declared: false });
    let proved = bounds_of(&added_up);
    let columns = declared.properties.measures.compiled.list.iter().map(|measure| &measure.name);
    let name = |(number, agent): &(usize, Option<&str>)| match agent {
        Some(agent) => format!("m{number}({agent})"),
        None => format!("m{number}"),
    };
    let expected: Vec<String> = names.iter().map(name).collect();
    assert!(columns.eq(expected.iter()), "{text}");
    for run in 0..RUNS {
        let seed = scene.seed.wrapping_mul(RUNS) + run;
        let Some(Collected { values: found, sent, state, .. }) = collected(&declared, seed) else { continue };
        let other = collected(&besides, seed).expect("the run is the same").values;
        let Collected { paid, is_good, .. } = collected(&added_up, seed).expect("the run is the same");
        for ((cost, paid), proved) in added_up.properties.costs.compiled.list.iter().zip(paid).zip(&proved) {
            let at = expected.iter().position(|it| *it == cost.name).expect("it is a measure");
            assert_eq!(found[at], Some(Value::Integer(paid)), "{}, seed {seed}\n{text}", cost.name);
            let is_within = proved.is_none_or(|CostRange { least, most }| {
                let is_enough = !is_good || least.is_some_and(|least| paid >= least);
                is_enough && if let MostCost::Bounded(most) = most { paid <= most } else { true }
            });
            assert!(is_within, "{} is {paid}, proved {proved:?}, seed {seed}\n{text}", cost.name);
            counts.one("added up");
        }
        let reading = Naive { scene, words: &words, measures: &measures, sent: &sent, state: &state };
        for (at, &(number, agent)) in names.iter().enumerate() {
            // What is added to 0 is an integer.
            let integer = found[at].filter(|value| matches!(value, Value::Integer(_)));
            let (other, given) = (other[column[at]], &given[column[at]]);
            assert_eq!(integer, other, "{} and {given}, seed {seed}\n{text}", expected[at]);
            assert_eq!(found[at], reading.measure(number, agent), "{}, seed {seed}\n{text}", expected[at]);
            counts.one(if found[at].is_some() { "values" } else { "nothing" });
            counts.add("of agents", usize::from(agent.is_some()));
        }
    }
}

/// What was found in a run that came to an end.
struct Collected {
    values: Vec<Option<Value>>,
    /// What measures have added up that are costs.
    paid: Vec<i64>,
    sent: Vec<Sent>,
    state: SceneState,
    is_good: bool,
}

/// What is proved of the measures that are costs; `None` if there are too many states.
fn bounds_of(compiled: &map_session::Scene) -> Vec<Option<CostRange>> {
    let costs = &compiled.properties.costs.compiled;
    let how = judging(2_000, Fairness::Fair);
    let report = verify_costs(&compiled.program, costs, &compiled.bounds, &how, &mut NoWatch);
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let mut proved: Vec<Option<CostRange>> =
        report.costs.iter().map(|it| report.searched.then_some(it.total)).collect();
    proved.resize(costs.list.len(), None);
    proved
}

/// The scene of this text, of whose runs this is collected.
fn compiled(scene: &Scene, text: &str, collect: Collect<'_>) -> map_session::Scene {
    let source = Arc::new(SourceFile::new("scene.map", text));
    let wanted = PropertySelection::Properties { only: &["none".to_owned()], given: &[], collect };
    let compiled = compile(&source, &check_options(&scene.options), wanted);
    let compiled = compiled.scene(scene.bounds.clone()).unwrap_or_else(|| panic!("{text}"));
    let refused = &compiled.properties.measures.refused;
    assert!(refused.is_empty(), "{refused:?}\n{text}");
    compiled
}

/// What is collected of a run, with what was sent and the last state; `None` if it did not come to an end.
fn collected(compiled: &map_session::Scene, seed: u64) -> Option<Collected> {
    let options = SimulationOptions {
        seed,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 200,
        loss: 0.1,
        crash: 0.1,
    };
    let costs = &compiled.properties.costs.compiled;
    let (mut sent, mut paid) = (Vec::new(), vec![0; costs.list.len()]);
    let question = Simulate::new(compiled, options);
    let played = question.ask(compiled, &mut |_| Response::Chance, &mut |seen| {
        if seen.observed.result == SceneStep::Made {
            let (agent, outcome) = (seen.step.agent, &seen.observed.outcome);
            let happening = Happening::of_step(&compiled.program, &costs.tables, agent, outcome);
            for (paid, cost) in paid.iter_mut().zip(&costs.list) {
                *paid += happening.costs[cost.total];
            }
        }
        if let Some(Action::Send { message, to, .. }) = &seen.observed.outcome.action
            && seen.observed.result == SceneStep::Made
        {
            sent.push(Sent { message: (**message).clone(), copies: to.len() });
        }
        ControlFlow::Continue(())
    });
    let is_good = EndWord::of(&played.run) == EndWord::Done;
    let ended = !played.collected.is_empty();
    let state = played.run.state.filter(|_| ended)?;
    Some(Collected { values: played.collected, paid, sent, state, is_good })
}

/// Reads measures as they are drawn.
struct Naive<'a> {
    scene: &'a Scene,
    words: &'a Vocabulary,
    measures: &'a [RandomMeasure],
    sent: &'a [Sent],
    state: &'a SceneState,
}

impl Naive<'_> {
    fn measure(&self, number: usize, agent: Option<&str>) -> Option<Value> {
        self.value(&self.measures[number].value, agent)
    }

    fn integer(&self, value: &RandomValue, own: Option<&str>) -> Option<i64> {
        integer(self.value(value, own))
    }

    fn value(&self, value: &RandomValue, own: Option<&str>) -> Option<Value> {
        Some(match value {
            RandomValue::Integer(number) => Value::Integer(*number),
            RandomValue::Copies => Value::Integer(self.sent.iter().map(|sent| sent.copies as i64).sum()),
            RandomValue::Count(sends) => Value::Integer(self.those(sends, own).count() as i64),
            RandomValue::Moment { first, sends, place } => {
                let mut those = self.those(sends, own);
                let sent = if *first { those.next() } else { those.last() };
                sent?.message.arguments[*place]
            }
            RandomValue::Cell(cell) => {
                let at = self.index_of(own?);
                let program = &self.scene.program;
                let cell = program.cells.iter().position(|it| it == cell)?;
                let index = program.cell_of(program.agents[at].role, map_ir::CellId::new(cell))?;
                self.state.agents[at].memory[index]
            }
            RandomValue::Earlier(measure) => self.measure(*measure, None)?,
            RandomValue::Sum(measure) => {
                let role = self.measures[*measure].of?;
                let agents = self.words.agents.iter().zip(&self.words.role_of).filter(|(_, of)| **of == role);
                let mut sum = 0_i64;
                for (agent, _) in agents {
                    sum = sum.checked_add(integer(self.measure(*measure, Some(agent)))?)?;
                }
                Value::Integer(sum)
            }
            RandomValue::Arithmetic(operator, left, right) => {
                let (left, right) = (self.integer(left, own)?, self.integer(right, own)?);
                Value::Integer(match *operator {
                    "+" => left.checked_add(right)?,
                    "-" => left.checked_sub(right)?,
                    "*" => left.checked_mul(right)?,
                    "/" => left.checked_div(right)?,
                    _ => left.checked_rem(right)?,
                })
            }
            RandomValue::Max(left, right) => {
                Value::Integer(self.integer(left, own)?.max(self.integer(right, own)?))
            }
            RandomValue::If(parts) => {
                let [less, than, then, otherwise] = &**parts;
                let (less, than) = (self.value(less, own), self.value(than, own));
                let is_unknown = |value| matches!(value, Some(Value::Abstract(_)));
                if less.is_some() && than.is_some() && (is_unknown(less) || is_unknown(than)) {
                    return None;
                }
                let holds = matches!((integer(less), integer(than)), (Some(less), Some(than)) if less < than);
                return self.value(if holds { then } else { otherwise }, own);
            }
        })
    }

    /// The messages that are meant, in order.
    fn those<'s>(&'s self, sends: &'s RandomSends, own: Option<&'s str>) -> impl Iterator<Item = &'s Sent> {
        let sender = match &sends.sender {
            RandomAgent::Anybody => None,
            RandomAgent::Named(name) => Some(self.index_of(name)),
            RandomAgent::Own => own.map(|own| self.index_of(own)),
        };
        self.sent.iter().filter(move |sent| {
            let performative = self.scene.program.performative(sent.message.performative);
            (&performative.name, performative.arity) == (&sends.message.0, sends.message.1)
                && sender.is_none_or(|sender| sent.message.sender.index() == sender)
        })
    }

    fn index_of(&self, agent: &str) -> usize {
        self.scene.program.agent_names.iter().position(|it| it == agent).expect("it is in the cast")
    }
}

fn integer(value: Option<Value>) -> Option<i64> {
    match value {
        Some(Value::Integer(number)) => Some(number),
        _ => None,
    }
}
