//! The syntax tree of Promela that the translation builds, and its printer.

mod expr;
mod ltl;
mod operator;
mod print;
mod stmt;

pub(crate) use expr::{Expr, Field};
pub(crate) use ltl::Ltl;
pub(crate) use operator::Operator;
pub(crate) use print::print;
pub(crate) use stmt::{Item, Mark, Parameter, Stmt, Variable};
