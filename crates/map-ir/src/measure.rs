//! Values that are read off runs, in compiled form.

use crate::{Arithmetic, Comparison, Properties, Proposition, Quantity};

/// What is collected of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// What is collected, in order.
    pub list: Vec<Measure>,
    /// How the measures of the text are read, one for each agent of those that are `of` a role. Each uses only those
    /// before it.
    pub declared: Vec<Reading>,
    /// The values of events that the readings use.
    pub moments: Vec<MomentValue>,
    /// The tables that the readings refer to; there are no properties among them.
    pub tables: Properties,
}

/// A value that each run has, or lacks, when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What it is called.
    pub name: String,
    /// How it is read.
    pub reading: Reading,
}

/// The value that a quantity had at a moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MomentValue {
    /// Held at the moment; it is about events alone.
    pub when: Proposition,
    /// What had the value.
    pub value: Quantity,
    /// The first such moment, not the last.
    pub first: bool,
}

/// How a value is read off a run that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The value of the quantity at the last moment.
    Quantity(Quantity),
    /// That of the [`Measures::moments`] with this index.
    Moment(usize),
    /// That of the [`Measures::declared`] with this index.
    Declared(usize),
    /// The sum of those of the [`Measures::declared`] with these indices.
    Sum(Vec<usize>),
    /// Operators of one precedence, applied from left to right.
    Arithmetic(Box<Reading>, Vec<(Arithmetic, Reading)>),
    /// The smaller integer.
    Min(Box<Reading>, Box<Reading>),
    /// The larger integer.
    Max(Box<Reading>, Box<Reading>),
    /// The first if the condition holds, else the second.
    If(Box<ReadCondition>, Box<Reading>, Box<Reading>),
}

/// A condition in a [`Reading`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadCondition {
    /// The proposition holds at the last moment.
    Holds(Proposition),
    /// Two values compare like this.
    Compare(Reading, Comparison, Reading),
    /// The condition does not hold.
    Not(Box<ReadCondition>),
    /// All hold.
    And(Vec<ReadCondition>),
    /// Some holds.
    Or(Vec<ReadCondition>),
    /// The second if the first holds, else the third.
    If(Box<ReadCondition>, Box<ReadCondition>, Box<ReadCondition>),
}
