//! Unique names that are valid in Promela and in the C code that SPIN generates.

use std::collections::BTreeSet;

/// Keywords of Promela and C, and names of the preamble, which cannot be used for anything else.
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
    "claim",
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
    "i386",
    // Macros of SPIN's verifier and of the headers it includes.
    "errno",
    "rand",
    "stderr",
    "stdin",
    "stdout",
    "uchar",
    "uint",
    "ulong",
    "ushort",
    // Names defined in the preamble.
    "abstract",
    "candidate",
    "candidate_is_used",
    "fail",
    "fresh",
    "is_abstract",
    "is_integer",
    "lost",
    "message",
    "no_failure",
    "no_integer_out_of_range",
    "no_mailbox_overflow",
    "no_run_error",
    "no_runaway_recursion",
    "only_polls",
    "quiet",
    "stuck",
    "value",
    "waited",
    "waits",
];

/// Prefixes of macros and special labels, which names of a model must not have.
const SPECIAL: &[&str] =
    &["end", "accept", "progress", "_", "maxseq", "minseq", "sa_", "si_", "sigev_", "src_ln", "st_", "va_"];

/// The names in use.
#[derive(Clone)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn new() -> Self {
        Self(RESERVED.iter().map(|&word| word.to_owned()).collect())
    }

    /// Reserves the wanted name or, if it is taken, a similar one. The result has no two consecutive underscores,
    /// and none at either end.
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        let name = self.free(wanted, &|_| None);
        self.0.insert(name.clone());
        name
    }

    /// Reserves a name for a process type. SPIN's verifier also defines a macro with `P` before that name.
    pub(crate) fn process(&mut self, wanted: &str) -> String {
        let name = self.free(wanted, &|name| Some(format!("P{name}")));
        self.0.insert(format!("P{name}"));
        self.0.insert(name.clone());
        name
    }

    /// Reserves a name for a claim: that of the property, unless the property is only known by its text.
    pub(crate) fn claim(&mut self, property: &str) -> String {
        self.process(if is_name(property) { property } else { "formula" })
    }

    /// Reserves a name for a variable. In the verifier it becomes a field, whose name must not be that of a macro;
    /// those of the C library are in capitals.
    pub(crate) fn variable(&mut self, wanted: &str) -> String {
        let in_capitals = !wanted.chars().any(|c| c.is_ascii_lowercase());
        self.unique(&if in_capitals { format!("the_{wanted}") } else { wanted.to_owned() })
    }

    fn free(&self, wanted: &str, too: &dyn Fn(&str) -> Option<String>) -> String {
        let special = SPECIAL.iter().any(|start| wanted.starts_with(start)) || is_label_of_claim(wanted);
        let stem = plain(&if special { format!("the_{wanted}") } else { wanted.to_owned() });
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        let taken = |name: &str| self.0.contains(name) || too(name).is_some_and(|it| self.0.contains(&it));
        let found = [stem.clone()].into_iter().chain(numbered).find(|name| !taken(name));
        found.expect("only so many names are taken")
    }
}

/// Whether SPIN may use this name for a state of a never claim, such as `T0_init` or `T3_S12`.
fn is_label_of_claim(name: &str) -> bool {
    let number = name.strip_prefix('T').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    number.is_some_and(|rest| rest.starts_with('_') && rest.len() + 1 < name.len())
}

/// Whether a property has a name, as opposed to being known by its text.
pub(crate) fn is_name(property: &str) -> bool {
    property.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name without consecutive underscores, and without underscores at its ends.
pub(crate) fn plain(name: &str) -> String {
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    parts.join("_")
}
