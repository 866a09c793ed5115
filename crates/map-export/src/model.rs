//! The whole model: constants, mailboxes, one process type for each part, and what every process may look at.

use map_ir::{AgentId, PartId, PointId, Program, Properties};
use map_semantics::{Bounds, Timeouts};

use crate::body::{ENDED, Step, point_of};
use crate::claims::{Claim, Claims, Unstated, about_a_run};
use crate::control::{At, Holder, HolderId, PlaceId};
use crate::explore::{Beginning, Doing};
use crate::kinds::Flow;
use crate::layout::{Column, Layout};
use crate::moments::Moments;
use crate::names::Names;
use crate::naming::Naming;
use crate::pick;
use crate::promela::{Expr, Item, Parameter, Stmt, Variable, print};
use crate::refusal::{Reason, Refusal};
use crate::source::Source;
use crate::walk::{Act, Ending, Tree, Walker, Wrong};

/// The most messages of a channel, and the most processes, that SPIN knows.
const MAX_MAILBOX: u32 = 255;
const MAX_AGENTS: usize = 250;

/// Whether what goes wrong is passed over. It is set when claims are verified: SPIN stops at what is asserted.
const PASSED_OVER: &str = "passed__over";

/// What stands on a line of the model: the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepMark {
    /// The part whose agents make it.
    pub part: PartId,
    /// Where the thread rests before it.
    pub place: PointId,
    /// The ask, send or receive; `None` for moves and timeouts.
    pub action: Option<PointId>,
    /// Whether time runs out.
    pub timeout: bool,
}

/// A scene as a model in Promela.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its text.
    pub text: String,
    /// The lines on which steps begin, counted from 1.
    pub steps: Vec<(usize, StepMark)>,
    /// The agents in the order of SPIN's process numbers, the first of which, number 1, is element 0.
    pub processes: Vec<AgentId>,
    /// Whether the model says nothing of dialogues whose integers grow large.
    pub bounded_integers: bool,
    /// What it claims of all runs.
    pub claims: Vec<Claim>,
    /// The properties, by index, that it does not state, and why.
    pub unstated: Vec<(usize, Unstated)>,
}

/// A part with all that its agents can do.
pub(crate) struct Explored<'a> {
    pub(crate) walker: Walker<'a>,
    pub(crate) beginnings: Vec<Beginning>,
    pub(crate) doings: Vec<Doing>,
}

/// Translates a scene.
///
/// # Errors
/// What the model cannot say.
pub fn export(
    program: &Program,
    bounds: &Bounds,
    source: &Source<'_>,
    properties: &Properties,
) -> Result<Model, Vec<Refusal>> {
    let flow = Flow::of(program);
    refuse_limits(program, bounds)?;
    let claims = Claims::new(properties);
    let claimed = (!claims.list.is_empty()).then_some(&claims);
    // Whether abstract values must be told apart, and whether anybody polls, turns out on the way. Claims have to see
    // everything.
    let mut symbols = Moments::needs_symbols(program, &flow, &claims);
    let mut global = claimed.is_some();
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
            let beginnings = walker.beginnings();
            let doings = if walker.refusals.is_empty() { walker.explore() } else { Vec::new() };
            explored.push((part, Explored { walker, beginnings, doings }));
        }
        let needs_symbols = explored.iter().any(|(_, it)| it.walker.needs_symbols);
        let polls = explored.iter().any(|(_, it)| it.doings.iter().any(|doing| doing.polls));
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
            let formula = about_a_run(&claim.formula);
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
    if bounds.network.crashes > 0 {
        refusals.push(Refusal { span: None, reason: Reason::Crashes });
    }
    refusals.extend(crate::integers::too_large(program));
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
        items.extend(part.globals(program, layout));
    }
    if layout.symbols {
        items.push(Item::Variable(Variable {
            kind: "int",
            name: "candidate".to_owned(),
            length: None,
            initial: None,
            comment: "within a step only".to_owned(),
        }));
        items.push(candidate_is_used(program, layout, explored));
        items.push(Item::Blank);
    }
    if layout.global {
        items.extend(crate::quiet::definitions(program, bounds, explored));
    }
    if !named.is_empty() {
        items.extend(moments.definitions());
    }
    for (id, part) in explored {
        items.push(part.process(program, bounds, layout, *id, &mut marks));
        items.push(Item::Blank);
    }
    if named.is_empty() {
        items.push(init(program, layout, explored));
    } else {
        items.push(crate::halt::init(moments));
        items.push(Item::Blank);
        items.extend(moments.claims(source, &named));
    }
    let printed = print(&items);
    Model {
        text: printed.text,
        steps: printed.lines.into_iter().map(|(line, mark)| (line, marks[mark])).collect(),
        processes: program.cast().collect(),
        bounded_integers: layout.integers,
        claims: named,
        unstated: claims.unstated.clone(),
    }
}

/// The process that starts the others, where nothing is claimed.
fn init(program: &Program, layout: &Layout, explored: &[(PartId, Explored<'_>)]) -> Item {
    let run = |agent: AgentId| {
        let (_, part) = explored
            .iter()
            .find(|(id, _)| *id == program.agent(agent).part)
            .expect("every agent plays a part");
        let name = layout.constant(map_ir::Value::Agent(agent));
        Stmt::Run(part.walker.naming.part.clone(), vec![name])
    };
    let mut first: Vec<Stmt> = ended_at_once(layout, explored);
    let fails = explored.iter().any(|(_, it)| it.beginnings.iter().any(|it| it.ended == Some(false)));
    if fails {
        // Before the first step: nothing comes after a failure.
        first = vec![Stmt::Assert(Expr::name(Wrong::Failure.constant()))];
    } else {
        first.extend(program.cast().map(run));
    }
    if first.is_empty() {
        first.push(Stmt::Guard(Expr::name("skip")));
    }
    Item::Init(vec![Stmt::Atomic(first)])
}

/// Whether a bound may cut some step.
fn is_cut(explored: &[(PartId, Explored<'_>)]) -> bool {
    fn inside(tree: &Tree) -> bool {
        match tree {
            Tree::Leaf(leaf) => leaf.ending == Ending::Cut,
            Tree::Act(_, after) => inside(after),
            Tree::Test { options, .. } => options.iter().any(|(_, tree)| inside(tree)),
        }
    }
    let doings = explored.iter().flat_map(|(_, part)| &part.doings);
    doings.flat_map(|it| it.acts.iter().chain(&it.timeouts)).any(|(_, tree)| inside(tree))
}

/// Messages to agents that end without a step are dropped from the beginning.
fn ended_at_once(layout: &Layout, explored: &[(PartId, Explored<'_>)]) -> Vec<Stmt> {
    let mut statements = Vec::new();
    for (_, part) in explored {
        for (beginning, &agent) in part.beginnings.iter().zip(&part.walker.agents) {
            if beginning.ended == Some(true) {
                let agent = layout.constant(map_ir::Value::Agent(agent));
                statements.push(Stmt::Assign(layout.of_agent("ended", agent), Expr::True));
            }
        }
    }
    statements
}

fn define(name: impl Into<String>, number: i64) -> Item {
    Item::Define { name: name.into(), parameters: Vec::new(), value: Expr::Number(number) }
}

fn constants(
    program: &Program,
    layout: &Layout,
    explored: &[(PartId, Explored<'_>)],
    claims: bool,
) -> Vec<Item> {
    let mut items =
        vec![Item::Comment(vec!["Values. Integers, if there are any, are themselves.".to_owned()])];
    items.extend(layout.definitions(program).into_iter().map(|(name, number)| define(name, number)));
    let answers = |wanted: fn(&map_ir::Body) -> bool| program.procedures.iter().any(|it| wanted(&it.body));
    let fresh = answers(|body| *body == map_ir::Body::Fresh);
    if fresh || layout.symbols || answers(|body| *body == map_ir::Body::Abstract) {
        items.push(define("abstract", layout.first_abstract(program)));
    }
    if fresh || layout.symbols {
        items.push(define("fresh", layout.first_fresh(program)));
    }
    if layout.symbols {
        let value = || Expr::name("value");
        items.push(Item::Define {
            name: "is_abstract".to_owned(),
            parameters: vec!["value"],
            value: Expr::and([
                Expr::binary(">=", value(), Expr::name("abstract")),
                Expr::binary("<", value(), Expr::name("fresh")),
            ]),
        });
    }
    items.push(Item::Blank);
    let wrongs =
        [Wrong::Failure, Wrong::Overflow, Wrong::Runaway, Wrong::RunError, Wrong::OutOfRange].into_iter();
    let used: Vec<Wrong> = wrongs.filter(|wrong| occurs(*wrong, explored)).collect();
    if !used.is_empty() {
        items.push(Item::Comment(vec![
            "What goes wrong where it is asserted; SPIN prints the name.".to_owned(),
        ]));
        if claims {
            items.push(Item::Default { name: PASSED_OVER, value: Expr::False });
        }
        for wrong in &used {
            // Beyond what the model can count it says nothing of claims either.
            let initial =
                if claims && *wrong != Wrong::OutOfRange { Expr::name(PASSED_OVER) } else { Expr::False };
            items.push(Item::Variable(Variable {
                kind: "bool",
                name: wrong.constant().to_owned(),
                length: None,
                initial: Some(initial),
                comment: String::new(),
            }));
        }
        items.push(Item::Blank);
    }
    items
}

fn occurs(wrong: Wrong, explored: &[(PartId, Explored<'_>)]) -> bool {
    fn inside(tree: &Tree, wrong: Wrong) -> bool {
        match tree {
            Tree::Leaf(leaf) => leaf.ending.wrong() == Some(wrong),
            Tree::Act(_, after) => inside(after, wrong),
            Tree::Test { options, .. } => options.iter().any(|(_, tree)| inside(tree, wrong)),
        }
    }
    explored.iter().any(|(_, part)| {
        let at_once = wrong == Wrong::Failure && part.beginnings.iter().any(|it| it.ended == Some(false));
        at_once
            || part
                .doings
                .iter()
                .any(|it| it.acts.iter().chain(&it.timeouts).any(|(_, tree)| inside(tree, wrong)))
    })
}

fn channels(program: &Program, bounds: &Bounds, layout: &Layout) -> Vec<Item> {
    let value = layout.value_type(program);
    let mut fields = vec!["mtype"];
    let mut meaning = vec!["performative".to_owned()];
    for column in layout.columns() {
        let (kind, name) = match column {
            Column::Sender => (value, "sender".to_owned()),
            Column::Role => (value, "its role".to_owned()),
            Column::Argument(index) => (value, format!("argument {}", index + 1)),
            Column::IsAbstract(index) => ("bit", format!("whether argument {} is abstract", index + 1)),
            Column::Comparison(_) => {
                ("byte", "whether two places are equal: 1, or 2 if that is open".to_owned())
            }
        };
        fields.push(kind);
        meaning.push(name);
    }
    let agents = program.agents.len().max(1);
    let mut items = Vec::new();
    let names = if layout.performatives.is_empty() {
        vec!["nothing__said".to_owned()]
    } else {
        layout.performatives.clone()
    };
    items.push(Item::Mtype { kind: None, names });
    items.push(Item::Blank);
    items.push(Item::Comment(vec![format!("The mailboxes: {}.", meaning.join(", "))]));
    items.push(Item::Channels { name: "box", count: agents, capacity: bounds.mailbox as usize, fields });
    items.push(Item::Variable(Variable {
        kind: "bool",
        name: "ended".to_owned(),
        length: Some(agents),
        initial: None,
        comment: "messages to an agent that has ended are dropped".to_owned(),
    }));
    items.push(Item::Blank);
    items
}

/// Whether the number `candidate` stands for a value that something holds.
fn candidate_is_used(program: &Program, layout: &Layout, explored: &[(PartId, Explored<'_>)]) -> Item {
    let candidate = || Expr::name("candidate");
    let mut uses = Vec::new();
    for (_, part) in explored {
        let walker = &part.walker;
        for (index, holder) in walker.control.holders.iter().enumerate() {
            if !matches!(holder, Holder::Slot(..) | Holder::Cell(_) | Holder::Scratch(_)) {
                continue;
            }
            let name = walker.holder_name(HolderId(index));
            for own in 0..walker.agents.len() {
                let element = Expr::element(&name, Expr::Number(own as i64));
                uses.push(Expr::equal(element, candidate()));
            }
        }
    }
    let columns = layout.columns();
    for agent in program.cast() {
        for column in columns.iter().filter(|it| matches!(it, Column::Argument(_))) {
            let of = |its: &Column| {
                if its == column {
                    crate::promela::Field::Is(candidate())
                } else {
                    crate::promela::Field::Any
                }
            };
            let fields = [crate::promela::Field::Any].into_iter().chain(columns.iter().map(of)).collect();
            let channel = layout.channel(layout.constant(map_ir::Value::Agent(agent)));
            uses.push(Expr::Poll(Box::new(channel), fields));
        }
    }
    Item::Define { name: "candidate_is_used".to_owned(), parameters: Vec::new(), value: Expr::or(uses) }
}

impl Explored<'_> {
    fn variables(&self, program: &Program, layout: &Layout) -> Vec<Variable> {
        let walker = &self.walker;
        let value = layout.value_type(program);
        let places = if walker.control.places.len() < 255 { "byte" } else { "int" };
        let length = layout.global.then_some(walker.agents.len());
        let mut variables: Vec<Variable> = walker
            .control
            .holders
            .iter()
            .enumerate()
            .filter(|(_, holder)| **holder != Holder::Swap)
            .map(|(index, holder)| {
                let (kind, comment) = match holder {
                    Holder::Slot(_, clause, slot) => {
                        let name = &program.clause(*clause).variables[slot.index()];
                        let line = walker.naming.source.line(program.clause(*clause).head_span);
                        (value, format!("${name} of the clause in line {line}"))
                    }
                    Holder::Cell(cell) => {
                        let memory = &program.memories[walker.role.index()];
                        (value, format!("@{}", program.cell_name(memory.cells[*cell].0)))
                    }
                    Holder::Calls(bound) => {
                        let of = walker.counted_constant(*bound).map_or(String::new(), |constant| {
                            format!(" of {}", map_ir::show_value(program, constant, &|_| String::new()))
                        });
                        ("int", format!("calls{of} so far"))
                    }
                    Holder::Side(side) => {
                        (places, format!("where side {} of the par is; 0 outside of it", side.index + 1))
                    }
                    Holder::Scratch(_) | Holder::Swap => (value, "within a step only".to_owned()),
                };
                let name = walker.holder_name(HolderId(index));
                Variable { kind, name, length, initial: None, comment }
            })
            .collect();
        if layout.global {
            let name = format!("{}__at", walker.naming.part);
            let comment = "where the agent rests".to_owned();
            variables.push(Variable { kind: places, name, length, initial: None, comment });
        }
        variables
    }

    /// What all processes can read.
    fn globals(&self, program: &Program, layout: &Layout) -> Vec<Item> {
        let mut items = Vec::new();
        let has_sides = !self.walker.control.forks.is_empty();
        if layout.global || has_sides {
            for (index, place) in self.walker.control.places.iter().enumerate() {
                if layout.global || place.thread().is_some() {
                    items.push(define(self.walker.place_name(PlaceId(index)), index as i64 + 1));
                }
            }
        }
        if layout.global {
            items.extend(self.variables(program, layout).into_iter().map(Item::Variable));
        }
        if !items.is_empty() {
            let title = format!("Places and variables of {}", self.walker.naming.part);
            items.insert(0, Item::Comment(vec![title]));
            items.push(Item::Blank);
        }
        items
    }

    fn process(
        &self,
        program: &Program,
        bounds: &Bounds,
        layout: &Layout,
        part: PartId,
        marks: &mut Vec<StepMark>,
    ) -> Item {
        let walker = &self.walker;
        let mut variables = if layout.global { Vec::new() } else { self.variables(program, layout) };
        variables.extend(walker.loss_variables());
        if self.picks() {
            let value = layout.value_type(program);
            let scratch = |kind, name: String| Variable {
                kind,
                name,
                length: None,
                initial: None,
                comment: String::new(),
            };
            variables.extend(pick::COUNTERS.iter().map(|name| scratch("byte", (*name).to_owned())));
            variables.push(scratch("mtype", pick::MESSAGE.to_owned()));
            let columns = 0..layout.columns().len();
            variables.extend(columns.map(|index| scratch(value, pick::column_name(index))));
        }
        let (mut body, first) = match walker.claims {
            Some(_) => (walker.entrance(&self.beginnings), walker.first_place(&self.beginnings)),
            None => (self.beginning(), None),
        };
        let mut stops = false;
        for id in first.into_iter().chain(self.main_places().filter(|it| Some(*it) != first)) {
            let label = walker.label(id);
            let back = format!("progress__{label}");
            let mut goes_back = false;
            let mut options = Vec::new();
            for from in self.threads_at(id) {
                let mut step = Step { from, back: &back, goes_back, timeout: false };
                options.extend(self.alternatives(bounds, layout, part, &mut step, marks));
                goes_back = step.goes_back;
            }
            body.push(Stmt::Label(label.clone()));
            if options.is_empty() {
                body.push(Stmt::Guard(Expr::False));
            } else {
                body.push(Stmt::If(options));
            }
            stops |= goes_back;
            if goes_back && walker.claims.is_none() {
                body.push(Stmt::Label(back));
                body.push(Stmt::Guard(Expr::name("skip")));
                body.push(Stmt::Goto(label));
            }
        }
        if let Some(claims) = walker.claims {
            body.extend(claims.places(stops, self.doings.iter().any(|it| it.polls)));
        }
        body.push(Stmt::Label(ENDED.to_owned()));
        body.push(Stmt::Guard(Expr::False));
        let kind = layout.value_type(program);
        let body = body.into_iter().filter(|it| !matches!(it, Stmt::If(options) if options.is_empty()));
        let body: Vec<Stmt> = body.collect();
        let name = walker.naming.part.clone();
        let swap = Variable {
            kind,
            name: walker.holder_name(walker.swap.expect("made with the walker")),
            length: None,
            initial: None,
            comment: "within a step only".to_owned(),
        };
        if uses(&body, &swap.name) {
            variables.push(swap);
        }
        let provided = if walker.claims.is_some() { crate::halt::provided() } else { Expr::True };
        Item::Process { name, parameters: vec![Parameter { kind, name: "self" }], provided, variables, body }
    }

    /// The places of first threads.
    fn main_places(&self) -> impl Iterator<Item = PlaceId> {
        let places = &self.walker.control.places;
        (0..places.len()).map(PlaceId).filter(|it| places[it.0].thread().is_none())
    }

    /// The threads that may make steps while the agent's first thread is at a place: itself, or those in its `par`.
    pub(crate) fn threads_at(&self, main: PlaceId) -> Vec<PlaceId> {
        let places = &self.walker.control.places;
        match places[main.0].at {
            At::Fork(fork) => (0..places.len())
                .map(PlaceId)
                .filter(|it| places[it.0].outermost_fork() == Some(fork))
                .collect(),
            At::Point(_) | At::End(_) => vec![main],
        }
    }

    /// All that a thread may do at its place.
    fn alternatives(
        &self,
        bounds: &Bounds,
        layout: &Layout,
        part: PartId,
        step: &mut Step<'_>,
        marks: &mut Vec<StepMark>,
    ) -> Vec<Vec<Stmt>> {
        let walker = &self.walker;
        let place = &walker.control.places[step.from.0];
        let At::Point(point) = place.at else { return Vec::new() };
        let doing = &self.doings[step.from.0];
        let here = place.thread().map_or(Expr::True, |side| {
            Expr::equal(walker.holder_of_side(side), Expr::name(walker.place_name(step.from)))
        });
        let time = match bounds.timeouts {
            Timeouts::Any => doing.idle.clone(),
            Timeouts::Quiescent if layout.global => Expr::name("quiet"),
            Timeouts::Quiescent => Expr::name("timeout"),
        };
        let acts = doing.acts.iter().map(|it| (it, false));
        let timeouts = doing.timeouts.iter().map(|it| (it, true));
        let mut options = Vec::new();
        for ((guard, tree), timeout) in acts.chain(timeouts) {
            let action = point_of(tree);
            let time = if timeout { time.clone() } else { Expr::True };
            let guard = Expr::and([here.clone(), time, guard.clone()]);
            if guard == Expr::False {
                continue;
            }
            let span = walker.program.point(action.unwrap_or(point)).span;
            let what = match tree {
                _ if timeout => "timeout of ",
                Tree::Leaf(leaf) if leaf.ending == Ending::Cut => "cut at ",
                Tree::Leaf(leaf) if leaf.ending.wrong().is_some() => "wrong at ",
                Tree::Leaf(_) => "move from ",
                Tree::Act(..) | Tree::Test { .. } => "",
            };
            let source = walker.naming.source;
            let comment = format!("{}: {what}{}", source.line(span), source.snippet(span));
            marks.push(StepMark { part, place: point, action, timeout });
            step.timeout = timeout;
            let mut body = vec![Stmt::Mark(marks.len() - 1), Stmt::Guard(guard)];
            body.extend(walker.body(tree, step));
            // SPIN refuses a step that leads back to where it starts and whose guard is a constant.
            let back = walker.label(self.main_of(step.from));
            if matches!(body.as_slice(), [_, Stmt::Guard(Expr::True), .., Stmt::Goto(to)] if *to == back) {
                body[1] = Stmt::Guard(layout.of_agent("ended", Expr::name("self")).not());
            }
            // An assignment can always be made, so it needs no guard.
            if let [_, Stmt::Guard(Expr::True), Stmt::Assign(..), ..] = body.as_slice() {
                body.remove(1);
            }
            options.push(vec![Stmt::Comment(comment), Stmt::Atomic(body)]);
        }
        if doing.polls {
            options.push(self.poll(step.from, &here));
        }
        options
    }

    /// Where nothing can happen but polls they may be answered "no" for ever.
    fn poll(&self, from: PlaceId, here: &Expr) -> Vec<Stmt> {
        let something = Expr::or(self.doings[from.0].acts.iter().map(|(guard, _)| guard.clone()));
        let guard = Expr::and([here.clone(), Expr::name("only_polls"), something]);
        let comment = "asked in vain, again and again".to_owned();
        if let Some(claims) = self.walker.claims {
            let body = [Stmt::Guard(guard)].into_iter().chain(claims.ask_in_vain()).collect();
            return vec![Stmt::Comment(comment), Stmt::Atomic(body)];
        }
        vec![Stmt::Comment(comment), Stmt::Guard(guard), Stmt::Goto(self.walker.label(self.main_of(from)))]
    }

    /// Where the agent's first thread is while one of its threads is at a place.
    fn main_of(&self, from: PlaceId) -> PlaceId {
        let places = &self.walker.control.places;
        match places[from.0].outermost_fork() {
            Some(fork) => {
                let index = places.iter().position(|it| it.at == At::Fork(fork));
                PlaceId(index.expect("the agent rests at the par it is in"))
            }
            None => from,
        }
    }

    /// Whether some receive has to pick its message.
    fn picks(&self) -> bool {
        self.doings.iter().flat_map(|doing| &doing.acts).any(|(_, tree)| {
            matches!(tree, Tree::Act(act, _) if matches!(&**act, Act::Receive(taking) if self.walker.picks(taking)))
        })
    }

    fn beginning(&self) -> Vec<Stmt> {
        let options: Vec<Vec<Stmt>> = self.beginnings.iter().map(|it| self.start(it)).collect();
        let first = &self.beginnings[0];
        if self.beginnings.iter().all(|it| it == first) {
            return match options.into_iter().next() {
                Some(statements) if statements.len() > 1 => vec![Stmt::Atomic(statements)],
                only => only.into_iter().flatten().collect(),
            };
        }
        let options = options.into_iter().zip(&self.walker.agents).map(|(statements, &agent)| {
            let name = self.walker.layout.constant(map_ir::Value::Agent(agent));
            let mut option = vec![Stmt::Guard(Expr::equal(Expr::name("self"), name))];
            option.extend(statements);
            vec![Stmt::Atomic(option)]
        });
        vec![Stmt::If(options.collect())]
    }

    fn start(&self, beginning: &Beginning) -> Vec<Stmt> {
        let walker = &self.walker;
        let mut statements: Vec<Stmt> = beginning
            .contents
            .iter()
            .map(|(holder, value)| Stmt::Assign(walker.holder_expr(*holder), walker.layout.constant(*value)))
            .collect();
        match beginning.ended {
            Some(true) => statements.extend(walker.end()),
            Some(false) => {
                statements.push(Stmt::Assert(Expr::name(Wrong::Failure.constant())));
                statements.push(Stmt::Goto(ENDED.to_owned()));
            }
            None => {
                for &place in &beginning.places {
                    match walker.control.places[place.0].thread() {
                        None => {
                            if walker.layout.global {
                                let name = Expr::name(walker.place_name(place));
                                statements.push(Stmt::Assign(walker.main_place(), name));
                            }
                        }
                        Some(side) => {
                            let name = Expr::name(walker.place_name(place));
                            statements.push(Stmt::Assign(walker.holder_of_side(side), name));
                        }
                    }
                }
                let main = beginning.places.iter().find(|it| walker.control.places[it.0].thread().is_none());
                statements.push(Stmt::Goto(walker.label(*main.expect("an agent has a first thread"))));
            }
        }
        statements
    }
}

/// Whether statements assign to a variable of that name.
pub(crate) fn uses(statements: &[Stmt], name: &str) -> bool {
    statements.iter().any(|statement| match statement {
        Stmt::Assign(Expr::Name(it), _) => it == name,
        Stmt::If(options) | Stmt::Do(options) => options.iter().any(|option| uses(option, name)),
        Stmt::Atomic(body) => uses(body, name),
        _ => false,
    })
}
