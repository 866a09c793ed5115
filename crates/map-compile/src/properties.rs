//! Compilation of properties: quantifiers are expanded over the cast, and parts about one moment become propositions.

mod additive;
mod atoms;
mod collected;
mod compared;
mod constant;
mod costs;
mod expansion;
mod formulas;
mod measured;
mod measures;
mod past;
mod variables;

pub use additive::NotAdditive;
use expansion::Expansion;
use indexmap::{IndexMap, IndexSet};
use map_check::CheckedScene;
use map_diagnostics::{Code, Diagnostic, Span};
use map_ir::{
    AgentId, Cost, EventArgument, EventAtom, MomentValue, Monitor, Program, Properties, Property,
    Proposition, PropositionId, Reading, StateAtom, StateQuantity, TracedValues, ValueFlow,
};
use map_syntax::ast::Formula;
use measured::Unjudged;

/// The maximum number of operators and atoms of a property after its quantifiers are expanded.
const MAX_SIZE: usize = 1 << 16;

/// Compiles properties that have passed `map-check`, one after the other.
pub struct PropertyCompiler<'a> {
    checked: &'a CheckedScene<'a>,
    /// Constants that only properties mention are added to its tables.
    program: &'a mut Program,
    /// Where abstract values may get to.
    abstract_values: ValueFlow,
    /// Where abstract and fresh values may get to.
    symbols: ValueFlow,
    /// Where values that need not be the same in every state may get to: besides these, names of agents.
    unfixed: ValueFlow,
    list: Vec<Property>,
    propositions: IndexSet<Proposition>,
    events: IndexSet<EventAtom>,
    states: IndexSet<StateAtom>,
    quantities: IndexSet<StateQuantity>,
    arguments: IndexSet<EventArgument>,
    monitors: IndexSet<Monitor>,
    costs: IndexSet<Cost>,
    /// What measures read of events.
    moments: IndexSet<MomentValue>,
    /// The measures of the text so far, by name and agent.
    measures: IndexMap<(String, Option<AgentId>), Reading>,
}

impl<'a> PropertyCompiler<'a> {
    /// A compiler for properties of a scene; `program` is the result of [`crate::compile`] for it.
    #[must_use]
    pub fn new(checked: &'a CheckedScene<'a>, program: &'a mut Program) -> Self {
        Self {
            checked,
            abstract_values: ValueFlow::new(program, TracedValues::Abstract),
            symbols: ValueFlow::new(program, TracedValues::Symbols),
            unfixed: ValueFlow::new(program, TracedValues::Unfixed),
            program,
            list: Vec::new(),
            propositions: IndexSet::new(),
            events: IndexSet::new(),
            states: IndexSet::new(),
            quantities: IndexSet::new(),
            arguments: IndexSet::new(),
            monitors: IndexSet::new(),
            costs: IndexSet::new(),
            moments: IndexSet::new(),
            measures: IndexMap::new(),
        }
    }

    /// Compiles a property.
    ///
    /// # Errors
    /// If it compares values that may be abstract, looks back in a way that is not judged, or becomes too large. The
    /// property is then skipped.
    pub fn add(&mut self, name: &str, formula: &Formula) -> Result<(), Vec<Diagnostic>> {
        let refused = compared::open_values(self, formula);
        if !refused.is_empty() {
            return Err(refused);
        }
        let property = Expansion::new(self).property(name, formula);
        self.list.push(property.map_err(|refused| vec![refused.diagnostic(formula.span)])?);
        Ok(())
    }

    /// The compiled properties.
    #[must_use]
    pub fn finish(self) -> Properties {
        Properties {
            list: self.list,
            propositions: self.propositions.into_iter().collect(),
            events: self.events.into_iter().collect(),
            states: self.states.into_iter().collect(),
            quantities: self.quantities.into_iter().collect(),
            arguments: self.arguments.into_iter().collect(),
            monitors: self.monitors.into_iter().collect(),
            costs: self.costs.into_iter().collect(),
        }
    }

    fn proposition(&mut self, proposition: Proposition) -> PropositionId {
        self.propositions.insert_full(proposition).0
    }
}

/// Diagnoses properties and measures of the file that are well-formed but cannot be compiled for this scene: properties
/// that compare values that may be abstract, and what is too large for the cast.
pub(crate) fn refused_properties(checked: &CheckedScene<'_>) -> Vec<Diagnostic> {
    let mut program = crate::compile(checked);
    let mut compiler = PropertyCompiler::new(checked, &mut program);
    let applicable =
        checked.file.properties().filter(|it| map_check::check_formula(checked, &it.formula).is_empty());
    let mut refused: Vec<Diagnostic> =
        applicable.filter_map(|it| compiler.add(&it.name.text, &it.formula).err()).flatten().collect();
    let applicable = checked.file.measures().filter(|it| map_check::check_measure(checked, it).is_empty());
    refused.extend(applicable.filter_map(|it| compiler.measure(it).err()).flatten());
    refused
}

/// Why a property is not compiled.
enum Refused {
    TooLarge,
    /// A variable that an event outside of `before` binds stands there where it may not happen.
    Nested(Span),
    /// What is looked back for also holds when nothing happens.
    Idle(Span),
    /// A measure that is used here and cannot be judged, for this reason.
    Measure(Span, Unjudged),
}

impl Refused {
    fn diagnostic(&self, property: Span) -> Diagnostic {
        match *self {
            Self::TooLarge => {
                let text = format!("with its quantifiers and measures expanded this has more than {MAX_SIZE} parts");
                Diagnostic::new(Code::PropertyTooLarge, property, text, "too large for this cast")
                    .with_help("Judge it with fewer agents, or nest fewer quantifiers")
            }
            Self::Measure(span, why) => why.diagnostic(span),
            Self::Nested(span) => Diagnostic::new(
                Code::MisplacedInFormula,
                span,
                "the value of an event outside of `before` may only be looked for in an event that must have happened",
                "not behind `not`, `or` or `implies`",
            )
            .with_help("Write `before f or before g` for `before (f or g)`, and `not before f` for `before not f`"),
            Self::Idle(span) => Diagnostic::new(
                Code::MisplacedInFormula,
                span,
                "this also holds when nothing happens, so it says nothing about what has happened",
                "no event is needed for this",
            )
            .with_help("Name an event that must have happened, such as `!Name sends m(_) to _ and ..`"),
        }
    }
}
