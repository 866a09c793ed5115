//! Networks that lose messages: the copies that are lost are chosen before a message is delivered.

use map_semantics::Bounds;

use crate::declarations::WITHIN_A_STEP;
use crate::promela::{Expr, Item, Operator, Stmt, Variable};
use crate::walk::{Recipient, Walker};

/// The variable that counts the copies lost so far.
const LOST: &str = "lost";

/// The flag that the copy for the recipient of that index is lost.
fn drops(index: usize) -> Expr {
    Expr::Name(format!("drops__{index}"))
}

/// The declaration of the counter, if messages can be lost.
pub(crate) fn counter(bounds: &Bounds) -> Vec<Item> {
    if bounds.network.losses == 0 {
        return Vec::new();
    }
    let comment = format!("copies of messages lost so far; {} can be", bounds.network.losses);
    vec![Item::Variable(Variable::new("int", LOST, comment)), Item::Blank]
}

impl Walker<'_> {
    fn loses(&self) -> bool {
        self.bounds.network.losses > 0
    }

    pub(crate) fn loss_variables(&self) -> Vec<Variable> {
        let most = if self.loses() { self.most_recipients } else { 0 };
        let variable = |index| Variable::new("bool", drops(index).to_string(), WITHIN_A_STEP);
        (0..most).map(variable).collect()
    }

    /// Whether the copy for the recipient of that index is not lost.
    pub(crate) fn arrives(&self, index: usize) -> Expr {
        if self.loses() { drops(index).not() } else { Expr::True }
    }

    /// Chooses which copies are lost: any copy for an agent that is there, up to the bound on losses.
    pub(crate) fn choose_losses(&self, to: &[Recipient]) -> Vec<Stmt> {
        if !self.loses() {
            return Vec::new();
        }
        let lost = || Expr::name(LOST);
        let most = Expr::Number(i64::from(self.bounds.network.losses));
        let choice = |(index, recipient): (usize, &Recipient)| {
            let (_, there) = self.there(recipient);
            let more = Expr::binary(Operator::Add, lost(), Expr::Number(1));
            Stmt::If(vec![
                vec![
                    Stmt::Guard(Expr::and([there, Expr::binary(Operator::Less, lost(), most.clone())])),
                    Stmt::Assign(drops(index), Expr::True),
                    Stmt::Assign(lost(), more),
                ],
                vec![Stmt::Guard(Expr::True)],
            ])
        };
        to.iter().enumerate().map(choice).collect()
    }

    /// Undoes the losses of a step that is not taken.
    pub(crate) fn take_back_losses(&self, to: &[Recipient]) -> Vec<Stmt> {
        let mut statements = Vec::new();
        if self.loses() {
            let before = (0..to.len())
                .fold(Expr::name(LOST), |left, it| Expr::binary(Operator::Subtract, left, drops(it)));
            statements.push(Stmt::Assign(Expr::name(LOST), before));
        }
        statements.extend(self.forget_losses(to));
        statements
    }

    /// Resets the flags, so that scratch variables do not distinguish states between steps.
    pub(crate) fn forget_losses(&self, to: &[Recipient]) -> Vec<Stmt> {
        let count = if self.loses() { to.len() } else { 0 };
        (0..count).map(|index| Stmt::Assign(drops(index), Expr::False)).collect()
    }
}
