//! Every view of every state that some number of members can reach is among the views that are explored for any number.

use std::collections::VecDeque;
use std::path::Path;

use indexmap::IndexSet;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_library::PROTOCOLS;
use map_semantics::{AgentState, Bounds, InitialChoices, SceneState, scene_steps};
use map_testkit::oracle::OracleOptions;
use map_tests::cases::{AnyCase, cases, cases_of_any};
use map_tests::engines::{NoWatch, bounds, limits, program};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_tests::seeds::for_each_seed;
use map_tests::settings::is_tried;
use map_verify::{Report, Verdict, ViolationKind, verify};
use map_views::{
    AnyVerdict, ExploredViews, Precision, ProofOptions, Sabotage, Tally, Theorem, prove, with_views,
};

pub(crate) const COMPARISONS: [Comparison; 2] = [
    Comparison {
        name: "views",
        kind: Kind::Any,
        scenes: 40,
        compare: random_views,
        enough: |counts, scenes| {
            counts.of("compared") > scenes && counts.of("with two members seen") > scenes / 4
        },
    },
    Comparison {
        name: "proofs-by-views",
        kind: Kind::Any,
        scenes: 40,
        compare: random_proofs,
        enough: |counts, scenes| counts.of("proofs") > scenes / 10,
    },
];

/// The most views that are explored.
const MOST_VIEWS: usize = 6_000;

/// The most concrete states whose views are looked for.
const MOST_STATES: usize = 800;

/// What came of one scene with one of its roles.
#[derive(Default)]
struct Compared {
    /// The number of concrete states.
    states: usize,
    /// Views that are missing.
    missing: Vec<String>,
}

/// The scene with so many agents of a role, if that is possible.
fn cast(text: &str, options: &OracleOptions, role: &str, count: u32) -> Option<Program> {
    let mut options = options.clone();
    options.agents.retain(|(name, _)| name != role);
    options.agents.push((role.to_owned(), count));
    program(&SourceFile::new("scene.map", text), &options).ok()
}

/// Looks for the views of the states that are reached.
fn look(
    explored: &ExploredViews<'_>,
    program: &Program,
    bounds: &Bounds,
    name: &str,
    compared: &mut Compared,
) {
    let mut seen: IndexSet<(Vec<AgentState>, Tally)> = IndexSet::new();
    let mut queue: VecDeque<(SceneState, Tally)> = VecDeque::new();
    let mut initial = InitialChoices::all(program);
    loop {
        if let (Some(state), _) = SceneState::start(program, bounds, initial.options()) {
            let tally = explored.first_tally(program, &state);
            queue.push_back((state, tally));
        }
        if !initial.advance() || queue.len() >= MOST_STATES {
            break;
        }
    }
    while let Some((state, tally)) = queue.pop_front() {
        // Symbols are numbered as they occur first.
        let mut canonical: Vec<AgentState> =
            state.agents.iter().map(|agent| AgentState::clone(agent)).collect();
        let mut symbols = Vec::new();
        for agent in &mut canonical {
            agent.rename_symbols(&mut |symbol| {
                let known = symbols.iter().position(|&it| it == symbol);
                map_ir::Symbol(known.unwrap_or_else(|| {
                    symbols.push(symbol);
                    symbols.len() - 1
                }) as u32)
            });
        }
        if seen.len() >= MOST_STATES || !seen.insert((canonical, tally.clone())) {
            continue;
        }
        for member in explored.missing(program, &state, &tally) {
            compared.missing.push(format!("{name}: {member:?} in {state:#?} {tally:?}"));
        }
        if !compared.missing.is_empty() {
            break;
        }
        for step in scene_steps(program, bounds, &state).all() {
            if let Some(after) = step.next_state(bounds, &state) {
                let tally = explored.tally(program, &state, &tally, &step, &after);
                queue.push_back((after, tally));
            }
        }
    }
    compared.states += seen.len();
}

/// Compares a scene whose role has any number of agents with it for the two least numbers of which views speak; `None`
/// if they cannot show it.
fn compare(
    text: &str,
    options: &OracleOptions,
    role: &str,
    (mut precision, sabotage): (Precision, Sabotage),
) -> Option<Compared> {
    let seen = precision.seen as u32;
    let (few, more) = (cast(text, options, role, seen + 1)?, cast(text, options, role, seen + 2)?);
    let bounds = bounds(&few, options);
    loop {
        let how = (&precision, sabotage);
        let compared = with_views((&few, &more), role, &bounds, how, MOST_VIEWS, |explored| {
            if let Some(cell) = explored.told() {
                return Err(cell);
            }
            if !explored.complete {
                return Ok(None);
            }
            let mut compared = Compared::default();
            for (program, members) in [(&few, seen + 1), (&more, seen + 2)] {
                look(explored, program, &bounds, &format!("{members} members"), &mut compared);
            }
            Ok(Some(compared))
        });
        match compared.ok()? {
            Ok(compared) => return compared,
            Err(cell) => precision.except.push(cell),
        }
    }
}

/// The options of a random scene, as far as views allow them.
pub(crate) fn options(scene: &Scene) -> OracleOptions {
    let options = scene.options.clone();
    OracleOptions { rounds: None, rounds_of: Vec::new(), losses: 0, crashes: 0, ..options }
}

/// The roles of a scene.
fn roles(text: &str, options: &OracleOptions) -> Vec<String> {
    program(&SourceFile::new("scene.map", text), options).map_or_else(|_| Vec::new(), |it| it.roles)
}

/// What came of many scenes with each of their roles.
#[derive(Default)]
struct Summary {
    /// How many comparisons.
    compared: usize,
    /// How many of them with views of two members.
    of_two: usize,
    states: usize,
    missing: Vec<String>,
}

impl Summary {
    fn add(&mut self, other: Self) {
        self.compared += other.compared;
        self.of_two += other.of_two;
        self.states += other.states;
        self.missing.extend(other.missing);
    }

    /// The sum.
    fn of(all: Vec<Self>) -> Self {
        let mut sum = Self::default();
        all.into_iter().for_each(|it| sum.add(it));
        sum
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { compared, of_two, states, missing } = self;
        write!(
            f,
            "{compared} compared, {of_two} with two members seen, {states} states, {} missing",
            missing.len()
        )
    }
}

/// Compares a scene with each of its roles.
fn compare_roles(name: &str, text: &str, options: &OracleOptions, sabotage: Sabotage) -> Summary {
    let mut all = Summary::default();
    for role in roles(text, options) {
        let coarse = Precision { no_overflow: true, ..Precision::COARSE };
        let counting = Precision { counting: true, ..coarse.clone() };
        let copies = Precision { copies: 3, copies_of_others: 2, ..counting.clone() };
        let pairs = Precision { seen: 2, ..counting.clone() };
        for precision in [coarse, counting, copies, pairs] {
            let (how, of_two) = (format!("{precision:?}"), usize::from(precision.seen == 2));
            if let Some(Compared { states, missing }) = compare(text, options, &role, (precision, sabotage)) {
                let told =
                    missing.iter().map(|it| format!("{name}, {role}, {how}, {it}\n{text}\n{options:?}"));
                all.add(Summary { compared: 1, of_two, states, missing: told.collect() });
            }
        }
    }
    all
}

fn random_views(scene: &Scene, counts: &mut Counts) {
    let found = compare_roles("random", &scene.text, &options(scene), Sabotage::default());
    assert!(found.missing.is_empty(), "{}", found.missing[0]);
    counts.add("compared", found.compared);
    counts.add("with two members seen", found.of_two);
    counts.add("states", found.states);
}

/// A value without a name comes back, and is compared with itself.
const ECHO: &str = "cast %b = 2
scene [
  agent(!A, %a) = agent(echo)
  agent(!A, %a, echo) = waitfor (m($v) <= agent($w, %b) then m($v) => agent($w, %b) then agent(echo)) timeout skip
  agent($me, %b) = $x = price() then m($x) => agent(!A, %a) then waitfor m($x) <= agent(!A, %a)
]
";

/// Members greet each other before they tell.
const GREETING: &str = "cast %b = 2
scene [
  agent(!A, %a) = waitfor (done() <= agent(_, %b) then agent()) timeout skip
  agent($me, %b) = hello() => agent(_, %b) then done() => agent(!A, %a)
    then waitfor (hello() <= agent($w, %b) then agent(listen)) timeout skip
  agent($me, %b, listen) = waitfor (hello() <= agent($w, %b) then agent(listen)) timeout skip
]
";

/// Protocols in which each mistake shows: first those in which most do.
const TELLING: [&str; 5] = ["agent-handoff", "contract-net", "ballot", "dutch-auction", "two-phase-commit"];

/// Compares the protocols of the library, or some of them.
fn compare_library(sabotage: Sabotage, wanted: impl Fn(&str) -> bool) -> Summary {
    let protocols = PROTOCOLS.iter().filter(|it| wanted(it.name));
    let versions = protocols.flat_map(|it| it.versions()).map(|it| (it.name, it.text));
    let versions: Vec<_> = versions.chain([("echo", ECHO), ("greeting", GREETING)]).collect();
    let compared = for_each_seed(versions.len() as u64, 0, |index| {
        let (name, text) = versions[index as usize];
        compare_roles(name, text, &OracleOptions::new(usize::MAX), sabotage)
    });
    Summary::of(compared)
}

#[test]
fn the_library_has_no_other_views() {
    let found = compare_library(Sabotage::default(), |name| is_tried(name, 3));
    println!("{found}");
    assert!(found.missing.is_empty(), "{}", found.missing[0]);
    assert!(found.compared > 50 && found.of_two > 20, "{found}");
    for text in [ECHO, GREETING] {
        assert_eq!(roles(text, &OracleOptions::new(usize::MAX)).len(), 2, "{text}");
    }
}

/// The comparison would find out if views left something out.
#[test]
fn views_that_leave_something_out_are_found() {
    for sabotage in [
        Sabotage { no_others: true, ..Sabotage::default() },
        Sabotage { wrong_support: true, ..Sabotage::default() },
        Sabotage { never_quiet: true, ..Sabotage::default() },
        Sabotage { others_differ: true, ..Sabotage::default() },
        Sabotage { unknown_differ: true, ..Sabotage::default() },
        Sabotage { wrong_count: true, ..Sabotage::default() },
        Sabotage { same_company: true, ..Sabotage::default() },
    ] {
        let finds = |telling: &&&str| !compare_library(sabotage, |name| name == **telling).missing.is_empty();
        let found = TELLING.iter().find(finds);
        println!("{sabotage:?}: {found:?}");
        assert!(found.is_some(), "{sabotage:?}");
    }
}

/// Whether a verdict for some number of members fits what is proved for any. A mailbox may be too small for so many,
/// and an integer too large if the proof `assumes` that none is.
fn fits(proved: &Theorem, assumes: bool, report: &Report) -> bool {
    let may_be_left_open = match report.verdict {
        Verdict::Inconclusive | Verdict::Violated(ViolationKind::MailboxOverflow) => true,
        Verdict::Violated(ViolationKind::RunError) => assumes,
        _ => false,
    };
    let fits = match proved {
        Theorem::Terminates => report.verdict == Verdict::Terminates,
        Theorem::TerminatesIfFair(_) => {
            matches!(report.verdict, Verdict::Terminates | Verdict::TerminatesIfFair)
        }
        Theorem::NothingGoesWrong => matches!(
            report.verdict,
            Verdict::Terminates | Verdict::TerminatesIfFair | Verdict::Violated(ViolationKind::Livelock)
        ),
    };
    report.cut_by.is_empty() && (fits || may_be_left_open)
}

/// Whether something is proved for any number of agents of a role; then it is compared with some numbers of them.
fn proof(name: &str, text: &str, options: &OracleOptions, role: &str) -> bool {
    let Some(two) = cast(text, options, role, 2) else { return false };
    let bounds = bounds(&two, options);
    let limits = limits(10_000);
    let how = ProofOptions { from: 2, concrete: 0, evidence: 0, limits, views: MOST_VIEWS };
    let scene = |count| cast(text, options, role, count);
    let answer = prove(&scene, role, &bounds, &how, &mut NoWatch).expect("nothing is replayed");
    let AnyVerdict::Proved(proved) = &answer.verdict else { return false };
    let assumes = answer.attempts.iter().any(|it| it.precision.no_overflow && it.result.is_ok());
    for count in 2..=4 {
        let Some(program) = scene(count) else { continue };
        let report = verify(&program, &bounds, &limits, false, &mut NoWatch).expect("traces replay");
        assert!(
            fits(proved, assumes, &report),
            "{name}, {role}: {proved:?} is proved, but {count}: {:?}, {:?}\n{text}\n{options:?}\n{:#?}",
            report.verdict,
            report.cut_by,
            answer.attempts
        );
    }
    true
}

fn random_proofs(scene: &Scene, counts: &mut Counts) {
    let options = OracleOptions { mailbox: 20, ..options(scene) };
    let proofs = scene.program.roles.iter().filter(|role| proof("random", &scene.text, &options, role));
    counts.add("proofs", proofs.count());
}

#[test]
fn no_proof_contradicts_a_verdict_of_the_library() {
    let versions: Vec<_> = PROTOCOLS.iter().flat_map(|it| it.versions()).collect();
    let proofs = for_each_seed(versions.len() as u64, 0, |index| {
        let version = versions[index as usize];
        let options = OracleOptions::new(usize::MAX);
        let roles = roles(version.text, &options);
        roles.iter().filter(|role| proof(version.name, version.text, &options, role)).count()
    });
    let proofs: usize = proofs.into_iter().sum();
    println!("{proofs} proofs");
    assert!(proofs > 20, "{proofs} proofs");
}

/// What is proved of the library: protocol and version, role, and what.
const PROVED: [(&str, &str, &str, &str); 22] = [
    ("agent-handoff", "handoff", "worker", "terminates"),
    ("agent-handoff", "endless-revision", "worker", "if fair"),
    ("ballot", "ballot", "voter", "terminates"),
    ("ballot", "voting-twice", "voter", "terminates"),
    ("clock-auction", "clock", "bidder", "terminates"),
    ("contract-net", "contract-net", "participant", "terminates"),
    ("double-auction", "double", "buyer", "terminates"),
    ("double-auction", "double", "seller", "terminates"),
    ("dutch-auction", "dutch", "bidder", "terminates"),
    ("english-auction", "auction", "bidder", "if fair"),
    ("fipa-dutch-auction", "fipa-dutch", "participant", "terminates"),
    ("highest-bidder", "highest-bidder", "bidder", "terminates"),
    ("highest-bidder", "published-decisions", "bidder", "nothing wrong"),
    ("highest-bidder", "price-never-rises", "bidder", "nothing wrong"),
    ("iterated-contract-net", "iterated", "contractor", "terminates without overflow"),
    ("publish-subscribe", "publish-subscribe", "publisher", "terminates"),
    ("publish-subscribe", "publish-subscribe", "subscriber", "terminates"),
    ("sealed-bid-auction", "sealed-bid", "bidder", "terminates"),
    ("travel-booking", "travel", "supplier", "terminates"),
    ("two-phase-commit", "two-phase-commit", "voter", "terminates"),
    ("two-phase-commit", "an-abort-is-missed", "voter", "violated"),
    ("vickrey-auction", "vickrey", "bidder", "terminates"),
];

#[test]
fn protocols_of_the_library_are_proved() {
    for (protocol, version, role, expected) in PROVED {
        let protocol = PROTOCOLS.iter().find(|it| it.name == protocol).expect("it is in the library");
        let version = protocol.versions().find(|it| it.name == version).expect("it is in the library");
        let cases = cases(Path::new(version.name), version.text).expect("other tests read them too");
        let options = &cases[0].options;
        let two = cast(version.text, options, role, 2).expect("the role is plural");
        let bounds = bounds(&two, options);
        let how =
            ProofOptions { from: 1, concrete: 1, evidence: 1, limits: limits(20_000), views: MOST_VIEWS * 5 };
        let scene = |count| cast(version.text, options, role, count);
        let answer = prove(&scene, role, &bounds, &how, &mut NoWatch).expect("nothing is replayed");
        let assumes = answer.attempts.last().is_some_and(|it| it.precision.no_overflow);
        let found = match &answer.verdict {
            AnyVerdict::Proved(Theorem::Terminates) if assumes => "terminates without overflow",
            AnyVerdict::Proved(Theorem::Terminates) => "terminates",
            AnyVerdict::Proved(Theorem::TerminatesIfFair(_)) => "if fair",
            AnyVerdict::Proved(Theorem::NothingGoesWrong) => "nothing wrong",
            AnyVerdict::Violated(_) => "violated",
            AnyVerdict::NoProof(_) | AnyVerdict::NotVerified(_) => "no proof",
        };
        assert_eq!(found, expected, "{}, {role}: {:?}", version.name, answer.attempts);
    }
}

/// What is found for a line about any number of agents, in its words.
fn found(text: &str, case: &AnyCase) -> String {
    let AnyCase { role, from, options, .. } = case;
    let scene = |count| cast(text, options, role, count);
    let Some(two) = scene(2) else { return "not correct".to_owned() };
    let bounds = bounds(&two, options);
    // Fewer than `map verify` allows, so that this is quick.
    let most = options.max_states.min(MOST_VIEWS * 5);
    let how = ProofOptions { from: *from, concrete: 3, evidence: 9, limits: limits(most), views: most };
    let answer = prove(&scene, role, &bounds, &how, &mut NoWatch).expect("nothing goes wrong in the search");
    match answer.verdict {
        AnyVerdict::Proved(Theorem::Terminates) => "terminates".to_owned(),
        AnyVerdict::Proved(Theorem::TerminatesIfFair(_)) => "terminates if fair".to_owned(),
        AnyVerdict::Proved(Theorem::NothingGoesWrong) => "no failure and no deadlock".to_owned(),
        AnyVerdict::Violated(_) => {
            answer.concrete.last().map_or("", |(_, report)| report.verdict.words()).to_owned()
        }
        AnyVerdict::NoProof(_) | AnyVerdict::NotVerified(_) => "no proof".to_owned(),
    }
}

/// The lines `//@ verify --agents bidder=any => ..` of the library, whose table has what they say.
#[test]
fn lines_of_the_library_say_what_is_proved() {
    let versions: Vec<_> = PROTOCOLS.iter().flat_map(|it| it.versions()).collect();
    let compared = for_each_seed(versions.len() as u64, 0, |index| {
        let version = versions[index as usize];
        let cases = cases_of_any(version.text).expect("the lines are right");
        for case in &cases {
            // Mailboxes have no bound here.
            assert_eq!(found(version.text, case), case.expected.verdict, "{}, {}", version.name, case.role);
        }
        cases.len()
    });
    let compared: usize = compared.into_iter().sum();
    assert!(compared > 50, "{compared} lines");
}
