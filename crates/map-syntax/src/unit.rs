//! The units in which a text is parsed during recovery.

use crate::pest_grammar::Rule;

/// What a piece of text is parsed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Clause,
    Cast,
    Memory,
    Declaration,
    Property,
    Cost,
    Measure,
    Truth,
    /// A formula that is not part of a file.
    Formula,
    /// The expression of a measure that is not part of a file.
    Measured,
}

impl Unit {
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::Clause => Rule::clause_unit,
            Self::Cast => Rule::cast_unit,
            Self::Memory => Rule::memory_unit,
            Self::Declaration => Rule::procedure_unit,
            Self::Property => Rule::property_unit,
            Self::Cost => Rule::cost_unit,
            Self::Measure => Rule::measure_unit,
            Self::Truth => Rule::truth_unit,
            Self::Formula => Rule::formula_unit,
            Self::Measured => Rule::measured_unit,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Clause => "clause",
            Self::Cast => "cast",
            Self::Memory => "memory",
            Self::Declaration => "declaration",
            Self::Property => "property",
            Self::Cost => "cost",
            Self::Measure => "measure",
            Self::Truth => "truth",
            Self::Formula => "formula",
            Self::Measured => "expression",
        }
    }
}
