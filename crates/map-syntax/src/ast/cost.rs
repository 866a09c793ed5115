//! Costs: what the events of a dialogue cost.

use map_diagnostics::Span;

use super::{Formula, Name, Term};

/// `cost NAME { event = price, .. }`: a sum that grows with the events of a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The name, which is also the unit.
    pub name: Name,
    /// What costs something, in order; prices of charges that fit one event add up.
    pub charges: Vec<Charge>,
    /// The whole item.
    pub span: Span,
}

/// `event = price`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The event: an atom about an agent, a role or anybody, who bears the cost, that sends, receives or asks.
    pub event: Formula,
    /// The price of each occurrence: an integer, or a variable of the message.
    pub price: Term,
    /// The event and its price.
    pub span: Span,
}
