//! The plain scheme of Walton's paper of 2004, for teaching and for comparison.
//!
//! An agent is a process, its mailbox a channel. An operation sets the flag `fail`, which decides what comes next.
//! A receive takes every message out of the channel, examines it, and puts it back if it does not match. A
//! `waitfor` polls. Only the core of the language is supported; the rest is refused.

mod act;
mod messages;
mod refuse;

use map_ir::{AgentId, PartId, PointId, PointKind, Program, Value};
use map_semantics::{Bounds, Ending, Status, Timeouts, start};

use crate::kinds::Flow;
use crate::layout::Layout;
use crate::model::Model;
use crate::names::Names;
use crate::naming::{Naming, word_of};
use crate::promela::{Expr, Item, Operator, Parameter, Stmt, Variable, print};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::walk::Wrong;

/// The array that says how each agent waits: 0 if it does not, or one of the values below.
const WAITS: &str = "waits";
const FOR_EVER: i64 = 1;
const IN_TIME: i64 = 2;

/// Translates a scene by the plain scheme. [`Model::steps`] is empty, so trails cannot be retraced.
///
/// # Errors
/// The constructs that the scheme cannot express.
pub fn export_plain(program: &Program, bounds: &Bounds, source: &Source<'_>) -> Result<Model, Vec<Refusal>> {
    crate::model::refuse_limits(program, bounds)?;
    let flow = Flow::of(program);
    let refusals = refuse::refusals(program, bounds, &flow);
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let mut names = Names::new();
    let layout = Layout::new(program, &flow, false, false, &mut names);
    let mut items = vec![Item::Comment(header(program, bounds, source)), Item::Blank];
    items.extend(preamble(program, bounds, &layout));
    let mut refusals = Vec::new();
    let mut processes = Vec::new();
    for index in (0..program.parts.len()).filter(|&it| !program.parts[it].agents.is_empty()) {
        let part = PartId::new(index);
        let naming = Naming::new(program, &layout, part, source, &mut names);
        let name = naming.part.clone();
        let mut writer = ProcessWriter {
            program,
            bounds,
            layout: &layout,
            naming,
            part,
            places: Vec::new(),
            asides: 0,
            statements: 0,
            refusals: Vec::new(),
        };
        processes.push((part, name, writer.process()));
        refusals.extend(writer.refusals);
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let run = |agent: AgentId| {
        let part = program.agent(agent).part;
        let (_, name, _) = processes.iter().find(|it| it.0 == part).expect("every agent plays a part");
        Stmt::Run(name.clone(), vec![layout.constant(Value::Agent(agent))])
    };
    // Before the first step all agents move silently to their first places, or end.
    let ends_at_once = |agent: &AgentId| match start(program, bounds, *agent, &mut [].as_slice()).ending {
        Ending::State(next) => next.status == Status::Done,
        _ => false,
    };
    let ends = |agent: AgentId| {
        Stmt::Assign(layout.of_agent("ended", layout.constant(Value::Agent(agent))), Expr::True)
    };
    let mut first: Vec<Stmt> = program.cast().filter(ends_at_once).map(ends).collect();
    first.extend(program.cast().map(run));
    if first.is_empty() {
        first.push(Stmt::Guard(Expr::name("skip")));
    }
    for (_, _, process) in processes {
        items.extend([process, Item::Blank]);
    }
    items.push(Item::Init(vec![Stmt::Atomic(first)]));
    Ok(Model {
        initial: Vec::new(),
        text: print(&items).text,
        steps: Vec::new(),
        processes: program.cast().collect(),
        bounded_integers: layout.integers,
        claims: Vec::new(),
        unstated: Vec::new(),
    })
}

fn header(program: &Program, bounds: &Bounds, source: &Source<'_>) -> Vec<String> {
    let agents: Vec<&str> = program.cast().map(|agent| program.agent_name(agent)).collect();
    let time = if bounds.timeouts == Timeouts::Any { " --timeouts any" } else { "" };
    let mut lines = vec![
        format!("The scene {} of {}, for SPIN, by the plain scheme of the 2004 paper.", program.scene, source.name),
        format!("Agents: {}.", if agents.is_empty() { "none".to_owned() } else { agents.join(", ") }),
        format!("Bounds: --mailbox {}{time}.", bounds.mailbox),
        String::new(),
        "An operation leaves in `fail` whether it failed. A receive turns the whole mailbox round. A waitfor polls,"
            .to_owned(),
        "through a progress label once it has found nothing, until nobody can do anything any more.".to_owned(),
        String::new(),
        "  spin -a model.pml && cc -O2 -o pan pan.c && ./pan -m1000000     failures, deadlocks, overflows".to_owned(),
        "  cc -O2 -DNP -o pan pan.c && ./pan -l -m1000000                  runs that never end".to_owned(),
    ];
    if !source.properties.is_empty() {
        lines.push(String::new());
        lines.push(format!("Left out: the properties {}.", source.properties.join(", ")));
    }
    lines
}

fn preamble(program: &Program, bounds: &Bounds, layout: &Layout) -> Vec<Item> {
    let define =
        |name: &str, value: Expr| Item::Define { name: name.to_owned(), parameters: Vec::new(), value };
    let mut items =
        vec![Item::Comment(vec!["Values. Integers, if there are any, are themselves.".to_owned()])];
    let values = layout.definitions(program);
    items.extend(values.into_iter().map(|(name, number)| define(&name, Expr::Number(number))));
    items.push(define("abstract", Expr::Number(layout.first_abstract(program))));
    items.push(define("fresh", Expr::Number(layout.first_fresh(program))));
    items.push(Item::Blank);
    items.push(Item::Comment(vec!["What goes wrong where it is asserted; SPIN prints the name.".to_owned()]));
    let flag = |kind, name: &str, length, initial, comment: &str| {
        Item::Variable(Variable { kind, name: name.to_owned(), length, initial, comment: comment.to_owned() })
    };
    items.extend(
        [Wrong::Failure, Wrong::Overflow].map(|it| flag("bool", it.constant(), None, Some(Expr::False), "")),
    );
    items.push(Item::Blank);
    let names = &layout.performatives;
    let names = if names.is_empty() { vec!["nothing__said".to_owned()] } else { names.clone() };
    items.push(Item::Mtype { kind: None, names });
    items.push(Item::Blank);
    let value = layout.value_type(program);
    let count = program.agents.len().max(1);
    let mut fields = vec!["mtype", value, value];
    fields.extend((0..layout.arguments).map(|_| value));
    items.push(Item::Comment(vec!["The mailboxes: performative, sender, its role, arguments.".to_owned()]));
    items.push(Item::Channels { name: "box", count, capacity: bounds.mailbox as usize, fields });
    items.push(flag("bool", "ended", Some(count), None, "messages to an agent that has ended are dropped"));
    items.push(flag(
        "byte",
        WAITS,
        Some(count),
        None,
        "1: has polled in vain, and waits for ever; 2: and its time may run out",
    ));
    items.push(Item::Blank);
    let agents: Vec<Expr> = program.cast().map(|agent| layout.constant(Value::Agent(agent))).collect();
    let of_all = |other: fn(Expr) -> Expr| {
        let of = |agent: &Expr| {
            let waits = other(layout.of_agent(WAITS, agent.clone()));
            Expr::or([layout.of_agent("ended", agent.clone()), waits])
        };
        Expr::and(agents.iter().map(of).collect::<Vec<_>>())
    };
    items.push(define("quiet", of_all(|waits| Expr::binary(Operator::Greater, waits, Expr::Number(0)))));
    let stuck = of_all(|waits| Expr::equal(waits, Expr::Number(FOR_EVER)));
    items.push(define("stuck", stuck));
    items.push(Item::Blank);
    items
}

/// Writes the process type of a part.
struct ProcessWriter<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    layout: &'a Layout,
    naming: Naming<'a>,
    part: PartId,
    /// The places where agents rest, in order of discovery.
    places: Vec<PointId>,
    /// The number of temporaries that calls need for their arguments.
    asides: usize,
    statements: usize,
    refusals: Vec<Refusal>,
}

impl ProcessWriter<'_> {
    fn process(&mut self) -> Item {
        let entry = self.program.clause(self.program.part(self.part).entry).body;
        let mut body = vec![Stmt::Atomic(self.begin(entry))];
        let mut done = 0;
        while let Some(&place) = self.places.get(done) {
            body.extend(self.place(place));
            done += 1;
        }
        for wrong in [Wrong::Failure, Wrong::Overflow] {
            let label = wrong_label(wrong);
            body.extend([
                Stmt::Label(label.to_owned()),
                Stmt::Assert(Expr::name(wrong.constant())),
                Stmt::Label(format!("progress__{label}")),
                // SPIN rejects a loop without a condition.
                Stmt::Guard(self.layout.of_agent("ended", Expr::name("self")).not()),
                Stmt::Goto(format!("progress__{label}")),
            ]);
        }
        body.extend([Stmt::Label(crate::body::ENDED.to_owned()), Stmt::Guard(Expr::False)]);
        let kind = self.layout.value_type(self.program);
        Item::Process {
            name: self.naming.part.clone(),
            parameters: vec![Parameter { kind, name: "self" }],
            provided: Expr::True,
            variables: self.variables(kind),
            body,
        }
    }

    fn variables(&self, kind: &'static str) -> Vec<Variable> {
        let mut variables = Vec::new();
        for &id in &self.program.part(self.part).clauses {
            let clause = self.program.clause(id);
            let line = self.naming.source.line(clause.head_span);
            for (index, name) in clause.variables.iter().enumerate() {
                let slot = map_ir::Slot::new(index);
                if clause.own_name != Some(slot) {
                    let comment = format!("${name} of the clause in line {line}");
                    variables.push(Variable::new(kind, self.naming.variable(id, slot), comment));
                }
            }
        }
        let scratch = |kind, name: String| Variable::new(kind, name, "");
        variables.push(scratch("bool", "fail".to_owned()));
        variables.push(scratch("byte", "waited".to_owned()));
        variables.push(scratch("byte", messages::LEFT.to_owned()));
        variables.push(scratch("mtype", messages::PERFORMATIVE.to_owned()));
        variables.extend((0..self.layout.arguments + 2).map(|it| scratch(kind, messages::part(it))));
        variables.extend((0..self.asides).map(|it| scratch(kind, act::aside(it))));
        variables
    }

    /// The statements for a place where the agent rests.
    fn place(&mut self, place: PointId) -> Vec<Stmt> {
        let point = self.program.point(place);
        let source = self.naming.source;
        let about = Stmt::Comment(format!("{}: {}", source.line(point.span), source.snippet(point.span)));
        let label = self.label(place);
        let PointKind::Wait { body, timeout } = point.kind else {
            return vec![Stmt::Label(label), Stmt::Atomic(self.act(place))];
        };
        let waits = self.layout.of_agent(WAITS, Expr::name("self"));
        let stuck = Expr::name("stuck");
        let mut poll = vec![
            Stmt::Guard(stuck.not()),
            Stmt::Assign(Expr::name("waited"), waits.clone()),
            Stmt::Assign(waits.clone(), Expr::Number(0)),
        ];
        poll.extend(self.poll(place, body));
        let mut options = vec![vec![Stmt::Atomic(poll)]];
        if let Some(timeout) = self.timeout(place, timeout) {
            let in_time = match self.bounds.timeouts {
                Timeouts::Quiescent => Expr::name("quiet"),
                Timeouts::Any => Expr::binary(Operator::Greater, waits.clone(), Expr::Number(0)),
            };
            let mut statements = vec![Stmt::Guard(in_time), Stmt::Assign(waits, Expr::Number(0))];
            statements.extend(self.begin(timeout));
            options.push(vec![Stmt::Atomic(statements)]);
        }
        vec![
            Stmt::Label(label.clone()),
            about,
            Stmt::If(options),
            Stmt::Label(format!("progress__{label}")),
            Stmt::Guard(Expr::name("skip")),
            Stmt::Goto(label),
        ]
    }

    /// The end of a poll in vain.
    fn in_vain(&self, place: PointId) -> Vec<Stmt> {
        let PointKind::Wait { timeout, .. } = self.program.point(place).kind else {
            unreachable!("only a waitfor polls")
        };
        let kind = Expr::Number(if self.timeout(place, timeout).is_some() { IN_TIME } else { FOR_EVER });
        let label = self.label(place);
        let (waited, zero) = (Expr::name("waited"), Expr::Number(0));
        // If the previous poll was in vain, too, and no message has arrived since, the agent makes no progress.
        let again = Expr::binary(Operator::Greater, waited.clone(), zero.clone());
        let forget = Stmt::Assign(waited, zero);
        vec![
            Stmt::Assign(self.layout.of_agent(WAITS, Expr::name("self")), kind),
            Stmt::If(vec![
                vec![Stmt::Guard(again), forget, Stmt::Goto(format!("progress__{label}"))],
                vec![Stmt::Guard(Expr::name("else")), Stmt::Goto(label)],
            ]),
        ]
    }

    /// The timeout of a `waitfor`, unless it is never a step.
    fn timeout(&self, wait: PointId, timeout: Option<PointId>) -> Option<PointId> {
        timeout.filter(|&it| !refuse::changes_nothing(self.program, it, wait))
    }

    fn label(&self, place: PointId) -> String {
        let stem = |place: PointId| {
            let point = self.program.point(place);
            format!("{}__{}", word_of(&point.kind), self.naming.source.line(point.span))
        };
        let name = stem(place);
        let twins = self.places.iter().take_while(|it| **it != place).filter(|it| stem(**it) == name).count();
        if twins == 0 { name } else { format!("{name}_{}", twins + 1) }
    }
}

/// The label to which an agent jumps when something goes wrong.
fn wrong_label(wrong: Wrong) -> &'static str {
    match wrong {
        Wrong::Overflow => "overflow__here",
        _ => "failed__here",
    }
}
