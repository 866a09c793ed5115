//! Quiescence, when timeouts are possible. A thread that can poll does not count as acting, but SPIN's `timeout`
//! does not know this, so the condition that every thread waits is spelt out.

use map_ir::{PartId, Program, Value};
use map_semantics::{Bounds, Timeouts};

use crate::control::{At, ForkId, PlaceId};
use crate::explored::Explored;
use crate::promela::{Expr, Item};

pub(crate) fn definitions(
    program: &Program,
    bounds: &Bounds,
    explored: &[(PartId, Explored<'_>)],
) -> Vec<Item> {
    let mut items = vec![Item::Comment(vec![
        "Whether all threads of an agent wait: their acts may come to nothing.".to_owned(),
    ])];
    for (_, part) in explored {
        items.push(Item::Define {
            name: format!("{}__waits", part.walker.naming.part),
            parameters: vec!["self"],
            value: Expr::or([part.ended(), part.all_wait()]),
        });
        items.push(Item::Define {
            name: format!("{}__times_out", part.walker.naming.part),
            parameters: vec!["self"],
            value: part.may_time_out(bounds),
        });
    }
    let of_all = |what: &str| -> Vec<Expr> {
        program
            .cast()
            .filter_map(|agent| {
                let (_, part) = explored.iter().find(|(id, _)| *id == program.agent(agent).part)?;
                let own = part.walker.layout.constant(Value::Agent(agent));
                Some(Expr::Macro(format!("{}__{what}", part.walker.naming.part), vec![own]))
            })
            .collect()
    };
    let define =
        |name: &str, value: Expr| Item::Define { name: name.to_owned(), parameters: Vec::new(), value };
    items.push(define("quiet", Expr::and(of_all("waits"))));
    let in_time = Expr::or(of_all("times_out"));
    items.push(define("only_polls", Expr::and([Expr::name("quiet"), in_time.not()])));
    items.push(Item::Blank);
    items
}

impl Explored<'_> {
    fn ended(&self) -> Expr {
        self.walker.layout.of_agent("ended", Expr::name("self"))
    }

    fn is_at(&self, place: PlaceId) -> Expr {
        let name = Expr::name(self.walker.place_name(place));
        let at = match self.walker.control.places[place.0].thread() {
            None => self.walker.main_place(),
            Some(side) => self.walker.holder_of_side(side),
        };
        Expr::equal(at, name)
    }

    fn all_wait(&self) -> Expr {
        Expr::or(
            self.places(|place| place.thread().is_none()).map(|it| self.waits_at(it)).collect::<Vec<_>>(),
        )
    }

    fn places(&self, wanted: impl Fn(&crate::control::Place) -> bool) -> impl Iterator<Item = PlaceId> {
        let places = &self.walker.control.places;
        (0..places.len()).map(PlaceId).filter(move |it| wanted(&places[it.0]))
    }

    /// Whether a thread is at that place and waits there; at a `par`, its sides must wait.
    fn waits_at(&self, place: PlaceId) -> Expr {
        let here = self.is_at(place);
        match self.walker.control.places[place.0].at {
            At::Point(_) => Expr::and([here, self.behaviours[place.0].idle.clone()]),
            At::End(_) => here,
            At::Fork(fork) => Expr::and([here, self.sides_wait(fork)]),
        }
    }

    fn sides_wait(&self, fork: ForkId) -> Expr {
        let sides = self.walker.control.forks[fork.0].sides;
        Expr::and((0..sides).map(|index| {
            let side = crate::control::SideId { fork, index };
            Expr::or(
                self.places(|place| place.thread() == Some(side))
                    .map(|it| self.waits_at(it))
                    .collect::<Vec<_>>(),
            )
        }))
    }

    /// Whether some timeout would be a step whatever the outcomes of open comparisons, provided that time can run out.
    fn may_time_out(&self, bounds: &Bounds) -> Expr {
        Expr::or(
            self.places(|place| matches!(place.at, At::Point(_)))
                .map(|place| {
                    let behaviour = &self.behaviours[place.0];
                    let step = Expr::or(behaviour.timeouts.iter().map(|(guard, _)| guard.clone()));
                    let in_time = match bounds.timeouts {
                        Timeouts::Quiescent => Expr::True,
                        Timeouts::Any => behaviour.idle.clone(),
                    };
                    let main = self.enclosing(place);
                    let surely = behaviour.timeout_may_vanish.clone().not();
                    Expr::and(main.into_iter().chain([self.is_at(place), in_time, step, surely]))
                })
                .collect::<Vec<_>>(),
        )
    }

    /// The condition that the agent is in the `par` that contains the place; `None` outside of any `par`.
    fn enclosing(&self, place: PlaceId) -> Option<Expr> {
        let fork = self.walker.control.places[place.0].outermost_fork()?;
        self.places(|it| it.at == At::Fork(fork)).next().map(|it| self.is_at(it))
    }
}
