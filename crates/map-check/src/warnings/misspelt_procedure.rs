//! MAP315: an undeclared procedure that is asked once and whose name is close to that of a declared one. It is a
//! separate procedure, which may say "no".

use std::collections::HashMap;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{File, Name, OpKind};

use super::LintContext;
use crate::{suggest, walk};

/// The procedures of a file.
pub(super) struct Procedures<'a> {
    declared: HashMap<&'a str, &'a Name>,
    /// How often each is asked.
    asked: HashMap<&'a str, usize>,
}

impl<'a> Procedures<'a> {
    pub(super) fn new(file: &'a File) -> Self {
        let declared = file.procedures().map(|declared| (&*declared.name.text, &declared.name)).collect();
        let mut asked: HashMap<&str, usize> = HashMap::new();
        for clause in file.scenes().flat_map(|scene| &scene.clauses) {
            walk::operations(&clause.body, &mut |op| {
                if let OpKind::Ask { procedure, .. } = &op.kind {
                    *asked.entry(&procedure.text).or_default() += 1;
                }
            });
        }
        Self { declared, asked }
    }
}

pub(super) fn find(cx: &LintContext<'_>, procedures: &Procedures<'_>, found: &mut Vec<Diagnostic>) {
    let Procedures { declared, asked } = procedures;
    if declared.is_empty() {
        return;
    }
    for (_, clause) in cx.clauses() {
        walk::operations(&clause.body, &mut |op| {
            let OpKind::Ask { procedure, arguments, .. } = &op.kind else { return };
            let name = &*procedure.text;
            if declared.contains_key(name) || asked.get(name) != Some(&1) {
                return;
            }
            let alike = cx.file.procedures().filter(|it| it.parameters.len() == arguments.len());
            // If the declared procedure is asked elsewhere, only an obvious slip counts.
            let alike =
                alike.map(|it| &*it.name.text).filter(|it| !asked.contains_key(it) || is_slip(name, it));
            if let Some(near) = suggest::nearest(name, alike).and_then(|near| declared.get(near)) {
                found.push(warning(procedure, near));
            }
        });
    }
}

/// Whether two names differ only in case, by a swap of two adjacent letters, or by a missing letter other than the
/// last.
fn is_slip(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (shorter, longer) =
        if a.len() < b.len() { (a.as_bytes(), b.as_bytes()) } else { (b.as_bytes(), a.as_bytes()) };
    let Some(first) = shorter.iter().zip(longer).position(|(a, b)| a != b) else { return false };
    match longer.len() - shorter.len() {
        0 => {
            let swapped = longer.get(first + 1) == Some(&shorter[first])
                && shorter.get(first + 1) == Some(&longer[first]);
            swapped && shorter.get(first + 2..) == longer.get(first + 2..)
        }
        1 => shorter[first..] == longer[first + 1..],
        _ => false,
    }
}

fn warning(name: &Name, declared: &Name) -> Diagnostic {
    let text = format!("`{}` is not declared, but `{}` is", name.text, declared.text);
    Diagnostic::new(Code::MisspeltProcedure, name.span, text, "another procedure, which may say \"no\"")
        .with_label(declared.span, "declared here")
        .with_help(format!("Did you mean `{}`? If not, declare `{}` too", declared.text, name.text))
        .replaced_by(&*declared.text)
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn slips_are_told_from_other_names() {
        for (a, b) in
            [("getvalue", "getValue"), ("getVaule", "getValue"), ("getVlue", "getValue"), ("keeep", "keep")]
        {
            assert!(is_slip(a, b), "{a} {b}");
        }
        for (a, b) in [("setValue", "getValue"), ("bid", "bids"), ("bid1", "bid2"), ("a", "abc"), ("x", "x2")]
        {
            assert!(!is_slip(a, b), "{a} {b}");
        }
    }
}
