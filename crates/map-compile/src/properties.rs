//! Compilation of properties: quantifiers are expanded over the cast, and parts about one moment become propositions.

mod atoms;
mod compared;
mod unsupported;

use indexmap::IndexSet;
use map_check::Checked;
use map_diagnostics::{Code, Diagnostic, Span};
use map_ir::{
    AgentId, EventAtom, Followed, Possibility, Premise, Program, Properties, Property, Proposition,
    PropositionId, SourceSpan, StateAtom, StateQuantity, Temporal, ValueFlow,
};
use map_syntax::ast::{Atom, Formula, FormulaKind, Quantifier, RangeOver, TemporalOperator};

/// The maximum number of operators and atoms of a property after its quantifiers are expanded.
const MAX_SIZE: usize = 1 << 16;

/// Compiles properties that have passed `map-check`, one after the other.
pub struct PropertyCompiler<'a> {
    checked: &'a Checked<'a>,
    /// Constants that only properties mention are added to its tables.
    program: &'a mut Program,
    flow: ValueFlow,
    list: Vec<Property>,
    propositions: IndexSet<Proposition>,
    events: IndexSet<EventAtom>,
    states: IndexSet<StateAtom>,
    quantities: IndexSet<StateQuantity>,
}

impl<'a> PropertyCompiler<'a> {
    /// A compiler for properties of a scene; `program` is the result of [`crate::compile`] for it.
    #[must_use]
    pub fn new(checked: &'a Checked<'a>, program: &'a mut Program) -> Self {
        let flow = ValueFlow::new(program, Followed::Abstract);
        Self {
            checked,
            program,
            flow,
            list: Vec::new(),
            propositions: IndexSet::new(),
            events: IndexSet::new(),
            states: IndexSet::new(),
            quantities: IndexSet::new(),
        }
    }

    /// Compiles a property.
    ///
    /// # Errors
    /// If it compares values that may be abstract, or becomes too large. The property is then skipped.
    pub fn add(&mut self, name: &str, formula: &Formula) -> Result<(), Vec<Diagnostic>> {
        if let Some(span) = unsupported::part(formula) {
            return Err(vec![not_judged(span)]);
        }
        let refused = compared::abstract_values(self.checked, self.program, &self.flow, formula);
        if !refused.is_empty() {
            return Err(refused);
        }
        let mut expansion =
            Expansion { compiler: self, variables: Vec::new(), premises: Vec::new(), size: 0 };
        let compiled = expansion.formula(formula).map(|it| expansion.temporal(it));
        let premises = std::mem::take(&mut expansion.premises);
        let span = SourceSpan { start: formula.span.start, end: formula.span.end };
        match compiled {
            Ok(formula) => {
                self.list.push(Property { name: name.to_owned(), span, formula, premises });
                Ok(())
            }
            Err(TooLarge) => Err(vec![too_large(formula.span)]),
        }
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
        }
    }

    fn proposition(&mut self, proposition: Proposition) -> PropositionId {
        self.propositions.insert_full(proposition).0
    }
}

/// Diagnoses properties of the file that are well-formed but cannot be checked in this scene: they compare values that
/// may be abstract, or are too large for the cast.
#[must_use]
pub fn refused_properties(checked: &Checked<'_>) -> Vec<Diagnostic> {
    let mut program = crate::compile(checked);
    let mut compiler = PropertyCompiler::new(checked, &mut program);
    let applicable =
        checked.file.properties().filter(|it| map_check::check_formula(checked, &it.formula).is_empty());
    applicable.filter_map(|it| compiler.add(&it.name.text, &it.formula).err()).flatten().collect()
}

fn not_judged(span: Span) -> Diagnostic {
    let text = "this part of a property can be written, but not judged yet";
    Diagnostic::new(Code::PropertyTooLarge, span, text, "not judged yet")
}

fn too_large(span: Span) -> Diagnostic {
    let text = format!("with its quantifiers expanded this property has more than {MAX_SIZE} parts");
    Diagnostic::new(Code::PropertyTooLarge, span, text, "too large for this cast")
        .with_help("Judge it with fewer agents, or nest fewer quantifiers")
}

struct TooLarge;

/// Compiles one property.
struct Expansion<'c, 'a> {
    compiler: &'c mut PropertyCompiler<'a>,
    /// The variables of the enclosing quantifiers with the agents they stand for, outermost first.
    variables: Vec<(String, AgentId)>,
    premises: Vec<Premise>,
    size: usize,
}

/// A compiled formula. One about a single moment stays a proposition as long as possible.
enum Compiled {
    Moment(Proposition),
    Run(Temporal),
}

impl Expansion<'_, '_> {
    fn formula(&mut self, formula: &Formula) -> Result<Compiled, TooLarge> {
        self.size += 1;
        if self.size > MAX_SIZE {
            return Err(TooLarge);
        }
        Ok(match &formula.kind {
            FormulaKind::Atom(atom) => Compiled::Moment(self.atom(atom)?),
            FormulaKind::Not(denied) => {
                let denied = self.formula(denied)?;
                negated(denied)
            }
            FormulaKind::And(parts) => self.all(parts)?,
            FormulaKind::Or(parts) => {
                let parts = parts.iter().map(|part| self.formula(part)).collect::<Result<_, _>>()?;
                self.any(parts)
            }
            FormulaKind::Implies(parts) => self.implication(parts)?,
            FormulaKind::Quantified(quantifier, range, body) => {
                let instances = self.instances(range, |it| it.formula(body))?;
                match quantifier {
                    Quantifier::Forall => self.every(instances),
                    Quantifier::Exists => self.any(instances),
                }
            }
            FormulaKind::Temporal(operator, operand) => {
                let operand = self.formula(operand)?;
                Compiled::Run(match operator {
                    TemporalOperator::Always => Temporal::Always(Box::new(self.temporal(operand))),
                    TemporalOperator::Eventually => Temporal::Eventually(Box::new(self.temporal(operand))),
                    TemporalOperator::Never => Temporal::Always(Box::new(self.temporal(negated(operand)))),
                    TemporalOperator::Next => Temporal::Next(Box::new(self.temporal(operand))),
                })
            }
            FormulaKind::Until(left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                Compiled::Run(Temporal::Until(Box::new(self.temporal(left)), Box::new(self.temporal(right))))
            }
            FormulaKind::Unless(..) | FormulaKind::Precedes(..) | FormulaKind::Before(_) => {
                unreachable!("refused by `unsupported`")
            }
            FormulaKind::LeadsTo(left, right) => {
                let (premise, right) = (self.formula(left)?, self.formula(right)?);
                self.premise(&premise, left.span);
                let (left, right) = (self.temporal(premise), self.temporal(right));
                Compiled::Run(Temporal::LeadsTo(Box::new(left), Box::new(right)))
            }
            FormulaKind::Possible(operand) => {
                Compiled::Run(Temporal::Possible(match self.formula(operand)? {
                    Compiled::Moment(proposition) => {
                        Possibility::Reach(self.compiler.proposition(proposition))
                    }
                    Compiled::Run(temporal) => Possibility::Satisfy(Box::new(temporal)),
                }))
            }
            FormulaKind::Sequence(events) => {
                let mut all = Vec::new();
                for event in events {
                    if let Compiled::Moment(proposition) = self.formula(event)? {
                        all.push(self.compiler.proposition(proposition));
                    }
                }
                Compiled::Run(Temporal::Possible(Possibility::Sequence(all)))
            }
        })
    }

    fn all(&mut self, parts: &[Formula]) -> Result<Compiled, TooLarge> {
        let parts = parts.iter().map(|part| self.formula(part)).collect::<Result<_, _>>()?;
        Ok(self.every(parts))
    }

    /// `f implies g implies h` is `not f or not g or h`.
    fn implication(&mut self, parts: &[Formula]) -> Result<Compiled, TooLarge> {
        let mut alternatives = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let compiled = self.formula(part)?;
            if index + 1 == parts.len() {
                alternatives.push(compiled);
            } else {
                self.premise(&compiled, part.span);
                alternatives.push(negated(compiled));
            }
        }
        Ok(self.any(alternatives))
    }

    fn premise(&mut self, premise: &Compiled, span: Span) {
        let Compiled::Moment(proposition) = premise else { return };
        let proposition = self.compiler.proposition(proposition.clone());
        let span = SourceSpan { start: span.start, end: span.end };
        match self.premises.iter_mut().find(|premise| premise.span == span) {
            Some(known) => known.propositions.push(proposition),
            None => self.premises.push(Premise { propositions: vec![proposition], span }),
        }
    }

    /// The results of `each` for every agent of a role.
    fn instances<T>(
        &mut self,
        range: &RangeOver,
        mut each: impl FnMut(&mut Self) -> Result<T, TooLarge>,
    ) -> Result<Vec<T>, TooLarge> {
        let program = &*self.compiler.program;
        let role = range.role().map_or("", |role| &role.text);
        let agents: Vec<AgentId> =
            program.cast().filter(|&agent| program.role_name(program.agent(agent).role) == role).collect();
        let mut instances = Vec::new();
        for agent in agents {
            self.variables.push((range.variable.text.clone(), agent));
            let instance = each(self);
            self.variables.pop();
            instances.push(instance?);
        }
        Ok(instances)
    }

    fn every(&mut self, parts: Vec<Compiled>) -> Compiled {
        self.join(parts, Proposition::And, Temporal::And)
    }

    fn any(&mut self, parts: Vec<Compiled>) -> Compiled {
        self.join(parts, Proposition::Or, Temporal::Or)
    }

    /// Joins parts; those about a single moment are first joined into one proposition.
    fn join(
        &mut self,
        parts: Vec<Compiled>,
        of_moment: fn(Vec<Proposition>) -> Proposition,
        of_run: fn(Vec<Temporal>) -> Temporal,
    ) -> Compiled {
        let (mut moments, mut runs) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Compiled::Moment(proposition) => moments.push(proposition),
                Compiled::Run(temporal) => runs.push(temporal),
            }
        }
        let moment = match moments.len() {
            1 => moments.pop(),
            0 if !runs.is_empty() => None,
            _ => Some(of_moment(moments)),
        };
        match moment {
            Some(moment) if runs.is_empty() => Compiled::Moment(moment),
            Some(moment) => {
                let moment = self.temporal(Compiled::Moment(moment));
                runs.insert(0, moment);
                Compiled::Run(of_run(runs))
            }
            None => match runs.len() {
                1 => Compiled::Run(runs.remove(0)),
                _ => Compiled::Run(of_run(runs)),
            },
        }
    }

    fn temporal(&mut self, compiled: Compiled) -> Temporal {
        match compiled {
            Compiled::Moment(proposition) => Temporal::Holds(self.compiler.proposition(proposition)),
            Compiled::Run(temporal) => temporal,
        }
    }

    /// A formula about one moment, as `map-check` requires of counted formulas.
    fn moment(&mut self, formula: &Formula) -> Result<Proposition, TooLarge> {
        match self.formula(formula)? {
            Compiled::Moment(proposition) => Ok(proposition),
            Compiled::Run(_) => unreachable!("checked: only single moments are counted"),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Result<Proposition, TooLarge> {
        atoms::compile(self, atom)
    }
}

fn negated(compiled: Compiled) -> Compiled {
    match compiled {
        Compiled::Moment(Proposition::Not(inner)) => Compiled::Moment(*inner),
        Compiled::Moment(Proposition::Constant(value)) => Compiled::Moment(Proposition::Constant(!value)),
        Compiled::Moment(proposition) => Compiled::Moment(Proposition::Not(Box::new(proposition))),
        Compiled::Run(Temporal::Not(inner)) => Compiled::Run(*inner),
        Compiled::Run(temporal) => Compiled::Run(Temporal::Not(Box::new(temporal))),
    }
}
