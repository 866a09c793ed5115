//! Warnings: what is legal but most likely not what the author meant (language reference, "Static meaning").
//!
//! Only scenes without errors are examined, so nothing here has to guess the meaning of broken text. In doubtful
//! cases there is no warning: a correct protocol should have none.

mod allowed;
mod brief;
mod comments;
mod fails_on_no;
mod first_moment;
mod flow;
mod last_call;
mod lost_message;
mod messages;
mod misspelt_procedure;
mod never_asked;
mod never_called;
mod never_charged;
mod never_runs;
mod never_waits;
mod no_address;
mod not_received;
mod not_sent;
mod overlooked;
mod received_again;
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

pub use allowed::AllowedWarnings;

use crate::warnings::flow::Fates;
use crate::warnings::messages::Messages;
use crate::warnings::misspelt_procedure::Procedures;
use crate::warnings::silent::Silent;
use crate::{Analysis, CheckOptions, CheckedScene};

/// A scene with the analyses that the lints share.
struct LintContext<'a> {
    checked: &'a CheckedScene<'a>,
    file: &'a ast::File,
    analysis: Analysis<'a>,
    /// Whether each clause is reachable from an entry clause by calls.
    reached: Vec<bool>,
    fates: Fates<'a>,
    silent: Silent,
}

impl<'a> LintContext<'a> {
    fn new(checked: &'a CheckedScene<'a>, file: &'a ast::File) -> Self {
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

/// The warnings about a scene of the file, sorted by position. Comments that allow warnings are not taken into
/// account.
#[must_use]
pub fn warnings<'a>(checked: &'a CheckedScene<'a>, file: &'a ast::File) -> Vec<Diagnostic> {
    in_scene(checked, file, &Procedures::new(file))
}

fn in_scene<'a>(
    checked: &'a CheckedScene<'a>,
    file: &'a ast::File,
    procedures: &Procedures<'_>,
) -> Vec<Diagnostic> {
    let cx = LintContext::new(checked, file);
    let messages = Messages::new(checked);
    let mut found = Vec::new();
    fails_on_no::find(&cx, &mut found);
    runaway::find(&cx, &mut found);
    // A runaway call also increases the depth; report only the worse of the two.
    let runaways = found.iter().filter(|warning| warning.code == Code::Runaway);
    let runaways: HashSet<_> = runaways.filter_map(Diagnostic::span).collect();
    last_call::find(&cx, &runaways, &mut found);
    never_runs::find(&cx, &mut found);
    let shadowed = shadowed_head::find(&cx, &mut found);
    never_called::find(&cx, &shadowed, &mut found);
    let explained = not_received::find(&cx, &messages, &mut found);
    not_sent::find(&cx, &messages, &explained, &mut found);
    no_address::find(&cx, &mut found);
    lost_message::find(&cx, &mut found);
    wait_nesting::find(&cx, &mut found);
    wait_takes_in::find(&cx, &mut found);
    never_waits::find(&cx, &mut found);
    unused_variable::find(&cx, &mut found);
    received_again::find(&cx, &mut found);
    misspelt_procedure::find(&cx, procedures, &mut found);
    found.sort_by_key(|warning| (warning.span(), warning.code));
    found
}

/// The warnings about all scenes of a file, under the same casts as [`check`](crate::check), without those that
/// comments allow. Empty if the file has errors.
#[must_use]
pub fn lint(source: &SourceFile, file: &ast::File, options: &CheckOptions) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let procedures = Procedures::new(file);
    let mut scenes = 0;
    crate::each_checked(file, options, |checked| {
        found.extend(in_scene(checked, file, &procedures));
        scenes += 1;
    });
    if scenes == 0 {
        return found;
    }
    found.extend(crate::alternatives_never_taken(file));
    never_asked::find(file, &mut found);
    first_moment::find(file, &mut found);
    never_charged::find(file, &mut found);
    unseen::find(source, &mut found);
    found.sort_by_key(|warning| (warning.span(), warning.code));
    AllowedWarnings::read(source, file).filter(found)
}
