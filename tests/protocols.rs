//! Every `//@ verify` line of every file in `protocols/` and `tests/cases/`: both engines must find what it says.

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_syntax::parse;
use map_testkit::oracle::explore;
use map_tests::cases::{Case, Expected, cases, map_files};
use map_tests::engines::{Findings, findings, oracle_findings, program, reduced_search, search};
use map_verify::Reductions;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut trials = Vec::new();
    for folder in ["protocols", "tests/cases"] {
        for path in map_files(&root.join(folder)).expect("the folder is part of the repository") {
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            let text = std::fs::read_to_string(&path).expect("case files are UTF-8 text");
            match cases(&path, &text) {
                Ok(found) if found.is_empty() => {
                    trials.push(Trial::test(name, || Err("the file has no `//@ verify` line".into())));
                }
                Ok(found) => trials.extend(found.into_iter().map(|case| {
                    let text = text.clone();
                    Trial::test(format!("{name} {}", case.flags), move || run(&case, &text))
                })),
                Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(case: &Case, text: &str) -> Result<(), Failed> {
    let source = SourceFile::new(case.path.display().to_string(), text);
    let program = program(&source, &case.options)?;
    let fast = findings(&program, &search(&program, &case.options)?);
    let found = Expected::of(&fast);
    if !case.expected.fits(&found) {
        return Err(format!("found: //@ verify {} => {found}", case.flags).into());
    }
    reduced(case, &program, &fast)?;
    let oracle = oracle_findings(explore(&parse(&source).file, &case.options));
    let differences = fast.differences(&oracle);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
}

/// The search with all reductions, examined as it goes, must find the same.
fn reduced(case: &Case, program: &Program, plain: &Findings) -> Result<(), Failed> {
    let reduced = findings(program, &reduced_search(program, &case.options, Reductions::ALL, true)?);
    if let Some(states) = case.expected.reduced.filter(|&states| states != reduced.states) {
        return Err(format!("reduced to {} states, not to {states}", reduced.states).into());
    }
    let differences = reduced.differences_beside_counts(plain);
    if differences.is_empty() { Ok(()) } else { Err(format!("reduced: {}", differences.join("\n")).into()) }
}
