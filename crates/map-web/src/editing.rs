//! What an editor asks about a text.

use std::ops::Range;

use map_diagnostics::{ExaminedFile, SourceFile};
use map_explain::check_summary;
use map_ide::{Action, Analysis, Completion, CompletionKind, Edit, Token, TokenKind};
use map_json::CheckOutput;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cast::{PartOutput, parts};
use crate::failure::{Answered, Failure, json as to_json};
use crate::flags::of_search;
use crate::pieces::told;

/// What is found in a text.
#[derive(Serialize)]
struct CheckAnswer {
    /// As `map check` says it.
    said: String,
    /// As `map check --format json` has it.
    output: CheckOutput,
    /// What can be changed where a problem is.
    actions: Vec<ActionOutput>,
    /// The words with their meanings: first byte, one past the last, kind.
    tokens: Vec<(usize, usize, String)>,
    /// The agents whose numbers can be chosen.
    cast: Vec<PartOutput>,
}

/// A change that mends something, or allows it.
#[derive(Serialize)]
struct ActionOutput {
    title: String,
    edits: Vec<EditOutput>,
    preferred: bool,
    /// The code and the place of what it mends.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    start: usize,
    end: usize,
}

/// A replacement of a part of the text.
#[derive(Serialize)]
struct EditOutput {
    start: usize,
    end: usize,
    text: String,
}

/// A proposal for what to write.
#[derive(Serialize)]
struct CompletionOutput {
    label: String,
    kind: &'static str,
    detail: Option<String>,
    documentation: Option<String>,
    start: usize,
    end: usize,
    insert: String,
    /// Whether `insert` has places to fill, such as `${1:name}`.
    snippet: bool,
    rank: u32,
}

/// # Errors
/// If the flags are wrong.
pub(crate) fn check(source: &SourceFile, flags: &str) -> Answered {
    let options = of_search(flags)?.options();
    let analysis = Analysis::new(source.text());
    let found = map_compile::examine(source, &map_syntax::parse(source), &options);
    let file = ExaminedFile { source: source.clone(), diagnostics: found };
    let summary = check_summary(std::slice::from_ref(&file), false);
    let problems = analysis.diagnostics();
    let action = |Action { title, edits: changes, problem, preferred }: Action| {
        let problem = problem.and_then(|index| problems.get(index));
        let range = problem.map_or(0..0, |it| it.range.clone());
        let code = problem.map(|it| it.code.as_str());
        ActionOutput { title, edits: edits(changes), preferred, code, start: range.start, end: range.end }
    };
    let token = |it: Token| (it.range.start, it.range.end, token_word(&it));
    Ok(to_json(&CheckAnswer {
        said: format!("{}{summary}\n", told(source, &file.diagnostics)),
        actions: analysis.actions(0..source.text().len()).into_iter().map(action).collect(),
        tokens: analysis.tokens(None).into_iter().map(token).collect(),
        cast: parts(&analysis),
        output: CheckOutput::new(&[file]),
    }))
}

pub(crate) fn hover(analysis: &Analysis, at: usize) -> Value {
    let hover = analysis.hover(at);
    json!(hover.map(|it| json!({ "start": it.range.start, "end": it.range.end, "markdown": it.markdown })))
}

pub(crate) fn complete(analysis: &Analysis, at: usize) -> Value {
    let output = |completion: Completion| {
        let Completion { label, kind, detail, documentation, replace, insert, snippet, rank } = completion;
        let kind = completion_word(kind);
        let Range { start, end } = replace;
        CompletionOutput { label, kind, detail, documentation, start, end, insert, snippet, rank }
    };
    to_json(&analysis.completion(at).into_iter().map(output).collect::<Vec<_>>())
}

pub(crate) fn define(analysis: &Analysis, at: usize) -> Value {
    let targets = analysis.definition(at).into_iter();
    json!(targets.map(|it| range(&it.name_range)).collect::<Vec<_>>())
}

pub(crate) fn references(analysis: &Analysis, at: usize) -> Value {
    let found = analysis.references(at, true).into_iter();
    json!(found.map(|it| range(&it.range)).collect::<Vec<_>>())
}

/// # Errors
/// Why the word cannot be renamed.
pub(crate) fn rename_range(analysis: &Analysis, at: usize) -> Answered {
    analysis.rename_range(at).map(|it| range(&it)).map_err(Failure::text)
}

/// # Errors
/// Why the word cannot be renamed, or not so.
pub(crate) fn rename(analysis: &Analysis, at: usize, name: &str) -> Answered {
    analysis.rename(at, name).map(|it| to_json(&edits(it))).map_err(Failure::text)
}

/// # Errors
/// Why there is no canonical layout.
pub(crate) fn format(analysis: &Analysis) -> Answered {
    let changes = analysis.format().map_err(Failure::text)?;
    let changes = changes
        .ok_or_else(|| Failure::text("the text does not follow the grammar: mend its errors first"))?;
    Ok(to_json(&edits(changes)))
}

fn range(range: &Range<usize>) -> Value {
    json!({ "start": range.start, "end": range.end })
}

fn edits(edits: Vec<Edit>) -> Vec<EditOutput> {
    let output = |it: Edit| EditOutput { start: it.range.start, end: it.range.end, text: it.text };
    edits.into_iter().map(output).collect()
}

const fn completion_word(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Keyword => "keyword",
        CompletionKind::Send => "send",
        CompletionKind::Receive => "receive",
        CompletionKind::Procedure => "procedure",
        CompletionKind::Clause => "clause",
        CompletionKind::Address => "address",
        CompletionKind::Agent => "agent",
        CompletionKind::Role => "role",
        CompletionKind::Variable => "variable",
        CompletionKind::Cell => "cell",
        CompletionKind::Constant => "constant",
        CompletionKind::Code => "code",
        CompletionKind::Snippet => "snippet",
    }
}

/// The kind of a word, and what else is to be said of it.
fn token_word(token: &Token) -> String {
    let kind = match token.kind {
        TokenKind::Keyword => "keyword",
        TokenKind::Scene => "scene",
        TokenKind::Clause => "clause",
        TokenKind::Performative => "performative",
        TokenKind::Procedure => "procedure",
        TokenKind::Role => "role",
        TokenKind::Agent => "agent",
        TokenKind::Variable => "variable",
        TokenKind::Parameter => "parameter",
        TokenKind::Cell => "cell",
        TokenKind::Property => "property",
        TokenKind::Constant => "constant",
        TokenKind::Number => "number",
        TokenKind::String => "string",
        TokenKind::Comment => "comment",
        TokenKind::Operator => "operator",
        TokenKind::Wildcard => "wildcard",
    };
    let declares = if token.modifiers.declaration { " declaration" } else { "" };
    let refuses = if token.modifiers.may_refuse { " may-refuse" } else { "" };
    format!("{kind}{declares}{refuses}")
}
