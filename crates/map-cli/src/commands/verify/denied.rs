//! `--deny`: findings that are no violation, and that make the exit code 1 nevertheless.

use map_explain::{Teller, unused};
use map_verify::Verdict;

use super::args::Denied;
use super::searched::Searched;
use crate::numbers::counted;
use crate::style;

impl Searched<'_> {
    /// What was found of this kind, in words.
    pub(super) fn found(&self, denied: Denied) -> Option<String> {
        let teller = Teller::new(&self.answers.loaded.source, self.answers.program);
        match denied {
            Denied::IfFair => {
                let is_so = self.report.verdict == Verdict::TerminatesIfFair;
                is_so.then(|| "a run can go on for ever".to_owned())
            }
            Denied::Unread => {
                let unread = unused::unread(&teller, &self.report.unused);
                (!unread.is_empty()).then(|| format!("left unread in some run: {}", unread.join("; ")))
            }
            Denied::Never => match unused::items(&teller, &self.report).len() {
                0 => None,
                parts => Some(format!("{} never used", counted(parts as u64, "part"))),
            },
        }
    }

    /// The words for what was found that `--deny` names, as the end of a sentence; empty if nothing was.
    pub(super) fn denied_in_passing(&self) -> String {
        let words: Vec<&str> = self.denied().map(|(denied, _)| denied.word()).collect();
        if words.is_empty() { String::new() } else { style::bad(format!("; denied: {}", words.join(", "))) }
    }

    /// What was found that `--deny` names.
    pub(super) fn denied(&self) -> impl Iterator<Item = (Denied, String)> {
        let denied = self.answers.args.deny.iter();
        denied.filter_map(|&denied| Some((denied, self.found(denied)?)))
    }
}
