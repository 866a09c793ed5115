//! Promela as a tree: what the translation builds, and how it is printed.

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
