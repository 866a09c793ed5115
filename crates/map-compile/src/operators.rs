//! Lowering of operators.

use map_ir::{Arithmetic, Comparison};
use map_syntax::ast::{ArithmeticOperator, ComparisonOperator};

pub(crate) const fn arithmetic(operator: ArithmeticOperator) -> Arithmetic {
    match operator {
        ArithmeticOperator::Add => Arithmetic::Add,
        ArithmeticOperator::Subtract => Arithmetic::Subtract,
        ArithmeticOperator::Multiply => Arithmetic::Multiply,
        ArithmeticOperator::Divide => Arithmetic::Divide,
        ArithmeticOperator::Remainder => Arithmetic::Remainder,
    }
}

pub(crate) const fn comparison(operator: ComparisonOperator) -> Comparison {
    match operator {
        ComparisonOperator::Equal => Comparison::Equal,
        ComparisonOperator::NotEqual => Comparison::NotEqual,
        ComparisonOperator::Less => Comparison::Less,
        ComparisonOperator::LessOrEqual => Comparison::LessOrEqual,
        ComparisonOperator::Greater => Comparison::Greater,
        ComparisonOperator::GreaterOrEqual => Comparison::GreaterOrEqual,
    }
}
