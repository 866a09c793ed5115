//! What honest agents answer.

use map_diagnostics::Span;

use super::{Name, Procedure};

/// `truth p($a) | guard = answer ..`: what an honest agent answers where the procedure `p` leaves it open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The honest answers of the procedure of that name, as those of a decision: alternatives, which change no cells,
    /// and "no" where no guard holds.
    pub decision: Procedure,
}

impl Truth {
    /// The procedure whose answers it is about.
    #[must_use]
    pub fn procedure(&self) -> &Name {
        &self.decision.name
    }

    /// The whole item.
    #[must_use]
    pub fn span(&self) -> Span {
        self.decision.span
    }
}
