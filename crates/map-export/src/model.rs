//! The whole model: constants, mailboxes, a process type for each part, and the process that starts the others.

use map_ir::{AgentId, PartId, Program, Properties, Value};
use map_semantics::{Bounds, Network, open_cells};

use crate::body::ENDED;
use crate::claims::{Claim, Claims, OmissionReason, expand_sequences};
use crate::control::Holder;
use crate::declarations::{candidate, channels, constants};
use crate::explore::{InitialState, MAX_INITIAL_STATES, ways_to_start};
use crate::explored::{Explored, is_cut, occurs};
use crate::kinds::Flow;
use crate::layout::Layout;
use crate::marks::{LineMark, StepMark};
use crate::moments::Moments;
use crate::names::Names;
use crate::naming::Naming;
use crate::promela::{Expr, Item, Stmt, print};
use crate::refusal::{Reason, Refusal};
use crate::source::Source;
use crate::terms;
use crate::walk::{Walker, Wrong};

/// The maximum number of messages in a channel of SPIN.
const MAX_MAILBOX: u32 = 255;
/// The maximum number of agents. SPIN allows 255 processes, including the one that starts the others.
const MAX_AGENTS: usize = 250;

/// A scene as a model in Promela.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its text.
    pub text: String,
    /// The lines on which steps begin, counted from 1.
    pub steps: Vec<(usize, StepMark)>,
    /// The lines, counted from 1, that say how the cells of an agent start if they may start in several ways, with the
    /// options of its [`open_cells`]. By agent, all its lines together.
    pub initial: Vec<(usize, AgentId, Vec<u32>)>,
    /// The agents in the order of SPIN's process numbers: element 0 is process 1.
    pub processes: Vec<AgentId>,
    /// Whether the model does not cover dialogues with large integers.
    pub bounded_integers: bool,
    /// Its claims about all runs.
    pub claims: Vec<Claim>,
    /// The properties, by index, that are left out, and why.
    pub unstated: Vec<(usize, OmissionReason)>,
}

/// Translates a scene and its properties.
///
/// # Errors
/// The constructs that cannot be exported.
pub fn export(
    program: &Program,
    bounds: &Bounds,
    source: &Source<'_>,
    properties: &Properties,
) -> Result<Model, Vec<Refusal>> {
    refuse_limits(program, bounds)?;
    let flow = Flow::of(program);
    let claims = Claims::new(properties);
    let claimed = (!claims.list.is_empty()).then_some(&claims);
    // Whether abstract values must be distinguished, and whether any thread polls, is found during exploration,
    // which then starts again. Claims need global variables.
    let mut symbols = Moments::needs_symbols(program, &flow, &claims);
    // So does a choice of initial values, which is made before the first step.
    let mut global = claimed.is_some() || open_cells(program).next().is_some();
    loop {
        let mut names = Names::new();
        let layout = Layout::new(program, &flow, symbols, global, &mut names);
        let parts: Vec<PartId> = (0..program.parts.len())
            .map(PartId::new)
            .filter(|&part| !program.part(part).agents.is_empty())
            .collect();
        let namings: Vec<Naming<'_>> =
            parts.iter().map(|&part| Naming::new(program, &layout, part, source, &mut names)).collect();
        let mut explored = Vec::new();
        for (&part, naming) in parts.iter().zip(namings) {
            let mut walker = Walker::new(program, bounds, &flow, &layout, part, naming);
            walker.swap = Some(walker.control.holder(Holder::Swap));
            walker.claims = claimed;
            let initial_states = walker.initial_states();
            let behaviours = if walker.refusals.is_empty() { walker.explore() } else { Vec::new() };
            explored.push((part, Explored { walker, initial_states, behaviours }));
        }
        let needs_symbols = explored.iter().any(|(_, it)| it.walker.needs_symbols);
        let polls = explored.iter().any(|(_, it)| it.behaviours.iter().any(|behaviour| behaviour.polls));
        if (needs_symbols && !symbols) || (polls && !layout.global) {
            symbols |= needs_symbols;
            global |= polls;
            continue;
        }
        let mut refusals: Vec<Refusal> =
            explored.iter().flat_map(|(_, it)| it.walker.refusals.clone()).collect();
        refusals.sort_unstable();
        refusals.dedup();
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let moments = Moments {
            program,
            flow: &flow,
            layout: &layout,
            claims: &claims,
            fails: occurs(Wrong::Failure, &explored),
            cuts: is_cut(&explored),
            explored: &explored,
        };
        let names = claims.list.iter().map(|claim| names.claim(&properties.list[claim.property].name));
        let named = names.zip(&claims.list).map(|(name, claim)| {
            let formula = expand_sequences(&claim.formula);
            Claim { name, formula, ..*claim }
        });
        let named = named.collect();
        return Ok(assemble(bounds, source, &moments, named));
    }
}

pub(crate) fn refuse_limits(program: &Program, bounds: &Bounds) -> Result<(), Vec<Refusal>> {
    let mut refusals = Vec::new();
    if bounds.mailbox > MAX_MAILBOX {
        refusals.push(Refusal { span: None, reason: Reason::LongMailbox });
    }
    if program.agents.len() > MAX_AGENTS {
        refusals.push(Refusal { span: None, reason: Reason::ManyAgents });
    }
    // Matched exhaustively, so that a new kind of network fault cannot be left out of models silently.
    let Network { unordered: _, delayed, losses: _, crashes } = bounds.network;
    if delayed {
        refusals.push(Refusal { span: None, reason: Reason::Delays });
    }
    if crashes > 0 {
        refusals.push(Refusal { span: None, reason: Reason::Crashes });
    }
    refusals.extend(crate::integers::too_large(program));
    refusals.extend(terms::too_many(program));
    if program.cast().any(|agent| ways_to_start(program, agent) > MAX_INITIAL_STATES) {
        refusals.push(Refusal { span: None, reason: Reason::InitialValues });
    }
    if refusals.is_empty() { Ok(()) } else { Err(refusals) }
}

fn assemble(bounds: &Bounds, source: &Source<'_>, moments: &Moments<'_>, named: Vec<Claim>) -> Model {
    let Moments { program, layout, explored, claims, .. } = *moments;
    let mut marks = Vec::new();
    let mut items = vec![Item::Comment(crate::header::lines(bounds, source, moments, &named)), Item::Blank];
    items.extend(constants(program, layout, explored, !named.is_empty()));
    items.extend(channels(program, bounds, layout));
    items.extend(crate::losses::counter(bounds));
    for (_, part) in explored {
        items.extend(part.globals());
    }
    if layout.symbols {
        items.extend(candidate(program, layout, explored));
    }
    if layout.global {
        items.extend(crate::quiescence::definitions(program, bounds, explored));
    }
    if !named.is_empty() {
        items.extend(moments.definitions());
    }
    for (id, part) in explored {
        items.push(part.process(*id, &mut marks));
        items.push(Item::Blank);
    }
    if named.is_empty() {
        items.push(init(program, layout, explored, &mut marks));
    } else {
        items.push(crate::halt::init(moments, &mut marks));
        items.push(Item::Blank);
        items.extend(moments.claims(source, &named));
    }
    let printed = print(&items);
    let (mut steps, mut initial) = (Vec::new(), Vec::new());
    for (line, mark) in printed.lines {
        match &marks[mark] {
            LineMark::Step(mark) => steps.push((line, *mark)),
            LineMark::Initial(agent, options) => initial.push((line, *agent, options.clone())),
        }
    }
    initial.sort_by_key(|(line, agent, _)| (*agent, *line));
    Model {
        text: printed.text,
        steps,
        initial,
        processes: program.cast().collect(),
        bounded_integers: layout.integers,
        claims: named,
        unstated: claims.unstated.clone(),
    }
}

/// The process that starts the others, for models without claims.
fn init(
    program: &Program,
    layout: &Layout,
    explored: &[(PartId, Explored<'_>)],
    marks: &mut Vec<LineMark>,
) -> Item {
    let run = |agent: AgentId| {
        let (_, part) = explored
            .iter()
            .find(|(id, _)| *id == program.agent(agent).part)
            .expect("every agent plays a part");
        let name = layout.constant(Value::Agent(agent));
        Stmt::Run(part.walker.naming.part.clone(), vec![name])
    };
    let fails = |states: &Vec<InitialState>| states.iter().all(|it| it.ended == Some(false));
    let fails = explored.iter().any(|(_, it)| it.initial_states.iter().any(fails));
    let mut first = Vec::new();
    if fails {
        // The failure happens before the first step, and nothing follows it.
        first = vec![Stmt::Assert(Expr::name(Wrong::Failure.constant()))];
    } else {
        first.extend(explored.iter().flat_map(|(_, part)| match part.is_set_up() {
            true => part.set_up(marks),
            false => ended_at_once(layout, part),
        }));
        first.extend(program.cast().map(run));
    }
    if first.is_empty() {
        first.push(Stmt::Guard(Expr::name("skip")));
    }
    let mut body = vec![Stmt::Atomic(first)];
    let may_fail =
        |part: &Explored<'_>| part.initial_states.iter().flatten().any(|it| it.ended == Some(false));
    if !fails && explored.iter().any(|(_, it)| may_fail(it)) {
        body.extend([Stmt::Label(ENDED.to_owned()), Stmt::Guard(Expr::name("skip"))]);
    }
    Item::Init(body)
}

/// Marks the agents that end without a step, so that messages to them are dropped from the beginning.
fn ended_at_once(layout: &Layout, part: &Explored<'_>) -> Vec<Stmt> {
    let ended = part.initial_states.iter().zip(&part.walker.agents);
    let ended = ended.filter(|(states, _)| states.iter().all(|it| it.ended == Some(true)));
    let flag = |agent| layout.of_agent("ended", layout.constant(Value::Agent(agent)));
    ended.map(|(_, &agent)| Stmt::Assign(flag(agent), Expr::True)).collect()
}
