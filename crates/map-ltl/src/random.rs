//! Random formulas, for tests.

use crate::{FormulaId, Formulas};

/// The shape of random formulas.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The approximate number of operators and atoms.
    pub size: usize,
    /// Propositions are drawn from `0..atoms`; at least one.
    pub atoms: u32,
    /// Whether `next` may occur.
    pub next: bool,
}

/// A random formula. `below(n)` draws a number from `0..n`.
pub fn random_formula(
    formulas: &mut Formulas,
    shape: Shape,
    below: &mut dyn FnMut(usize) -> usize,
) -> FormulaId {
    if shape.size <= 1 {
        return match below(20) {
            0 => formulas.truth(),
            1 => formulas.falsity(),
            _ => formulas.atom(below(shape.atoms as usize) as u32),
        };
    }
    let choice = below(if shape.next { 20 } else { 18 });
    if matches!(choice, 0..=8 | 18..) {
        let operand = random_formula(formulas, Shape { size: shape.size - 1, ..shape }, below);
        return match choice {
            0..=2 => formulas.not(operand),
            3..=5 => formulas.always(operand),
            6..=8 => formulas.eventually(operand),
            _ => formulas.next(operand),
        };
    }
    let left_size = 1 + below(shape.size - 1);
    let left = random_formula(formulas, Shape { size: left_size, ..shape }, below);
    let right_size = (shape.size - 1).saturating_sub(left_size).max(1);
    let right = random_formula(formulas, Shape { size: right_size, ..shape }, below);
    match choice {
        9 | 10 => formulas.and(left, right),
        11 | 12 => formulas.or(left, right),
        13 => formulas.implies(left, right),
        14 | 15 => formulas.until(left, right),
        16 => formulas.release(left, right),
        _ => formulas.leads_to(left, right),
    }
}
