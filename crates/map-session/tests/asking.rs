//! What can be asked of a scene, without the command line.

use std::sync::Arc;

use map_ir::Program;
use map_semantics::SceneState;
use map_session::{
    AgentStanding, AnyNumber, AnyPropertyVerdict, BoundSpec, CastOverride, CheckOptions, Compilation,
    JudgedProperties, NoGraph, NoWatch, PropertySelection, Rounds, Scene, Shows, SourceFile, StateGraph,
    StateMark, Verify, WEATHERS, Way, compile, stuck_agents,
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

/// The second asker is answered only if the first one was.
const TURNS: &str = "desk[
    agent($me, %asker) = question() => agent(!Desk, %desk) then (waitfor answer() <= agent(!Desk, %desk))
    agent(!Desk, %desk) = (waitfor question() <= agent($one, %asker)) then answer() => agent($one, %asker)
        then ((waitfor question() <= agent($other, %asker)) then answer() => agent($other, %asker))
]
property each : forall $a in %asker : eventually $a receives answer() from _
property once : always count(_ receives answer() from _) <= 1
property first : forall $a in %asker : possible $a receives answer() from _";

#[test]
fn everything_can_be_asked_after_steps_on() {
    let scene = scene(TURNS, "asker=2");
    let whole = Verify::default().ask(&scene, &mut NoWatch).unwrap();
    assert_eq!(whole.report.verdict, Verdict::Terminates);
    // The first asker is answered: until it has read the answer it can be said of both that they will.
    let graph = StateGraph::explore(&scene, 100).unwrap();
    let answered = |state: &usize| graph.states[*state].agents[0] == AgentStanding::Done;
    let (initial, steps) = graph.way_to((0..graph.states.len()).find(answered).unwrap());
    let later = scene.after(initial.clone(), steps.clone()).unwrap();
    let found = Verify::default().ask(&later, &mut NoWatch).unwrap();
    assert_eq!(found.report.verdict, Verdict::Terminates);
    let verdicts: Vec<_> = found.properties.report.iter().flat_map(|it| &it.properties).collect();
    // Interchangeable agents are not alike any more: the first one will receive nothing, the other one will.
    assert_eq!(
        verdicts.iter().map(|it| it.verdict.word()).collect::<Vec<_>>(),
        ["violated", "violated", "violated"]
    );
    assert_eq!(verdicts[0].instance.as_deref(), Some("$a = !Asker1"));
    // The run is whole, and what looks back has seen its beginning.
    let once = found.properties.violated().find(|it| it.entry.name == "once").unwrap();
    let run: Vec<_> = once.evidence.replayed.steps.iter().map(|it| it.step.clone()).collect();
    assert!(run.len() > steps.len() && run.starts_with(&steps));
    // Other casts have other steps.
    assert!(scene.after(initial, [steps.clone(), steps].concat()).is_err());
}

#[test]
fn a_deadlock_is_counted_from_the_start() {
    let scene = scene(QUIET, "");
    let whole = Verify::default().ask(&scene, &mut NoWatch).unwrap();
    let trace = &whole.violation().unwrap().trace;
    for taken in 0..=trace.steps.len() {
        let later = scene.after(trace.initial.clone(), trace.steps[..taken].to_vec()).unwrap();
        let found = Verify::default().ask(&later, &mut NoWatch).unwrap();
        assert_eq!(found.report.verdict, whole.report.verdict);
        assert_eq!(found.violation().unwrap().steps, trace.steps.len());
        assert_eq!(found.evidence().unwrap().replayed.steps.len(), trace.steps.len());
    }
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
    assert_eq!(graph.states.iter().filter(|state| matches!(state.way, Way::Start(_))).count(), 1);
    assert!(!graph.path.is_empty(), "the path to the deadlock is marked");
    assert_eq!(StateGraph::explore(&scene, 2).err(), Some(NoGraph::TooLarge));
    // The states that are nearest say whether they have steps that are not there.
    let near = StateGraph::nearest(&scene, 2).expect("it has a first state");
    assert!(graph.is_whole && !near.is_whole);
    assert_eq!((near.states.len(), near.states[1].mark), (2, StateMark::Further));
    // Who waits for what.
    let program = &scene.program;
    let awaited = |state: usize, agent: usize| match &graph.states[state].agents[agent] {
        AgentStanding::Waits { awaited, timeout: false } => {
            awaited.iter().map(|&it| program.performative(it).name.clone()).collect()
        }
        _ => Vec::new(),
    };
    assert_eq!(graph.states[0].agents[0], AgentStanding::Acts);
    assert_eq!((awaited(0, 1), awaited(1, 0)), (vec!["question".to_owned()], vec!["answer".to_owned()]));
    // The way to a state leads there.
    for state in 0..graph.states.len() {
        let (initial, steps) = graph.way_to(state);
        let there = scene.after(initial, steps).expect("it is a way");
        assert_eq!(graph.find(&SceneState::after(&there.bounds.after.unwrap())), Some(state));
    }
}
