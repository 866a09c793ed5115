//! Diagnostics about text between items or clauses that begins neither.

use map_diagnostics::{Code, Diagnostic, Span};

use crate::sketch::token::{Kind, Token};
use crate::words;

/// The diagnostic about tokens outside all scenes that begin no item.
pub(crate) fn outside_scenes(source: &str, tokens: &[Token], before_scene: bool) -> Diagnostic {
    let first = tokens[0];
    let found = first.text(source);
    let kind = |index: usize| tokens.get(index).map(|token| token.kind);
    let error = |text: String, label: &str| Diagnostic::new(Code::Syntax, first.span, text, label);
    match (first.kind, kind(1)) {
        (Kind::CloseBracket, _) => {
            error("this `]` closes no scene".to_owned(), "no `[` belongs to it")
        }
        (Kind::CloseParen | Kind::CloseBrace, _) => {
            error(format!("this `{found}` closes nothing"), "nothing is open here")
        }
        (Kind::Agent, _) => {
            let diagnostic =
                error("this clause stands outside of all scenes".to_owned(), "not inside `[ .. ]`");
            diagnostic.with_help("put it between the brackets of a scene: `NAME [ agent(..) = .. ]`")
        }
        (Kind::Name, Some(Kind::OpenBrace | Kind::OpenParen)) if kind(2) == Some(Kind::Agent) => {
            let text = format!("a scene opens with `[`, not with `{}`", tokens[1].text(source));
            let diagnostic = Diagnostic::new(Code::Syntax, tokens[1].span, text, "expected `[`");
            diagnostic.with_help(format!("write `{found} [ .. ]`"))
        }
        (Kind::Name, Some(Kind::Agent)) => {
            let end = first.span.end;
            let diagnostic = Diagnostic::new(
                Code::Syntax,
                Span::new(end, end),
                "a scene's clauses stand in brackets",
                "expected `[`",
            );
            diagnostic.with_help(format!("write `{found} [ .. ]`"))
        }
        (Kind::Name, Some(Kind::Name))
            if matches!(kind(2), Some(Kind::OpenBrace))
                && matches!(found, "scene" | "protocol" | "dialogue" | "proctype" | "class" | "module") =>
        {
            let name = tokens[1].text(source);
            let text = format!("unexpected `{found}` before a scene");
            let help = format!("write `{name} [ .. ]`, with no word before its name");
            error(text, "not expected here").with_help(help)
        }
        (Kind::Name, _) if matches!(found, "import" | "include" | "from" | "use") => {
            error(format!("there is no `{found}` in MAP"), "no item begins like this")
                .with_help("a file is complete by itself: copy what you need into it")
        }
        (Kind::Name, _) if matches!(found, "const" | "let" | "var" | "int" | "mtype" | "define" | "type") => {
            error(format!("there is no `{found}` in MAP"), "no item begins like this").with_help(
                "names are not declared; a value that the agents of a role begin with is written `memory %role { @cell = 5 }`",
            )
        }
        (Kind::Name, None) if before_scene => {
            let text = format!("unexpected `{found}` before a scene");
            let help = "a scene is written `NAME [ .. ]`, with no word before its name";
            error(text, "not expected here").with_help(help)
        }
        _ => {
            let text = format!("expected a scene or another item, found `{}`", short(found));
            let diagnostic = error(text, "no item begins like this");
            let items = &["cast", "memory", "procedure", "decision", "property", "cost", "measure", "truth"];
            match words::misspelling(found, items) {
                Some(word) if first.kind == Kind::Name => diagnostic.with_help(format!("did you mean `{word}`?")).replaced_by(word),
                _ => diagnostic.with_note(
                    "the items are `NAME [ .. ]` (a scene), `cast %role = 3`, `memory %role { .. }`, `procedure p($a)`, `decision p($a)`, `property NAME : ..`, `cost NAME { .. }`, `measure NAME = ..` and `truth p($a) = ..`",
                ),
            }
        }
    }
}

/// The diagnostic about tokens inside a scene that begin no clause.
pub(crate) fn not_a_clause(source: &str, tokens: &[Token]) -> Diagnostic {
    let first = tokens[0];
    let found = first.text(source);
    let text = format!("expected a clause, found `{}`", short(found));
    let diagnostic = Diagnostic::new(Code::Syntax, first.span, text, "no clause begins like this");
    if first.kind == Kind::Name && words::misspelling(found, &["agent"]).is_some() {
        return diagnostic.with_help("did you mean `agent`?").replaced_by("agent");
    }
    diagnostic.with_help("a clause is written `agent(!Name, %role) = ..`")
}

/// The diagnostic about an item between the brackets of a scene.
pub(crate) fn item_in_scene(source: &str, tokens: &[Token]) -> Diagnostic {
    let word = tokens[0].text(source);
    let text = format!("`{word}` cannot stand inside a scene");
    Diagnostic::new(Code::Syntax, tokens[0].span, text, "inside the brackets of a scene")
        .with_help("move it before the scene's name or behind its `]`")
}

/// A token, shortened for quoting in a sentence.
fn short(text: &str) -> &str {
    if text.len() > 60 { "a long word" } else { text }
}
