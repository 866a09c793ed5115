//! Answers: what was asked for, or why it cannot be had.

use std::sync::Arc;

use map_diagnostics::SourceFile;

use crate::failure::{Answered, Failure, json};
use crate::request::Request;
use crate::step::Place;
use crate::{editing, from_here, library, pictures, run, states, step, verify, weather};

/// The name of the text in what is said about it.
const NAME: &str = "dialogue.map";

/// The longest text, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Answers a request: `{"ok": ..}` or `{"error": {"kind": .., "message": ..}}`.
pub(crate) fn answer(request: &[u8]) -> String {
    let answered =
        serde_json::from_slice(request).map_err(|error| Failure::request(&error)).and_then(answer_to);
    let answer = match answered {
        Ok(answer) => serde_json::json!({ "ok": answer }),
        Err(failure) => serde_json::json!({ "error": failure }),
    };
    answer.to_string()
}

fn answer_to(request: Request) -> Answered {
    match request {
        Request::Library {} => Ok(json(&library::library())),
        Request::Explain { code } => library::explain(&code),
        Request::Check { text, flags } => {
            let source = source(text)?;
            editing::check(&source, &flags)
        }
        Request::Hover { text, at } => Ok(editing::hover(&analysis(text)?, at)),
        Request::Complete { text, at } => Ok(editing::complete(&analysis(text)?, at)),
        Request::Define { text, at } => Ok(editing::define(&analysis(text)?, at)),
        Request::References { text, at } => Ok(editing::references(&analysis(text)?, at)),
        Request::RenameRange { text, at } => editing::rename_range(&analysis(text)?, at),
        Request::Rename { text, at, name } => editing::rename(&analysis(text)?, at, &name),
        Request::Format { text } => editing::format(&analysis(text)?),
        Request::Run { text, flags, seed } => run::run(&source(text)?, &flags, seed),
        Request::Step { text, flags, initial, steps, whole } => {
            step::step(&source(text)?, &flags, &Place { initial, steps }, whole)
        }
        Request::States { text, flags, initial, steps, states } => {
            states::states(&source(text)?, &flags, &Place { initial, steps }, states)
        }
        Request::FromHere { text, flags, initial, steps, question, detail, limits } => {
            let place = Place { initial, steps };
            from_here::from_here(&source(text)?, &flags, &place, &question, detail, limits)
        }
        Request::Verify { text, flags, detail, limits } => {
            verify::verify(&source(text)?, &flags, detail, limits)
        }
        Request::Weather { text, flags, detail, limits } => {
            weather::weather(&source(text)?, &flags, detail, limits)
        }
        Request::Roles { text, flags } => pictures::roles(&source(text)?, &flags),
    }
}

fn source(text: String) -> Result<Arc<SourceFile>, Failure> {
    Ok(Arc::new(SourceFile::new(NAME, bounded(text)?)))
}

fn analysis(text: String) -> Result<map_ide::Analysis, Failure> {
    bounded(text).map(map_ide::Analysis::new)
}

fn bounded(text: String) -> Result<String, Failure> {
    match text.len() {
        0..=MAX_TEXT => Ok(text),
        _ => Err(Failure::text(format!("the text is larger than {} MiB", MAX_TEXT >> 20))),
    }
}
