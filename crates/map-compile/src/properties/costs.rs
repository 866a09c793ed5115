//! What events cost.

use map_diagnostics::Diagnostic;
use map_ir::{AgentId, Charge, ChargedEvent, Cost, DeclaredCost, Price, RoleId, Whom};
use map_syntax::ast::{self, Atom, Event, FormulaKind, Name, Term, TermKind};

use super::PropertyCompiler;
use super::atoms::{self, Who};
use super::compared;
use super::expansion::Expansion;

impl PropertyCompiler<'_> {
    /// Compiles a cost that has passed `map-check`. The numbers in it are about the tables of
    /// [`PropertyCompiler::finish`]. What happens in other scenes only costs nothing.
    ///
    /// # Errors
    /// If a price, or what a message is compared with, may be a value that nobody knows.
    pub fn cost(&mut self, cost: &ast::Cost) -> Result<DeclaredCost, Vec<Diagnostic>> {
        let refused: Vec<Diagnostic> =
            cost.charges.iter().flat_map(|charge| compared::open_values(self, &charge.event)).collect();
        if !refused.is_empty() {
            return Err(refused);
        }
        let all = Expansion::new(self).cost(cost);
        Ok(self.declared(&cost.name.text, all))
    }

    /// One of the costs that every text has ([`map_check::BUILT_IN_COSTS`]); `None` if there is none of that name.
    pub fn built_in_cost(&mut self, name: &str) -> Option<DeclaredCost> {
        built_in(name).map(|all| self.declared(name, all))
    }

    fn declared(&mut self, name: &str, all: Cost) -> DeclaredCost {
        let by_role = (0..self.program.roles.len()).map(RoleId::new).filter_map(|role| {
            let borne = borne_by(&all, &self.agents_of(role));
            (!borne.charges.is_empty()).then_some((role, borne))
        });
        let by_role: Vec<(RoleId, Cost)> = by_role.collect();
        let by_role = match by_role.len() {
            0 | 1 => Vec::new(),
            _ => by_role.into_iter().map(|(role, borne)| (role, self.number_cost(borne))).collect(),
        };
        DeclaredCost { name: name.to_owned(), total: self.number_cost(all), by_role }
    }

    fn number_cost(&mut self, cost: Cost) -> usize {
        self.costs.insert_full(cost).0
    }

    fn agents_of(&self, role: RoleId) -> Vec<AgentId> {
        self.program.cast().filter(|&agent| self.program.agent(agent).role == role).collect()
    }
}

/// A cost that every text has.
fn built_in(name: &str) -> Option<Cost> {
    let event = match name {
        "steps" => ChargedEvent::Steps,
        "messages" => ChargedEvent::Copies,
        "rounds" => ChargedEvent::Calls,
        _ => return None,
    };
    Some(Cost { charges: vec![Charge { bearer: Whom::Anybody, event, price: Price::Amount(1) }] })
}

/// The part of a cost that these agents bear.
fn borne_by(cost: &Cost, agents: &[AgentId]) -> Cost {
    let charges = cost.charges.iter().filter_map(|charge| {
        let bearer = charge.bearer.among(agents);
        (!bearer.named().is_empty()).then(|| Charge { bearer, ..charge.clone() })
    });
    Cost { charges: charges.collect() }
}

impl Expansion<'_, '_> {
    /// The number of what `cost(u)` or `cost(u, payer)` reads; `None` if nobody can pay it.
    pub(super) fn cost_of(&mut self, name: &Name, payer: Option<&Term>) -> Option<usize> {
        let all = match self.compiler.checked.file.costs().find(|it| it.name.text == name.text) {
            Some(declared) => self.cost(declared),
            None => built_in(&name.text)?,
        };
        let cost = match payer {
            None => all,
            Some(payer) => borne_by(&all, &self.payers(payer)?),
        };
        Some(self.compiler.number_cost(cost))
    }

    /// The agents that a term stands for; `None` if they are not in the cast.
    fn payers(&self, term: &Term) -> Option<Vec<AgentId>> {
        if let TermKind::Role(_) = &term.kind {
            return Some(self.whom(term).named().to_vec());
        }
        match atoms::who(self, term) {
            Who::One(agent) => Some(vec![agent]),
            Who::Anybody | Who::Absent => None,
        }
    }

    fn cost(&mut self, cost: &ast::Cost) -> Cost {
        Cost { charges: cost.charges.iter().filter_map(|charge| self.charge(charge)).collect() }
    }

    /// `None` if the event cannot happen.
    fn charge(&mut self, ast::Charge { event, price, .. }: &ast::Charge) -> Option<Charge> {
        let FormulaKind::Atom(Atom::Event(bearer, event)) = &event.kind else { return None };
        let mut variables = Vec::new();
        let event = match event {
            Event::Asks(procedure) => ChargedEvent::Asks(atoms::procedure_id(self, &procedure.text)?),
            Event::Sends(message, to) => {
                ChargedEvent::Sends(atoms::message(self, message, &mut variables)?, self.whom(to))
            }
            Event::Receives(message, from) => {
                ChargedEvent::Receives(atoms::message(self, message, &mut variables)?, self.whom(from))
            }
            Event::Answers(..) | Event::TimesOut => return None,
        };
        let price = match &price.kind {
            TermKind::Integer(amount) => Price::Amount(*amount),
            _ => Price::Argument(variables.first()?.place),
        };
        let is_empty = |whom: &Whom| matches!(whom, Whom::These(agents) if agents.is_empty());
        let bearer = self.whom(bearer);
        let never = is_empty(&bearer) || event.message().is_some_and(|(_, other)| is_empty(other));
        (!never).then_some(Charge { bearer, event, price })
    }

    fn whom(&self, term: &Term) -> Whom {
        match &term.kind {
            TermKind::Wildcard => Whom::Anybody,
            TermKind::Role(name) => {
                let role = self.compiler.program.roles.iter().position(|it| it == name);
                Whom::These(role.map_or(Vec::new(), |role| self.compiler.agents_of(RoleId::new(role))))
            }
            _ => match atoms::who(self, term) {
                Who::One(agent) => Whom::These(vec![agent]),
                Who::Anybody | Who::Absent => Whom::These(Vec::new()),
            },
        }
    }
}
