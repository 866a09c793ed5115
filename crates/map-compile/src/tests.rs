//! Lowering through [`compile`], with the program shown in terms of the source: points are named by their text, so the
//! tests do not depend on how points are numbered.

mod calls;
mod can_fail;
mod edges;
mod layout;
mod patterns;
mod scale;
mod truths;

use map_check::{CastOverride, CheckOptions, check};
use map_diagnostics::SourceFile;
use map_ir::{
    Clause, Edge, Goto, Operand, Pattern, Point, PointId, PointKind, Program, Slot, Test, show_value,
};

use crate::compile;

/// A compiled scene with its text.
struct Compiled {
    text: String,
    program: Program,
}

/// Compiles the first scene of a text, which must be free of errors; `agents` as on the command line, `"a=2 b=0"`.
#[track_caller]
fn compiled_with(agents: &str, text: &str) -> Compiled {
    let source = SourceFile::new("test.map", text);
    let parsed = map_syntax::parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:#?}", parsed.diagnostics);
    let counts = agents.split_whitespace().map(|word| word.split_once('=').unwrap());
    let agents = counts
        .map(|(name, count)| CastOverride { name: name.to_owned(), count: count.parse().unwrap() })
        .collect();
    let (checked, errors) = check(&parsed.file, &CheckOptions { agents, ..CheckOptions::default() });
    assert!(errors.is_empty(), "{errors:#?}");
    Compiled { text: text.to_owned(), program: compile(&checked.unwrap()) }
}

#[track_caller]
fn compiled(text: &str) -> Compiled {
    compiled_with("", text)
}

/// A scene in which !A does this; it also has a !B with role %b and a clause `q`.
#[track_caller]
fn body(op: &str) -> Compiled {
    compiled(&format!("s[ agent(!A, %a) = {op}\n agent(!A, %a, q) = skip\n agent(!B, %b) = skip ]"))
}

impl Compiled {
    /// The ids of a clause's points, in the order of the text.
    fn points(&self, clause: usize) -> Vec<PointId> {
        let mut points: Vec<PointId> =
            self.program.clauses[clause].points.clone().map(PointId::new).collect();
        points.sort_by_key(|&id| {
            (self.program.point(id).span.start, std::cmp::Reverse(self.program.point(id).span.end))
        });
        points
    }

    fn slice(&self, span: map_ir::SourceSpan) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The name of a point. Asks, calls, `skip` and `fail` are named by their text, sends and receives by their
    /// message, others by their kind and their number among these in the text.
    fn name(&self, id: PointId) -> String {
        let point = self.program.point(id);
        let number = |same: fn(&PointKind) -> bool| {
            let clause = point.clause.index();
            let before = self.points(clause).into_iter().take_while(|&other| other != id);
            before.filter(|&other| same(&self.program.point(other).kind)).count() + 1
        };
        match point.kind {
            PointKind::Wait { .. } => {
                format!("wait{}", number(|kind| matches!(kind, PointKind::Wait { .. })))
            }
            PointKind::Par { .. } => format!("par{}", number(|kind| matches!(kind, PointKind::Par { .. }))),
            PointKind::Send { .. } | PointKind::Receive { .. } => {
                self.slice(point.span).split([' ', '\n']).next().unwrap_or_default().to_owned()
            }
            _ => self.slice(point.span).to_owned(),
        }
    }

    fn goto(&self, goto: Goto) -> String {
        match goto {
            Goto::Point(point) => self.name(point),
            Goto::Return(true) => "done".to_owned(),
            Goto::Return(false) => "failed".to_owned(),
            Goto::SideEnd(true) => "side done".to_owned(),
            Goto::SideEnd(false) => "side failed".to_owned(),
        }
    }

    /// The target of a failure edge, then the variables it unbinds, in alphabetical order.
    fn edge(&self, clause: &Clause, edge: Edge) -> String {
        let variables = self.program.slot_set(edge.unbind).iter().map(|&slot| variable(clause, slot));
        let mut variables: Vec<String> = variables.map(|name| format!(" -{name}")).collect();
        variables.sort_unstable();
        self.goto(edge.to) + &variables.concat()
    }

    /// `name -> success | failure` for every point of the first clause, in the order of the text; body and timeout for
    /// a `waitfor`, and the sides too for a `par`.
    fn edges(&self) -> Vec<String> {
        let clause = &self.program.clauses[0];
        let line = |id: PointId| {
            let name = self.name(id);
            match &self.program.point(id).kind {
                PointKind::Skip { ok } => format!("{name} -> {}", self.goto(*ok)),
                PointKind::Fail { err } => format!("{name} | {}", self.edge(clause, *err)),
                PointKind::Wait { body, timeout } => {
                    let timeout = timeout.map_or("never".to_owned(), |it| self.name(it));
                    format!("{name} -> {} | {timeout}", self.name(*body))
                }
                PointKind::Par { sides, ok, err } => {
                    let sides: Vec<String> = sides.iter().map(|&side| self.name(side)).collect();
                    let sides = sides.join(", ");
                    format!("{name} of {sides} -> {} | {}", self.goto(*ok), self.edge(clause, *err))
                }
                kind => {
                    let (ok, err) = (kind.ok().unwrap(), kind.err().unwrap());
                    format!("{name} -> {} | {}", self.goto(ok), self.edge(clause, err))
                }
            }
        };
        self.points(0).into_iter().map(line).collect()
    }

    /// The results of `read` for the points of the first clause, in the order of the text, where it has one.
    fn read<T>(&self, read: impl Fn(&Point) -> Option<T>) -> Vec<T> {
        self.points(0).into_iter().filter_map(|id| read(self.program.point(id))).collect()
    }

    fn operand(&self, clause: &Clause, operand: Operand) -> String {
        match operand {
            Operand::Constant(value) => show_value(&self.program, value, &|other| format!("{other:?}")),
            Operand::Variable(slot) => format!("${}", variable(clause, slot)),
            Operand::Own => "own".to_owned(),
            Operand::Expression(id) => format!("e{}", id.index()),
        }
    }

    /// Tests, then bindings: `[0]=1` demands 1 in the first place, `[0]=[2]` two equal places, `[1]>$x` binds.
    fn pattern(&self, clause: &Clause, pattern: &Pattern) -> String {
        let tests = pattern.tests.iter().map(|test| match *test {
            Test::Operand(place, operand) => format!("[{place}]={}", self.operand(clause, operand)),
            Test::Same(first, second) => format!("[{first}]=[{second}]"),
        });
        let bindings =
            pattern.bindings.iter().map(|&(place, slot)| format!("[{place}]>${}", variable(clause, slot)));
        tests.chain(bindings).collect::<Vec<_>>().join(" ")
    }
}

fn variable(clause: &Clause, slot: Slot) -> &str {
    &clause.variables[slot.index()]
}

#[track_caller]
fn assert_edges(op: &str, expected: &[&str]) {
    assert_eq!(body(op).edges(), expected, "{op}");
}
