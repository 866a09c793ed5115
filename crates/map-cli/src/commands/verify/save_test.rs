//! `--save-test`: a test that expects what was found.

use std::path::{Component, Path, PathBuf};

use map_doors::{named, shown};
use map_flags::Findings;

use super::searched::Searched;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_place, write_besides};
use crate::input::is_stdin;
use map_flags::CommandLine;

impl Searched<'_> {
    /// Saves a test that expects what was found, if `--save-test` is given.
    pub(super) fn save_test(&self, console: &mut Console) -> Result<(), Failure> {
        let Some(target) = &self.args.save_test else { return Ok(()) };
        let findings = Findings::of_one(self.found);
        if findings.leaves_something_open() {
            console.complain(&format!("no test is saved to {}: a limit came first\n", shown(target)))?;
            return Ok(());
        }
        let flags = self.flags();
        let space = if flags.is_empty() { "" } else { " " };
        let mut text = format!(
            "// A test saved by map {}: `map test` verifies the file again and compares.\n\
             // What is expected is what was found. Once a defect is mended, write here what is right.\n\
             //@ file {}\n//@ verify {flags}{space}=> {}\n",
            env!("CARGO_PKG_VERSION"),
            from_folder_of(target, &named(Path::new(""), self.found.scene.source.name())),
            findings.line
        );
        let mark = self.args.search.judge.fairness.fairness().mark();
        for (name, words) in findings.properties.iter().filter(|(_, words)| !words.starts_with("refused")) {
            text.push_str(&format!("//@ property {name}{mark} => {words}\n"));
        }
        for (name, words) in findings.costs.iter().filter(|(_, words)| !words.starts_with("refused")) {
            text.push_str(&format!("//@ cost {name} => {words}\n"));
        }
        write_besides("the test", target, &text, console).map(|_| ())
    }

    /// The flags on which the result depends.
    fn flags(&self) -> String {
        let mut words = CommandLine::new("verify", Path::new("-"));
        words.scene(&self.args.search.scene);
        words.bounds(&self.args.search.bounds);
        if self.args.search.judge.no_properties {
            words.switch("no-properties");
        }
        for name in &self.args.search.judge.only {
            words.flag("only", name);
        }
        for formula in &self.args.search.judge.properties {
            words.flag("property", formula);
        }
        words.flags()
    }
}

/// What is wrong with the name of a file to save a test of that dialogue to.
pub(super) fn check_target(target: &Path, dialogue: &Path) -> Result<(), String> {
    if target.extension().is_none_or(|it| !it.eq_ignore_ascii_case("maptest")) {
        return Err(format!(
            "--save-test {}: give it a name that ends in .maptest, where `map test` finds it",
            shown(target)
        ));
    }
    if is_stdin(dialogue) {
        return Err("--save-test: a test names its dialogue, and this is standard input".to_owned());
    }
    check_place("--save-test", target, [dialogue])
}

/// A path as it is seen from the folder of another file.
fn from_folder_of(file: &Path, path: &Path) -> String {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (whole(folder), whole(path));
    let from: Vec<Component<'_>> = from.components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - common);
    let relative: PathBuf = up.chain(to[common..].iter().copied()).collect();
    let name = shown(&relative);
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
