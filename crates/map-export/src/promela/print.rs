//! Prints a model, and records the lines of marked statements.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Expr, Field, Item, Mark, Stmt, Variable};

/// A printed model.
pub(crate) struct Printed {
    pub(crate) text: String,
    /// The marks by line, counted from 1.
    pub(crate) lines: BTreeMap<usize, Mark>,
}

/// Prints declarations in order.
pub(crate) fn print(items: &[Item]) -> Printed {
    let mut printer = Printer { text: String::new(), line: 1, marks: BTreeMap::new() };
    items.iter().for_each(|item| printer.item(item));
    Printed { text: printer.text, lines: printer.marks }
}

struct Printer {
    text: String,
    line: usize,
    marks: BTreeMap<usize, Mark>,
}

fn list<T: ToString>(parts: &[T]) -> String {
    parts.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// A comment, with `*/` in the text made harmless.
fn comment(text: &str) -> String {
    format!("/* {} */", text.replace("*/", "* /"))
}

impl Printer {
    fn write(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", " ".repeat(if text.is_empty() { 0 } else { indent }));
        self.line += 1 + text.matches('\n').count();
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Blank => self.write(0, ""),
            Item::Comment(lines) => match lines.as_slice() {
                [line] => self.write(0, &comment(line)),
                lines => {
                    let lines: Vec<String> = lines.iter().map(|it| it.replace("*/", "* /")).collect();
                    self.write(0, &format!("/* {}\n */", lines.join("\n * ").replace(" \n", "\n")));
                }
            },
            Item::Define { name, parameters, value } => {
                let parameters =
                    if parameters.is_empty() { String::new() } else { format!("({})", list(parameters)) };
                let value = match value {
                    Expr::Or(parts) | Expr::And(parts) if parts.len() > 1 => {
                        let operator = if matches!(value, Expr::Or(_)) { "||" } else { "&&" };
                        let parts: Vec<String> = parts.iter().map(|it| format!("({it})")).collect();
                        format!("( \\\n    {} )", parts.join(&format!(" \\\n {operator} ")))
                    }
                    Expr::Number(_) | Expr::Name(_) => value.to_string(),
                    value => format!("({value})"),
                };
                self.write(0, &format!("#define {name}{parameters} {value}"));
            }
            Item::Default { name, value } => {
                self.write(0, &format!("#ifndef {name}"));
                self.write(0, &format!("#define {name} {value}"));
                self.write(0, "#endif");
            }
            Item::Mtype { kind, names } => {
                let kind = kind.map_or(String::new(), |kind| format!(":{kind}"));
                self.write(0, &format!("mtype{kind} = {{ {} }};", names.join(", ")));
            }
            Item::Channels { name, count, capacity, fields } => {
                self.write(0, &format!("chan {name}[{count}] = [{capacity}] of {{ {} }};", list(fields)));
            }
            Item::Variable(variable) => self.variable(0, variable),
            Item::Inline(name, body) => {
                self.write(0, &format!("inline {name}() {{"));
                self.statements(2, body);
                self.write(0, "}");
            }
            Item::Claim(name, formula) => self.write(0, &format!("ltl {name} {{ {formula} }}")),
            Item::Process { name, parameters, provided, variables, body } => {
                let parameters: Vec<String> =
                    parameters.iter().map(|it| format!("{} {}", it.kind, it.name)).collect();
                let provided = match provided {
                    Expr::True => String::new(),
                    condition => format!(" provided ({condition})"),
                };
                self.write(0, &format!("proctype {name}({}){provided} {{", parameters.join("; ")));
                variables.iter().for_each(|variable| self.variable(2, variable));
                self.statements(2, body);
                self.write(0, "}");
            }
            Item::Init(body) => {
                self.write(0, "init {");
                self.statements(2, body);
                self.write(0, "}");
            }
        }
    }

    fn variable(&mut self, indent: usize, variable: &Variable) {
        let Variable { kind, name, length, initial, comment: about } = variable;
        let length = length.map_or(String::new(), |length| format!("[{length}]"));
        let initial = initial.as_ref().map_or(String::new(), |initial| format!(" = {initial}"));
        let about = if about.is_empty() { String::new() } else { format!("  {}", comment(about)) };
        self.write(indent, &format!("{kind} {name}{length}{initial};{about}"));
    }

    fn statements(&mut self, indent: usize, statements: &[Stmt]) {
        let last = statements.iter().rposition(|it| !matches!(it, Stmt::Comment(_) | Stmt::Mark(_)));
        for (index, statement) in statements.iter().enumerate() {
            self.statement(indent, statement, Some(index) == last);
        }
    }

    fn statement(&mut self, indent: usize, statement: &Stmt, last: bool) {
        let end = if last { "" } else { ";" };
        match statement {
            Stmt::Guard(condition) => self.write(indent, &format!("{condition}{end}")),
            Stmt::Assign(to, value) => self.write(indent, &format!("{to} = {value}{end}")),
            Stmt::Send { channel, fields, sorted } => {
                let operator = if *sorted { "!!" } else { "!" };
                self.write(indent, &format!("{channel} {operator} {}{end}", list(fields)));
            }
            Stmt::Receive { channel, fields, keep } => {
                let fields = if *keep { format!("<{}>", list(fields)) } else { list(fields) };
                self.write(indent, &format!("{channel} ?? {fields}{end}"));
            }
            Stmt::Take(channel, fields) => self.write(indent, &format!("{channel} ? {}{end}", list(fields))),
            Stmt::Break => self.write(indent, &format!("break{end}")),
            Stmt::Goto(label) => self.write(indent, &format!("goto {label}{end}")),
            Stmt::Label(label) => self.write(indent.saturating_sub(2), &format!("{label}:")),
            Stmt::Assert(condition) => self.write(indent, &format!("assert({condition}){end}")),
            Stmt::Run(process, arguments) => {
                self.write(indent, &format!("run {process}({}){end}", list(arguments)));
            }
            Stmt::Inline(name) => self.write(indent, &format!("{name}(){end}")),
            Stmt::Comment(text) => self.write(indent, &comment(text)),
            Stmt::Mark(mark) => {
                self.marks.insert(self.line, *mark);
            }
            Stmt::If(options) => self.options(indent, ("if", &format!("fi{end}")), options),
            Stmt::Do(options) => self.options(indent, ("do", &format!("od{end}")), options),
            Stmt::Atomic(body) => self.block(indent, "atomic", body, end),
        }
    }

    fn block(&mut self, indent: usize, word: &str, body: &[Stmt], end: &str) {
        self.write(indent, &format!("{word} {{"));
        self.statements(indent + 2, body);
        self.write(indent, &format!("}}{end}"));
    }

    fn options(&mut self, indent: usize, (open, close): (&str, &str), options: &[Vec<Stmt>]) {
        self.write(indent, open);
        for option in options {
            let start = option.iter().take_while(|it| matches!(it, Stmt::Comment(_))).count();
            option[..start].iter().for_each(|it| self.statement(indent, it, false));
            let before = self.text.len();
            self.statements(indent + 3, &option[start..]);
            let at = before + indent;
            self.text.replace_range(at..at + 3, ":: ");
        }
        self.write(indent, close);
    }
}

impl Field {
    /// The same requirement, without storing the value.
    pub(crate) fn stored_nowhere(&self) -> Self {
        match self {
            Self::Into(_) => Self::Any,
            other => other.clone(),
        }
    }
}
