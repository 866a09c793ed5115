//! Cells that count: they start with an integer, and every change adds or subtracts a written one. What they hold
//! is a sum
//! over the agents that caused the changes, so bounds of what each member has contributed bound it, however many
//! there
//! are.

use map_ir::{
    Arithmetic, Body, CellId, Comparison, ExpressionId, ExpressionKind, Initial, Program, RoleId, Slicing,
    Value,
};

/// What a member may contribute to a cell, at most; beyond it, nothing is proved.
pub(crate) const MOST: i32 = 3;

/// What members that are not seen may not exceed together with written integers, so that no sum can overflow.
pub(crate) const LARGEST: i64 = 1 << 20;

/// A sum of cells that count, each times a factor, and a constant. Cells are given by their place among those of
/// their
/// agent; none has the factor 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Form {
    pub(crate) cells: Vec<(usize, i64)>,
    pub(crate) constant: i64,
}

impl Form {
    pub(crate) fn constant(constant: i64) -> Self {
        Self { cells: Vec::new(), constant }
    }

    pub(crate) fn cell(place: usize) -> Self {
        Self { cells: vec![(place, 1)], constant: 0 }
    }

    /// This plus the other times `factor`; `None` if some number gets large.
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let add = |left: i64, right: i64| {
            let sum = left.checked_add(right.checked_mul(factor)?)?;
            (sum.abs() <= LARGEST).then_some(sum)
        };
        let mut sum = Self { cells: self.cells.clone(), constant: add(self.constant, other.constant)? };
        for &(place, times) in &other.cells {
            match sum.cells.iter_mut().find(|(it, _)| *it == place) {
                Some((_, before)) => *before = add(*before, times)?,
                None => sum.cells.push((place, add(0, times)?)),
            }
        }
        sum.cells.retain(|&(_, times)| times != 0);
        sum.cells.sort_unstable();
        Some(sum)
    }

    /// The value for these contents, without the constant.
    pub(crate) fn of(&self, contents: impl Fn(usize) -> i64) -> i64 {
        self.cells.iter().map(|&(place, times)| times * contents(place)).sum()
    }
}

/// A comparison of a sum with 0, and how it came out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constraint {
    pub(crate) form: Form,
    pub(crate) comparison: Comparison,
    pub(crate) holds: bool,
}

/// Bounds of a sum; `None` is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) least: Option<i64>,
    pub(crate) most: Option<i64>,
}

impl Range {
    pub(crate) const ZERO: Self = Self { least: Some(0), most: Some(0) };

    /// Of the sum of some numbers: at least one, or perhaps none. `None` if there is no number to choose from and one
    /// is needed.
    pub(crate) fn of_sum(numbers: impl Iterator<Item = i64> + Clone, perhaps_none: bool) -> Option<Self> {
        let Some((least, most)) = numbers.clone().min().zip(numbers.max()) else {
            return perhaps_none.then_some(Self::ZERO);
        };
        // The sum of numbers none of which is negative is least if there are as few as possible.
        Some(Self {
            least: (least >= 0).then_some(if perhaps_none { 0 } else { least }),
            most: (most <= 0).then_some(if perhaps_none { 0 } else { most }),
        })
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let add = |left: Option<i64>, right: Option<i64>| left?.checked_add(right?);
        Self { least: add(self.least, other.least), most: add(self.most, other.most) }
    }

    /// Whether the comparison with 0 may come out like this for a number within the bounds.
    pub(crate) fn allows(self, comparison: Comparison, holds: bool) -> bool {
        let at_least = |bound: i64| self.most.is_none_or(|most| most >= bound);
        let at_most = |bound: i64| self.least.is_none_or(|least| least <= bound);
        match (comparison, holds) {
            (Comparison::Equal, true) | (Comparison::NotEqual, false) => at_least(0) && at_most(0),
            (Comparison::Equal, false) | (Comparison::NotEqual, true) => {
                self.least != Some(0) || self.most != Some(0)
            }
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => at_most(-1),
            (Comparison::Less, false) | (Comparison::GreaterOrEqual, true) => at_least(0),
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => at_most(0),
            (Comparison::LessOrEqual, false) | (Comparison::Greater, true) => at_least(1),
        }
    }
}

/// The cells of a role that count, as indices into its memory, and whether each starts with the number of members.
pub(crate) fn counting_cells(
    few: &Program,
    more: &Program,
    role: RoleId,
    slicing: &Slicing,
) -> Vec<(usize, bool)> {
    let cells = few.memories[role.index()].cells.iter().enumerate();
    cells
        .filter(|&(index, (cell, initial))| {
            slicing.cell_at(role, index)
                && matches!(initial, Initial::Constant(Value::Integer(number)) if number.abs() < LARGEST)
                && is_only_counted(few, *cell)
        })
        .map(|(index, _)| (index, is_numbered(few, more, role.index(), index)))
        .collect()
}

/// Whether a cell starts with a number that depends on the number of members.
pub(crate) fn is_numbered(few: &Program, more: &Program, role: usize, cell: usize) -> bool {
    match (&few.memories[role].cells[cell].1, &more.memories[role].cells[cell].1) {
        (Initial::Constant(one @ Value::Integer(_)), Initial::Constant(other)) => one != other,
        _ => false,
    }
}

/// Whether every change of a cell adds or subtracts written integers, and there is one that does.
fn is_only_counted(program: &Program, cell: CellId) -> bool {
    let bodies = program.procedures.iter().filter_map(|procedure| match &procedure.body {
        Body::Alternatives(alternatives) => Some(alternatives),
        _ => None,
    });
    let updates = || {
        let alternatives = bodies.clone().flatten();
        alternatives.flat_map(|it| &it.updates).filter(|(it, _)| *it == cell)
    };
    updates().next().is_some() && updates().all(|&(_, value)| is_a_change(program, cell, value))
}

/// Whether the expression is the cell plus or minus written integers.
fn is_a_change(program: &Program, cell: CellId, value: ExpressionId) -> bool {
    let is_cell = |id: ExpressionId| program.expression(id).kind == ExpressionKind::Cell(cell);
    let is_written = |id: ExpressionId| matches!(program.expression(id).kind, ExpressionKind::Constant(Value::Integer(it)) if it.abs() < LARGEST);
    match &program.expression(value).kind {
        ExpressionKind::Cell(it) => *it == cell,
        ExpressionKind::Arithmetic(first, rest) => {
            let signed = |&(sign, operand): &(Arithmetic, ExpressionId)| {
                matches!(sign, Arithmetic::Add | Arithmetic::Subtract) && is_written(operand)
            };
            match (is_cell(*first), rest.as_slice()) {
                (true, rest) => rest.iter().all(signed),
                (false, [(Arithmetic::Add, added), rest @ ..]) => {
                    is_written(*first) && is_cell(*added) && rest.iter().all(signed)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use map_ir::Comparison;

    use super::{Form, Range};

    #[test]
    fn sums_of_at_least_one_number_are_bounded_on_the_side_of_0() {
        let range = |numbers: &[i64], perhaps_none| Range::of_sum(numbers.iter().copied(), perhaps_none);
        let bounds = |least, most| Some(Range { least, most });
        assert_eq!(range(&[2, 5], false), bounds(Some(2), None));
        assert_eq!(range(&[2, 5], true), bounds(Some(0), None));
        assert_eq!(range(&[-2, -1], false), bounds(None, Some(-1)));
        assert_eq!(range(&[-1, 1], false), bounds(None, None));
        assert_eq!(range(&[0], false), Some(Range::ZERO));
        assert_eq!(range(&[], true), Some(Range::ZERO));
        assert_eq!(range(&[], false), None);
    }

    /// Compared with all numbers within the bounds.
    #[test]
    fn comparisons_come_out_as_some_number_within_the_bounds_says() {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let sides = [None, Some(-2), Some(-1), Some(0), Some(1), Some(2)];
        for least in sides {
            for most in sides.into_iter().filter(|most| least.zip(*most).is_none_or(|(a, b)| a <= b)) {
                for comparison in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
                    for holds in [true, false] {
                        let mut numbers = least.unwrap_or(-9)..=most.unwrap_or(9);
                        let some =
                            numbers.any(|it| map_semantics::integers_compare(it, comparison, 0) == holds);
                        let range = Range { least, most };
                        assert_eq!(range.allows(comparison, holds), some, "{range:?} {comparison:?} {holds}");
                    }
                }
            }
        }
    }

    #[test]
    fn sums_are_added_and_what_cancels_is_gone() {
        let two = Form::cell(1).plus(&Form::cell(0), 2).expect("it is small");
        assert_eq!(two.cells, [(0, 2), (1, 1)]);
        let one = two.plus(&Form::cell(1), -1).and_then(|it| it.plus(&Form::constant(3), 1));
        assert_eq!(one, Some(Form { cells: vec![(0, 2)], constant: 3 }));
        assert_eq!(Form::cell(0).plus(&Form::cell(0), i64::MAX), None);
    }
}
