//! A person who decides for agents: what is shown, and what a line means.

use std::fmt::Write as _;

use map_explain::{Namer, Role, Text};
use map_semantics::{OpenCell, Question, Reply};
use map_trace::value_of;

/// How many initial values of a cell are listed.
const MAX_SHOWN: usize = 20;

/// Who asks what, and what the agent knows.
#[must_use]
pub fn situation(namer: &Namer<'_>, question: &Question<'_>) -> Text {
    let program = namer.program;
    let mut text = Text::plain("\n");
    text.push(Role::Agent, namer.agent(question.agent));
    let _ =
        write!(text, " asks {}({})  ", namer.procedure_of(question.point), namer.values(question.arguments));
    text.push(Role::Aside, namer.place_of(question.point));
    text.push_str("\n");
    let mut add = |word: &str, known: Vec<String>| {
        if !known.is_empty() {
            let _ = writeln!(text, "  {word}: {}", known.join(", "));
        }
    };
    let clause = program.clause(program.point(question.point).clause);
    let bound = clause.variables.iter().zip(question.variables);
    let bound = bound.filter_map(|(name, value)| Some(format!("${name} = {}", namer.value((*value)?))));
    add("knows", bound.collect());
    let cells = &program.memories[program.agent(question.agent).role.index()].cells;
    let cells = cells.iter().zip(question.memory);
    let cells =
        cells.map(|(&(cell, _), &value)| format!("@{} = {}", program.cell_name(cell), namer.value(value)));
    add("remembers", cells.collect());
    let messages = question.mailbox.iter();
    let messages =
        messages.map(|message| format!("{} from {}", namer.message(message), namer.agent(message.sender)));
    add("has not read", messages.collect());
    text
}

/// What is expected as answer.
#[must_use]
pub fn expected(question: &Question<'_>) -> &'static str {
    if question.may_refuse { "no, yes or a value?" } else { "yes or a value?" }
}

/// Parses a line: `no`; `yes`, which stands for an unknown value; or a value in source form, optionally after `yes`.
///
/// # Errors
/// What is wrong with it, or an explanation if it asks for one.
pub fn read(namer: &mut Namer<'_>, question: &Question<'_>, line: &str) -> Result<Reply, String> {
    let line = line.trim();
    match line {
        "no" | "n" if question.may_refuse => return Ok(Reply::No),
        "no" | "n" => return Err("a procedure always answers: only a decision may say no".to_owned()),
        "yes" | "y" => return Ok(Reply::Unknown),
        "" | "?" => return Err(help(namer, question)),
        _ => {}
    }
    let text = line.strip_prefix("yes ").map_or(line, str::trim);
    if let Some(value) = namer.symbol_named(text) {
        return Ok(Reply::Value(value));
    }
    let constant = map_syntax::parse_constant(text).map_err(|why| format!("{why}; ? explains"))?;
    Ok(Reply::Value(value_of(namer, constant)?))
}

fn help(namer: &Namer<'_>, question: &Question<'_>) -> String {
    let no = if question.may_refuse { "no; " } else { "" };
    format!(
        "type {no}a value such as 12, nobody, \"two words\", !Agent, %role or {}#1;\n  \
         yes alone is some value that nobody knows; yes VALUE is the value, whatever it is called",
        namer.program.procedure(question.procedure).name
    )
}

/// The values that a cell may start with.
#[must_use]
pub fn first_values(namer: &Namer<'_>, cell: &OpenCell<'_>) -> Text {
    let name = namer.program.cell_name(cell.cell);
    let values: Vec<String> = cell.values.iter().take(MAX_SHOWN).map(|&value| namer.value(value)).collect();
    let more = if cell.values.len() > MAX_SHOWN { ", .." } else { "" };
    let mut text = Text::plain("\n");
    text.push(Role::Agent, namer.agent(cell.agent));
    let _ = writeln!(text, " starts with a value of @{name}: {}{more}", values.join(", "));
    text
}

/// Parses a line as one of the values that a cell may start with; its index among them.
///
/// # Errors
/// If it is none of them.
pub fn read_first_value(namer: &Namer<'_>, cell: &OpenCell<'_>, line: &str) -> Result<u32, String> {
    let text = line.trim();
    let option = cell.values.iter().position(|&value| namer.value(value) == text);
    option.map(|option| option as u32).ok_or_else(|| format!("{text} is none of these values"))
}
