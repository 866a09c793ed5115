//! Global declarations: constants, mailboxes, and the variables of the agents.

use map_ir::{PartId, Program};
use map_semantics::Bounds;

use crate::control::{Holder, HolderId, PlaceId};
use crate::explored::{Explored, occurs};
use crate::layout::{Column, Layout};
use crate::promela::{Expr, Field, Item, Operator, Variable};
use crate::walk::Wrong;

/// The macro that makes assertions about steps that go wrong hold. It is set when claims are verified, since SPIN
/// would stop at a violated assertion.
const PASSED_OVER: &str = "passed__over";

/// The comment on temporaries, which do not carry information between steps.
pub(crate) const WITHIN_A_STEP: &str = "within a step only";

fn define(name: impl Into<String>, number: i64) -> Item {
    Item::Define { name: name.into(), parameters: Vec::new(), value: Expr::Number(number) }
}

/// The constants for values, and for the ways in which a step can go wrong.
pub(crate) fn constants(
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
                Expr::binary(Operator::GreaterOrEqual, value(), Expr::name("abstract")),
                Expr::binary(Operator::Less, value(), Expr::name("fresh")),
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
            // If an integer is out of range, the model is not faithful, so claims cannot be verified either.
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

/// The mailboxes, and the flags of agents that have ended.
pub(crate) fn channels(program: &Program, bounds: &Bounds, layout: &Layout) -> Vec<Item> {
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

/// The variable for choosing the number of a new value, and the test whether the number is in use.
pub(crate) fn candidate(
    program: &Program,
    layout: &Layout,
    explored: &[(PartId, Explored<'_>)],
) -> Vec<Item> {
    let number = Variable::new("int", "candidate", WITHIN_A_STEP);
    vec![Item::Variable(number), candidate_is_used(program, layout, explored), Item::Blank]
}

/// The macro that tests whether the value with the number `candidate` occurs in any variable or mailbox.
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
                if its == column { Field::Is(candidate()) } else { Field::Any }
            };
            let fields = [Field::Any].into_iter().chain(columns.iter().map(of)).collect();
            let channel = layout.channel(layout.constant(map_ir::Value::Agent(agent)));
            uses.push(Expr::Poll(Box::new(channel), fields));
        }
    }
    Item::Define { name: "candidate_is_used".to_owned(), parameters: Vec::new(), value: Expr::or(uses) }
}

impl Explored<'_> {
    /// The variables of the agents of the part.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        let walker = &self.walker;
        let (program, layout) = (walker.program, walker.layout);
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
                    Holder::Scratch(_) | Holder::Swap => (value, WITHIN_A_STEP.to_owned()),
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

    /// The global declarations of the part.
    pub(crate) fn globals(&self) -> Vec<Item> {
        let global = self.walker.layout.global;
        let mut items = Vec::new();
        let has_sides = !self.walker.control.forks.is_empty();
        if global || has_sides {
            for (index, place) in self.walker.control.places.iter().enumerate() {
                if global || place.thread().is_some() {
                    items.push(define(self.walker.place_name(PlaceId(index)), index as i64 + 1));
                }
            }
        }
        if global {
            items.extend(self.variables().into_iter().map(Item::Variable));
        }
        if !items.is_empty() {
            let title = format!("Places and variables of {}", self.walker.naming.part);
            items.insert(0, Item::Comment(vec![title]));
            items.push(Item::Blank);
        }
        items
    }
}
