//! Names that Promela and the C compiler behind it accept, no two alike.

use std::collections::BTreeSet;

/// Words of Promela and names of the preamble, which nothing else may have.
const RESERVED: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "D_proctype",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "STDIN",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "for",
    "main",
    "box",
    "ended",
    "at",
    "self",
    "verdict",
    "good",
    "now",
    "this",
    "auto",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "double",
    "enum",
    "extern",
    "float",
    "long",
    "register",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "union",
    "void",
    "volatile",
    "while",
    "linux",
    "unix",
];

/// The names given so far.
#[derive(Clone)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn new() -> Self {
        Self(RESERVED.iter().map(|&word| word.to_owned()).collect())
    }

    /// The wanted name, or one like it that is free. Labels that start like this mean something to SPIN, so no name does.
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        let special = ["end", "accept", "progress", "_"].iter().any(|start| wanted.starts_with(start));
        let stem = if special { format!("the_{wanted}") } else { wanted.to_owned() };
        let mut name = stem.clone();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{stem}_{number}");
            number += 1;
        }
        name
    }
}
