//! The compiled form of one MAP scene under one cast: the only input of the engines.
//!
//! A [`Program`] is a set of flat tables. Every clause is a graph of control points ([`Point`]): each operation of the
//! source is exactly one point with a success and a failure successor, so engines never walk a tree. Patterns are tests
//! followed by bindings, failure edges list the variables they unbind, and calls list the heads that may match. Spans
//! refer to the source text.

mod cost;
mod definition;
mod domain;
mod flow;
mod foreign;
mod ids;
mod measure;
mod named;
mod numbers;
mod pattern;
mod point;
mod program;
mod property;
mod show;
mod slicing;
mod span;
mod value;
mod written;

pub use cost::{Charge, ChargedEvent, Cost, Price, Whom};
pub use definition::{
    Alternative, Answer, Arithmetic, Body, Comparison, Expression, ExpressionKind, Initial, Memory,
    Probability, Procedure, Truth,
};
pub use domain::{Domain, Weights};
pub use flow::{TracedValues, ValueFlow};
pub use foreign::Foreign;
pub use ids::{
    AgentId, CellId, ClauseId, ExpressionId, NameId, PartId, PerformativeId, PointId, ProcedureId, RoleId,
    Slot, SlotSetId, TextId,
};
pub use measure::{Measure, Measures, MomentValue, ReadCondition, Reading};
pub use named::named_agents;
pub use pattern::MessagePattern;
pub use point::{Candidate, Edge, Goto, Operand, Pattern, Place, Point, PointKind, Recipient, Target, Test};
pub use program::{Agent, Clause, Part, Performative, Program, Region, RegionKind};
pub use property::{
    Costs, DeclaredCost, EventArgument, EventAtom, EventKind, Monitor, Possibility, Premise, Properties,
    Property, Proposition, PropositionId, Quantity, StateAtom, StateQuantity, Temporal,
};
pub use show::{is_unseen, quoted, show_arguments, show_expression, show_message, show_value};
pub use slicing::{Slicing, Visible};
pub use span::SourceSpan;
pub use value::{Symbol, Value};
