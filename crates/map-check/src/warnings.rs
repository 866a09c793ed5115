//! Warnings: what is legal to write but most likely not what was meant (language reference, "Static meaning").
//!
//! They are made for scenes without errors only, so nothing here needs to guess what a broken text could mean. Where
//! it is a matter of judgement they keep silent: a right protocol has no warnings.

mod allowed;
mod comments;
mod doubt;
mod fails_on_no;
mod flow;
mod last_call;
mod lost_message;
mod messages;
mod misspelt_procedure;
mod never_called;
mod never_runs;
mod never_waits;
mod not_received;
mod not_sent;
mod runaway;
mod shadowed_head;
mod silent;
mod unseen;
mod unused_variable;
mod wait_nesting;
mod wait_takes_in;
mod words;

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic, SourceFile};
use map_syntax::ast;

pub use allowed::Allowed;

use crate::warnings::flow::Fates;
use crate::warnings::messages::Messages;
use crate::warnings::silent::Silent;
use crate::{Analysis, CheckOptions, Checked};

/// What the warnings are judged from.
struct Study<'a> {
    checked: &'a Checked<'a>,
    file: &'a ast::File,
    analysis: Analysis<'a>,
    /// Which clauses are called, beginning with the entries.
    reached: Vec<bool>,
    fates: Fates<'a>,
    silent: Silent,
}

impl<'a> Study<'a> {
    fn new(checked: &'a Checked<'a>, file: &'a ast::File) -> Self {
        let analysis = Analysis::new(checked);
        let reached = never_called::reached(&analysis);
        let fates = Fates::new(&analysis, &reached);
        let silent = Silent::new(&analysis);
        Self { checked, file, analysis, reached, fates, silent }
    }

    fn clause(&self, index: usize) -> &'a ast::Clause {
        &self.checked.scene.clauses[index]
    }

    fn clauses(&self) -> impl Iterator<Item = (usize, &'a ast::Clause)> + use<'a> {
        self.checked.scene.clauses.iter().enumerate()
    }
}

/// The warnings about a scene of the file, sorted by position. Comments that allow some of them are not looked at.
#[must_use]
pub fn warnings<'a>(checked: &'a Checked<'a>, file: &'a ast::File) -> Vec<Diagnostic> {
    let study = Study::new(checked, file);
    let messages = Messages::new(checked);
    let mut found = Vec::new();
    fails_on_no::find(&study, &mut found);
    runaway::find(&study, &mut found);
    // A call that runs away also grows the depth, which is then the lesser evil.
    let runaways = found.iter().filter(|warning| warning.code == Code::Runaway);
    let runaways: HashSet<_> = runaways.filter_map(Diagnostic::span).collect();
    last_call::find(&study, &runaways, &mut found);
    never_runs::find(&study, &mut found);
    let shadowed = shadowed_head::find(&study, &mut found);
    never_called::find(&study, &shadowed, &mut found);
    let explained = not_received::find(&study, &messages, &mut found);
    not_sent::find(&study, &messages, &explained, &mut found);
    lost_message::find(&study, &mut found);
    wait_nesting::find(&study, &mut found);
    wait_takes_in::find(&study, &mut found);
    never_waits::find(&study, &mut found);
    unused_variable::find(&study, &mut found);
    misspelt_procedure::find(&study, &mut found);
    found.sort_by_key(|warning| (warning.span(), warning.code));
    found
}

/// The warnings about all scenes of a file, the chosen one under its cast with the overrides of the options, less
/// those that comments allow. Empty if the file has errors.
#[must_use]
pub fn lint(source: &SourceFile, file: &ast::File, options: &CheckOptions) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut scenes = 0;
    crate::each_checked(file, options, |checked| {
        found.extend(warnings(checked, file));
        scenes += 1;
    });
    if scenes == 0 {
        return found;
    }
    found.extend(crate::alternatives_never_taken(file));
    unseen::find(source, &mut found);
    found.sort_by_key(|warning| (warning.span(), warning.code));
    Allowed::read(source, file).filter(found)
}
