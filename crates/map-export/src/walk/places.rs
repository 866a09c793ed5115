//! The names of places and holders in the process of a part.

use super::Walker;
use crate::control::{At, Holder, HolderId, PlaceId};
use crate::naming::word_of;
use crate::promela::{Expr, Operator};

impl Walker<'_> {
    pub(crate) fn holder_name(&self, holder: HolderId) -> String {
        self.naming.holder(&self.control, self.layout, holder)
    }

    pub(crate) fn holder_expr(&self, holder: HolderId) -> Expr {
        let name = self.holder_name(holder);
        let is_shared = self.layout.global && self.control.holders[holder.0] != Holder::Swap;
        if is_shared { self.of_own(&name) } else { Expr::Name(name) }
    }

    /// The agent's own element of an array over the agents of its part.
    pub(crate) fn of_own(&self, array: &str) -> Expr {
        let offset = self.layout.number_of(self.agents[0]);
        let own = Expr::name("self");
        let index =
            if offset == 0 { own } else { Expr::binary(Operator::Subtract, own, Expr::Number(offset)) };
        Expr::element(array, index)
    }

    /// The constant for a place, as stored in variables.
    pub(crate) fn place_name(&self, place: PlaceId) -> String {
        format!("{}__{}", self.naming.part, self.label(place))
    }

    /// The label of a place.
    pub(crate) fn label(&self, place: PlaceId) -> String {
        let stem = |place: PlaceId| {
            let (word, point) = match self.control.places[place.0].at {
                At::Point(point) => (word_of(&self.program.point(point).kind), Some(point)),
                At::Fork(fork) => ("par", Some(self.control.forks[fork.0].point)),
                At::End(true) => ("succeeded", None),
                At::End(false) => ("failed", None),
            };
            let line = point.map_or(String::new(), |point| {
                format!("__{}", self.naming.source.line(self.program.point(point).span))
            });
            format!("{word}{line}")
        };
        let name = stem(place);
        let twins = (0..place.0).filter(|&other| stem(PlaceId(other)) == name).count();
        if twins == 0 { name } else { format!("{name}_{}", place.0) }
    }
}
