//! What procedures answer: "a `procedure` never answers 'no' (its last alternative has no guard; an empty domain is a
//! run error). A `decision` may: with no body, `in` or `fresh`, always; with alternatives, exactly when no guard holds
//! (an empty domain: 'no')."

use map_syntax::ast::{Alternative, Answer, Body, Domain, DomainKind};

use super::cast::constant;
use super::choice::Decider;
use super::run::{Run, Stop};
use super::state::{Value, Variables};
use super::weight::occurs;

/// An answer other than "no", and the cells that change with it.
pub(super) type Reply<'a> = (Value<'a>, Vec<(&'a str, Value<'a>)>);

impl<'a> Run<'a, '_> {
    /// One of the ways in which the procedure may answer; `None` for "no".
    pub(super) fn consult(
        &mut self,
        procedure: &str,
        arguments: Vec<Value<'a>>,
    ) -> Result<Option<Reply<'a>>, Stop> {
        // "A procedure that no item declares is a `decision`: it may answer 'no', and its answers are abstract."
        let Some(procedure) = self.setting.procedure(procedure) else {
            return self.with_or_without_body(true, None);
        };
        let names = procedure.parameters.iter().map(|it| it.text.as_str());
        let parameters: Variables<'a> = names.zip(arguments).collect();
        match &procedure.body {
            Some(Body::Alternatives(alternatives)) => {
                self.first_alternative(procedure.may_refuse, alternatives, &parameters)
            }
            body => self.with_or_without_body(procedure.may_refuse, body.as_ref()),
        }
    }

    /// "With no body, `in` or `fresh`, always": both answers are possible.
    fn with_or_without_body(
        &mut self,
        may_refuse: bool,
        body: Option<&'a Body>,
    ) -> Result<Option<Reply<'a>>, Stop> {
        if may_refuse && self.choose(Decider::Answer, 2)? == 1 {
            return Ok(None);
        }
        let answer = match body {
            None => Some(self.new_symbol()),
            Some(Body::Fresh(_)) => Some(self.new_fresh()),
            Some(Body::Domain(domain)) => self.any_of(domain, may_refuse)?,
            Some(Body::Alternatives(_)) => unreachable!("a body with guards"),
        };
        Ok(answer.map(|answer| (answer, Vec::new())))
    }

    /// "The first alternative whose guard holds is taken. Result and updates are all computed from the cells as they
    /// were." All of it is computed before the answer is chosen or given.
    fn first_alternative(
        &mut self,
        may_refuse: bool,
        alternatives: &'a [Alternative],
        parameters: &Variables<'a>,
    ) -> Result<Option<Reply<'a>>, Stop> {
        for alternative in alternatives {
            let taken = match &alternative.guard {
                Some(guard) => self.holds(guard, parameters)?,
                None => true,
            };
            if !taken {
                continue;
            }
            let value = match &alternative.answer {
                Answer::Value(expression) => Some(self.value_of(expression, parameters)?),
                Answer::Domain(_) => None,
            };
            let mut updates = Vec::new();
            for update in &alternative.updates {
                updates.push((update.cell.text.as_str(), self.value_of(&update.value, parameters)?));
            }
            let answer = match &alternative.answer {
                Answer::Value(_) => value,
                Answer::Domain(domain) => self.any_of(domain, may_refuse)?,
            };
            return Ok(answer.map(|answer| (answer, updates)));
        }
        assert!(may_refuse, "the last alternative of a procedure has no guard");
        Ok(None)
    }

    /// Any value of a domain: "one successor for every possible answer".
    fn any_of(&mut self, domain: &'a Domain, may_refuse: bool) -> Result<Option<Value<'a>>, Stop> {
        let values = self.values_of(domain);
        Ok(match values.len() {
            0 if may_refuse => None,
            0 => return Err(Stop::RunError),
            1 => Some(values[0]),
            number => Some(values[self.choose(Decider::Answer, number)?]),
        })
    }

    /// The distinct values of a domain. "A role: its agents", all of the cast, the asking one among them.
    fn values_of(&self, domain: &'a Domain) -> Vec<Value<'a>> {
        let mut values: Vec<Value<'a>> = match &domain.kind {
            DomainKind::Values(terms) => {
                let terms = terms.iter().enumerate().filter(|&(at, _)| occurs(domain, at));
                terms.map(|(_, term)| constant(&term.kind)).collect()
            }
            DomainKind::Range(first, last) => {
                let values = (*first..=*last).enumerate().filter(|&(at, _)| occurs(domain, at));
                values.map(|(_, value)| Value::Integer(value)).collect()
            }
            DomainKind::Role(role) => {
                let agents = 0..self.setting.cast.agents.len();
                let of_role = agents.filter(|&agent| self.setting.role(agent) == role.text);
                of_role.map(|agent| Value::Agent(self.setting.name(agent))).collect()
            }
        };
        values.sort_unstable();
        values.dedup();
        values
    }
}
