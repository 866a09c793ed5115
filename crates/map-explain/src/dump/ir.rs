//! A compiled scene: its tables, with names in place of numbers where the names are unique.

use map_diagnostics::SourceFile;
use map_ir::{
    Body, Candidate, Clause, ClauseId, Edge, Goto, Operand, Pattern, Place, Point, PointId, PointKind,
    Program, Recipient, RegionKind, Slot, Target, Test, show_value,
};

use super::tree::Tree;
use super::{listed, one_line, span_of, start};

/// Clauses are `c0`, `c1`.., control points `p0`, `p1`.. Terms after `bind` are bound, those after `is` are compared.
#[must_use]
pub fn ir(source: &SourceFile, program: &Program) -> String {
    let mut printer = Printer { source, program, tree: Tree::new() };
    printer.tables();
    for index in 0..program.clauses.len() {
        printer.clause(ClauseId::new(index));
    }
    printer.regions();
    printer.tree.finish()
}

struct Printer<'a> {
    source: &'a SourceFile,
    program: &'a Program,
    tree: Tree,
}

impl Printer<'_> {
    fn tables(&mut self) {
        let program = self.program;
        let tree = &mut self.tree;
        tree.line(format_args!("scene {}", program.scene));
        for (index, part) in program.parts.iter().enumerate() {
            let agents = listed(part.agents.iter().map(|&it| format!("!{}", program.agent_name(it))));
            let clauses = listed(part.clauses.iter().map(|&it| clause_name(it)));
            let (role, entry) = (program.role_name(part.role), clause_name(part.entry));
            tree.line(format_args!(
                "part {index}: role %{role}, clauses {clauses}, entry {entry}, agents {agents}"
            ));
        }
        for procedure in &program.procedures {
            let refuses = if procedure.may_refuse { "may say no" } else { "always answers" };
            tree.line(format_args!("procedure {}/{}: {refuses}", procedure.name, procedure.arity));
        }
        self.definitions();
        let (program, tree) = (self.program, &mut self.tree);
        let performatives = program.performatives.iter().map(|it| format!("{}/{}", it.name, it.arity));
        tree.line(format_args!("performatives: {}", listed(performatives)));
        tree.line(format_args!("constants: {}", listed(program.names.iter().cloned())));
        tree.line(format_args!("texts: {}", listed(program.texts.iter().map(|it| format!("{it:?}")))));
    }

    /// Memories and bodies of procedures, and the expressions in them, which refer to their operands by index.
    fn definitions(&mut self) {
        let (program, tree) = (self.program, &mut self.tree);
        for (role, memory) in program.roles.iter().zip(&program.memories) {
            for (cell, initial) in &memory.cells {
                tree.line(format_args!("memory %{role}: @{} = {initial:?}", program.cell_name(*cell)));
            }
        }
        for procedure in &program.procedures {
            if procedure.body != Body::Abstract {
                tree.line(format_args!("body of {}: {:?}", procedure.name, procedure.body));
            }
        }
        for truth in &program.truths {
            let name = &program.procedure(truth.procedure).name;
            tree.line(format_args!("truth of {name}: {:?}", truth.alternatives));
            for (index, expression) in truth.expressions.iter().enumerate() {
                tree.line(format_args!("  e{index}  {:?}", expression.kind));
            }
        }
        for (index, expression) in program.expressions.iter().enumerate() {
            let place = start(self.source, expression.span.start);
            tree.line(format_args!("e{index}  {place}  {:?}", expression.kind));
        }
    }

    fn clause(&mut self, id: ClauseId) {
        let clause = self.program.clause(id);
        let head = one_line(
            self.source.slice(map_diagnostics::Span::new(clause.head_span.start, clause.head_span.end)),
        );
        let place = start(self.source, clause.span.start);
        let fails = if clause.can_fail { "can fail" } else { "cannot fail" };
        self.tree.line(format_args!("clause {}  {place}  {head}", clause_name(id)));
        self.tree.deeper();
        let own =
            clause.own_name.map_or_else(String::new, |slot| format!(", own name {}", variable(clause, slot)));
        self.tree.line(format_args!("part {}, {fails}{own}", clause.part.index()));
        let variables = (0..clause.variables.len()).map(|slot| variable(clause, Slot::new(slot)));
        self.tree.line(format_args!("variables: {}", listed(variables)));
        self.tree.line(format_args!(
            "arguments: ({})",
            self.pattern(clause, &clause.head, 0..clause.arity as Place)
        ));
        self.tree.line(format_args!("starts at {}", point_name(clause.body)));
        let mut points: Vec<PointId> = clause.points.clone().map(PointId::new).collect();
        // Points are numbered from last to first; source order reads better.
        points.sort_by_key(|&id| (self.program.point(id).span.start, id));
        for id in points {
            self.point(clause, id);
        }
        self.tree.back();
    }

    fn point(&mut self, clause: &Clause, id: PointId) {
        let point = self.program.point(id);
        let place = start(self.source, point.span.start);
        let what = self.operation(clause, point);
        let ok = point.kind.ok().map_or_else(String::new, |goto| format!("  ok {}", target(goto)));
        let err =
            point.kind.err().map_or_else(String::new, |edge| format!("  err {}", self.failure(clause, edge)));
        self.tree.line(format_args!("{:4} {place:6} {what}{ok}{err}", point_name(id)));
        if let PointKind::Call { candidates, .. } = &point.kind {
            self.tree.deeper();
            self.tree.line(format_args!("may open {}", listed(candidates.iter().map(candidate))));
            self.tree.back();
        }
    }

    fn operation(&self, clause: &Clause, point: &Point) -> String {
        let operand = |it: &Operand| self.operand(clause, *it);
        match &point.kind {
            PointKind::Skip { .. } => "skip".to_owned(),
            PointKind::Fail { .. } => "fail".to_owned(),
            PointKind::Ask { procedure, arguments, target, .. } => {
                let target = match *target {
                    Target::Anything => "_".to_owned(),
                    Target::Binds(slot) => format!("bind {}", variable(clause, slot)),
                    Target::Compares(slot) => format!("is {}", variable(clause, slot)),
                };
                let procedure = &self.program.procedure(*procedure).name;
                let arguments = joined(arguments.iter().map(operand));
                format!("ask {procedure}({arguments}) -> {target}")
            }
            PointKind::Send { performative, arguments, agent, role, .. } => {
                let name = &self.program.performative(*performative).name;
                let arguments = joined(arguments.iter().map(operand));
                let address = joined([agent, role].map(|it| self.recipient(clause, *it)));
                format!("send {name}({arguments}) => agent({address})")
            }
            PointKind::Receive { performative, pattern, .. } => {
                let performative = self.program.performative(*performative);
                let arity = performative.arity as Place;
                let message = self.pattern(clause, pattern, 0..arity);
                let sender = self.pattern(clause, pattern, arity..arity + 2);
                format!("receive {}({message}) <= agent({sender})", performative.name)
            }
            PointKind::Wait { body, timeout } => {
                let timeout = timeout.map_or_else(String::new, |it| format!("  timeout {}", point_name(it)));
                format!("waitfor  body {}{timeout}", point_name(*body))
            }
            PointKind::Call { arguments, .. } => {
                format!("call agent({})", joined(arguments.iter().map(operand)))
            }
            PointKind::Par { sides, .. } => {
                format!("par  sides {}", joined(sides.iter().map(|&it| point_name(it))))
            }
        }
    }

    /// The terms at these places of a pattern.
    fn pattern(&self, clause: &Clause, pattern: &Pattern, places: std::ops::Range<Place>) -> String {
        joined(places.map(|place| {
            let tests = pattern.tests.iter().filter_map(|test| match *test {
                Test::Operand(at, operand) if at == place => {
                    Some(format!("is {}", self.operand(clause, operand)))
                }
                Test::Same(at, other) if at.max(other) == place => {
                    Some(format!("is place {}", at.min(other)))
                }
                _ => None,
            });
            let bindings = pattern.bindings.iter().filter(|&&(at, _)| at == place);
            let bindings = bindings.map(|&(_, slot)| format!("bind {}", variable(clause, slot)));
            let all: Vec<String> = tests.chain(bindings).collect();
            if all.is_empty() { "_".to_owned() } else { all.join(" and ") }
        }))
    }

    fn operand(&self, clause: &Clause, operand: Operand) -> String {
        match operand {
            Operand::Constant(value) => show_value(self.program, value, &|other| format!("{other:?}")),
            Operand::Variable(slot) => variable(clause, slot),
            Operand::Own => "own name".to_owned(),
            Operand::Expression(id) => format!("e{}", id.index()),
        }
    }

    fn recipient(&self, clause: &Clause, recipient: Recipient) -> String {
        match recipient {
            Recipient::Any => "_".to_owned(),
            Recipient::Is(operand) => self.operand(clause, operand),
        }
    }

    fn failure(&self, clause: &Clause, edge: Edge) -> String {
        let unbound = self.program.slot_set(edge.unbind);
        let unbinding = joined(unbound.iter().map(|&slot| variable(clause, slot)));
        if unbinding.is_empty() {
            target(edge.to)
        } else {
            format!("{} unbinding {unbinding}", target(edge.to))
        }
    }

    fn regions(&mut self) {
        self.tree.line("regions");
        self.tree.deeper();
        for region in &self.program.regions {
            let kind = match region.kind {
                RegionKind::Alternative => "alternative",
                RegionKind::Timeout => "timeout",
            };
            let points = match region.points.end {
                end if end <= region.points.start => "no points".to_owned(),
                end if end == region.points.start + 1 => format!("p{}", region.points.start),
                end => format!("p{} to p{}", region.points.start, end - 1),
            };
            let (clause, span) = (clause_name(region.clause), span_of(self.source, region.span));
            self.tree.line(format_args!("{kind} in {clause}: {points}  {span}"));
        }
        self.tree.back();
    }
}

/// `p0`.
pub(super) fn point_name(point: PointId) -> String {
    format!("p{}", point.index())
}

/// `c0`.
pub(super) fn clause_name(clause: ClauseId) -> String {
    format!("c{}", clause.index())
}

/// `$x`.
pub(super) fn variable(clause: &Clause, slot: Slot) -> String {
    format!("${}", clause.variables[slot.index()])
}

fn target(goto: Goto) -> String {
    match goto {
        Goto::Point(point) => point_name(point),
        Goto::Return(true) => "return".to_owned(),
        Goto::Return(false) => "return failure".to_owned(),
        Goto::SideEnd(true) => "end side".to_owned(),
        Goto::SideEnd(false) => "end side with failure".to_owned(),
    }
}

fn candidate(candidate: &Candidate) -> String {
    let sure = if candidate.certain { "certainly" } else { "perhaps" };
    format!("{} {sure}", clause_name(candidate.clause))
}

fn joined(things: impl IntoIterator<Item = String>) -> String {
    things.into_iter().collect::<Vec<_>>().join(", ")
}
