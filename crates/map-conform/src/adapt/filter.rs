//! Filters in the language of jq, which turn lines into records. A filter knows the line and nothing else: neither the
//! environment nor a clock, and it writes nothing. Whoever runs it bounds its time and its memory.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jaq_core::data::JustLut;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, compile};
use jaq_json::Val;
use serde_json::Value as Json;

use super::draft::wrong;
use crate::record::{Fault, checked_text};

/// How deep a filter may nest brackets: its parser is recursive.
const MAX_NESTING: usize = 64;

/// What does more than to turn a line into records.
const OUTSIDE: [&str; 13] = [
    "debug",
    "debug_empty",
    "env",
    "halt",
    "halt_error",
    "input",
    "inputs",
    "localtime",
    "now",
    "stderr",
    "stderr_empty",
    "strflocaltime",
    "input_line_number",
];

/// The longest text of an error that is shown, in characters.
const MAX_ERROR: usize = 200;

/// Runs a filter on a line elsewhere: the records as a list in JSON, or what is wrong.
pub type RunFilter = Arc<dyn Fn(&str) -> Result<Vec<Json>, String> + Send + Sync>;

/// A filter.
#[derive(Clone)]
pub struct Filter {
    compiled: Arc<jaq_core::Filter<JustLut<Val>>>,
    /// Who runs it, if not this process.
    elsewhere: Option<RunFilter>,
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Filter")
    }
}

impl Filter {
    /// Reads the text of a filter.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn compile(text: &str) -> Result<Self, Vec<(Range<usize>, String)>> {
        if let Some(at) = too_deep(text) {
            return Err(vec![(at..at + 1, format!("the filter nests deeper than {MAX_NESTING} levels"))]);
        }
        let natives = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let natives = natives.filter(|(name, ..)| !OUTSIDE.contains(name));
        let defined = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
        let defined = defined.filter(|definition| !OUTSIDE.contains(&definition.name));
        let arena = Arena::default();
        let file = File { code: text, path: () };
        let modules = Loader::new(defined).load(&arena, file).map_err(|errors| {
            errors.into_iter().flat_map(|(file, error)| unread(file.code, error)).collect::<Vec<_>>()
        })?;
        let compiled = Compiler::default().with_funs(natives).compile(modules).map_err(|errors| {
            errors.into_iter().flat_map(|(file, errors)| undefined(file.code, errors)).collect::<Vec<_>>()
        })?;
        Ok(Self { compiled: Arc::new(compiled), elsewhere: None })
    }

    /// The same filter, run by somebody else.
    pub(super) fn run_by(self, run: RunFilter) -> Self {
        Self { elsewhere: Some(run), ..self }
    }

    /// The records that it makes of a line. Null is no record.
    ///
    /// # Errors
    /// If the line is no JSON, or the filter fails, or makes more than `most` values, or one that is no object.
    pub fn records(&self, line: &str, most: usize) -> Result<Vec<Json>, Fault> {
        if let Some(run) = &self.elsewhere {
            return run(line).map_err(wrong);
        }
        let line: Val = serde_json::from_str(line).map_err(|error| wrong(format!("no JSON: {error}")))?;
        let context = Ctx::<JustLut<Val>>::new(&self.compiled.lut, Vars::new([]));
        let mut records = Vec::new();
        for (number, output) in self.compiled.id.run((context, line)).enumerate() {
            if number == most {
                return Err(wrong(format!("the filter makes more than {most} values of the line")));
            }
            // What is no error asks to end the program.
            let output = output.map_err(|thrown| match thrown.get_err() {
                Ok(error) => wrong(format!("the filter fails: {}", short(&error.to_string()))),
                Err(_) => wrong("the filter halts"),
            })?;
            if output == Val::Null {
                continue;
            }
            let text = output.to_string();
            let json = checked_text(text.as_bytes()).ok().and_then(|it| serde_json::from_str(&it).ok());
            match json {
                Some(json @ Json::Object(_)) => records.push(json),
                _ => return Err(wrong(format!("the filter gives {}, which is no record", short(&text)))),
            }
        }
        Ok(records)
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_ERROR) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

/// Where a text nests too deeply. Brackets in strings and comments count, too.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Some(at);
        }
    }
    None
}

/// What cannot be read in a text, and where.
fn unread(text: &str, error: load::Error<&str>) -> Vec<(Range<usize>, String)> {
    match error {
        load::Error::Io(all) => {
            let one = |(part, _)| (load::span(text, part), "a filter includes no other files".to_owned());
            all.into_iter().map(one).collect()
        }
        load::Error::Lex(all) => {
            // The rest of the text from there on.
            let one = |(expected, rest): (load::lex::Expect<&str>, &str)| {
                let start = load::span(text, rest).start;
                let length = rest.chars().next().map_or(0, char::len_utf8);
                (start..start + length, format!("expected {}", expected.as_str()))
            };
            all.into_iter().map(one).collect()
        }
        load::Error::Parse(all) => {
            let one = |(expected, found): (load::parse::Expect<&str>, &str)| {
                (load::span(text, found), format!("expected {}", expected.as_str()))
            };
            all.into_iter().map(one).collect()
        }
    }
}

/// What a text uses that there is not.
fn undefined(text: &str, errors: Vec<compile::Error<&str>>) -> Vec<(Range<usize>, String)> {
    let one = |(name, what): compile::Error<&str>| {
        let arity = match what {
            compile::Undefined::Filter(arity) if arity > 0 => format!(" with {arity} arguments"),
            _ => String::new(),
        };
        (load::span(text, name), format!("there is no such {}{arity}", what.as_str()))
    };
    errors.into_iter().map(one).collect()
}
