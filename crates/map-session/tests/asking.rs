//! What can be asked of a scene, without the command line.

use std::sync::Arc;

use map_ir::Program;
use map_session::{
    AnyNumber, AnyPropertyVerdict, BoundSpec, CastOverride, CheckOptions, Compilation, JudgedProperties,
    NoGraph, NoWatch, PropertySelection, Rounds, Scene, Shows, SourceFile, StateGraph, StateMark, Verify,
    WEATHERS, compile, stuck_agents,
};
use map_verify::{Limit, Progress, Snapshot, Verdict, ViolationKind};

/// Somebody asks, and nobody answers if the decision is "no".
const QUIET: &str = "talk[
    agent(!A, %asker) = question() => agent(!B, %answerer) then (waitfor answer() <= agent(_, %answerer))
    agent(!B, %answerer) = (waitfor question() <= agent(_, %asker)) then ((speaks() then answer() => agent(!A, %asker)) or skip)
] decision speaks()
property answered: eventually !A receives answer() from _
property silent: never !B sends answer() to _";

/// Every guest greets the host.
const GREETING: &str = "party[
    agent(!Host, %host) = (waitfor hello() <= agent(_, %guest))
    agent($me, %guest) = hello() => agent(!Host, %host)
]
property quiet: never failed(!Host)";

fn compiled(text: &str, cast: &str, wanted: PropertySelection<'_>) -> Compilation {
    let agents =
        cast.split_whitespace().map(|word| word.parse::<CastOverride>().expect("it is right")).collect();
    let source = Arc::new(SourceFile::new("talk.map", text));
    compile(&source, &CheckOptions { agents, ..CheckOptions::default() }, wanted)
}

fn scene(text: &str, cast: &str) -> Scene {
    let compilation = compiled(text, cast, PropertySelection::ALL);
    let program = compilation.program.as_ref().unwrap_or_else(|| panic!("{:?}", compilation.diagnostics));
    let bounds = BoundSpec::default().resolve(program).expect("no rounds are bounded");
    compilation.scene(bounds).expect("it has a program")
}

fn name(program: &Program, agent: map_ir::AgentId) -> &str {
    program.agent_name(agent)
}

#[test]
fn an_answer_has_its_evidence_and_who_waits() {
    let scene = scene(QUIET, "");
    let answer = Verify::default().ask(&scene, &mut NoWatch).unwrap();
    assert_eq!(answer.report.verdict, Verdict::Violated(ViolationKind::Deadlock));
    let evidence = answer.evidence().expect("a violation has a trace");
    assert_eq!(evidence.replayed.steps.len(), answer.violation().unwrap().steps);
    let stuck = stuck_agents(&scene.program, evidence.replayed);
    assert_eq!(stuck.iter().map(|it| name(&scene.program, it.agent)).collect::<Vec<_>>(), ["A"]);
    // Of both properties a run shows that they do not hold; that of the first is the deadlock itself.
    let violated: Vec<_> = answer.properties.violated().collect();
    assert_eq!(violated.iter().map(|it| it.entry.name.as_str()).collect::<Vec<_>>(), ["answered", "silent"]);
    assert_eq!(violated[0].evidence.shown_by(evidence), Some(Shows::Whole));
    assert_eq!(violated[1].evidence.shown_by(evidence), None);
    assert!(violated[0].evidence.is_same(violated[0].evidence));
}

#[test]
fn properties_can_be_asked_alone() {
    let scene = scene(QUIET, "");
    let answers = Verify::default().ask_properties(&scene, &mut NoWatch).unwrap();
    assert_eq!((answers.iter().count(), answers.violated().count()), (2, 2));
    assert!(answers.limit().is_none() && answers.cut_by().is_empty());
}

#[test]
fn errors_are_diagnostics_and_no_scene() {
    let unknown = compiled(QUIET, "nobody=3", PropertySelection::Nothing);
    assert!(unknown.program.is_none() && !unknown.diagnostics.is_empty());
    let two =
        compiled(&format!("{GREETING} other[ agent(!A, %a) = agent() ]"), "", PropertySelection::Nothing);
    assert_eq!(two.unchosen, ["party", "other"]);
    let compilation = compiled(QUIET, "", PropertySelection::Nothing);
    assert!(compilation.properties.entries.is_empty(), "none were wanted");
    let rounds = vec![Rounds { constant: Some("bidloop".to_owned()), limit: 2 }];
    let program = compilation.program.as_ref().unwrap();
    let error = BoundSpec { rounds, ..BoundSpec::default() }.resolve(program).unwrap_err();
    assert!(error.contains("bidloop"), "{error}");
}

#[test]
fn whoever_watches_can_end_it() {
    struct Impatient;
    impl Progress for Impatient {
        fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
            Some(Limit::Time)
        }
    }
    impl map_session::Watch for Impatient {}
    let answer = Verify::default().ask(&scene(QUIET, ""), &mut Impatient).unwrap();
    assert_eq!((answer.report.verdict, answer.report.limit), (Verdict::Inconclusive, Some(Limit::Time)));
}

#[test]
fn every_weather_can_be_asked_about() {
    let scene = scene(GREETING, "guest=1");
    let verdicts = WEATHERS.iter().map(|weather| {
        let answer = Verify::default().ask(&scene.under(weather), &mut NoWatch).unwrap();
        (weather.name, answer.report.verdict.words())
    });
    let expected = [
        ("instant", "terminates"),
        ("unordered", "terminates"),
        ("delayed", "terminates"),
        ("lossy:1", "deadlock"),
        ("crash:1", "deadlock"),
        ("timeouts any", "terminates"),
    ];
    assert_eq!(verdicts.collect::<Vec<_>>(), expected);
}

#[test]
fn any_number_of_agents_can_be_asked_about() {
    let compilation = compiled(GREETING, "guest=2", PropertySelection::Nothing);
    let bounds = BoundSpec::default().resolve(compilation.program.as_ref().unwrap()).unwrap();
    let question = AnyNumber {
        source: Arc::clone(&compilation.source),
        others: CheckOptions::default(),
        role: "guest".to_owned(),
        from: 1,
        limits: Verify::default().limits,
        properties: Some(JudgedProperties::default()),
        fairness: map_verify::Fairness::Fair,
    };
    let answer = question.ask(&compilation.scene(bounds).unwrap(), &mut NoWatch).unwrap();
    assert!(answer.proof().is_some() && answer.violated().is_none());
    let properties = answer.properties.expect("they were asked for");
    assert!(matches!(properties[0].verdict, AnyPropertyVerdict::Proved(_)), "{:?}", properties[0].verdict);
}

#[test]
fn small_scenes_have_a_state_graph() {
    let scene = scene(QUIET, "");
    let graph = StateGraph::explore(&scene, 100).expect("it is small");
    let marked = |mark| graph.states.iter().filter(|state| state.mark == mark).count();
    assert_eq!((marked(StateMark::Good), marked(StateMark::Deadlock)), (1, 1));
    assert_eq!(graph.states.iter().filter(|state| state.is_first).count(), 1);
    assert!(!graph.path.is_empty(), "the path to the deadlock is marked");
    assert_eq!(StateGraph::explore(&scene, 2).err(), Some(NoGraph::TooLarge));
}
