//! `library` and `explain`: what is known beforehand.

use std::fmt::Write as _;

use map_check::nearest;
use map_diagnostics::{Code, escaped};
use map_explain::words;
use map_library::{PROTOCOLS, find, names, version};

use crate::answer::Answer;
use crate::arguments::Action;

/// # Errors
/// If there is no such code or word.
pub(crate) fn explain(code: Option<&str>) -> Result<Answer, String> {
    let Some(given) = code else {
        let mut text = String::new();
        for code in Code::ALL {
            let _ = writeln!(text, "{}  {:7}  {}", code.as_str(), code.severity().word(), code.title());
        }
        return Ok(Answer::told(&text));
    };
    if let Some(code) = Code::from_text(&given.to_ascii_uppercase()) {
        return Ok(Answer::told(code.explanation()));
    }
    match words::explained(given) {
        Some(entry) => Ok(Answer::told(&entry.page())),
        None => Err(format!("there is no code or word `{}`; without `code` all are listed", escaped(given))),
    }
}

/// # Errors
/// If there is no such protocol.
pub(crate) fn library(action: Option<Action>, name: Option<&str>) -> Result<Answer, String> {
    match (action, name) {
        (None, _) => Err("`action` is missing: list or read".to_owned()),
        (Some(Action::Read), None) => Err("`read` needs a `name`; `list` says which there are".to_owned()),
        (Some(Action::Read), Some(name)) => match version(name) {
            Some(version) => Ok(Answer::whole(version.start())),
            None => Err(unknown(name)),
        },
        (Some(Action::List), None) => {
            let rows = PROTOCOLS.iter().map(|protocol| (protocol.name.to_owned(), protocol.about.to_owned()));
            Ok(Answer::told(&table(rows.collect())))
        }
        (Some(Action::List), Some(name)) => {
            let protocol = find(name).ok_or_else(|| unknown(name))?;
            let others = protocol.others();
            let others = others.map(|version| (format!("{name}/{}", version.name), version.first_sentence()));
            let all = std::iter::once((name.to_owned(), protocol.about.to_owned())).chain(others);
            Ok(Answer::told(&table(all.collect())))
        }
    }
}

fn unknown(name: &str) -> String {
    let all = names();
    let meant = nearest(name, all.iter().map(String::as_str));
    let meant = meant.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("there is no protocol `{}`{meant} (\"action\": \"list\" says which there are)", escaped(name))
}

fn table(rows: Vec<(String, String)>) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.into_iter().map(|(name, about)| format!("{name:width$}  {about}\n")).collect()
}
