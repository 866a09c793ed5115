//! The line in which a person types at a terminal: edited with the arrow keys, with history and completion.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write as _};

use map_diagnostics::is_unseen;
use map_explain::stepping::Words;
use map_ir::Program;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper};

use super::files::completing;
use crate::terminal_modes;

/// What a person sees who may type something.
pub(super) const PROMPT: &str = "step> ";

/// What was read.
pub(super) enum Heard {
    /// A line, or why it is none.
    Line(Result<Vec<u8>, String>),
    /// Nothing more will come.
    End,
    /// The person wants to leave at once.
    Interrupt,
}

/// The most lines that are remembered.
const MAX_HISTORY: usize = 1000;

/// The editor. What it remembers is forgotten when the session ends.
pub(super) struct LineEditor {
    editor: Editor<Typing, MemHistory>,
}

impl LineEditor {
    pub(super) fn new(program: &Program) -> io::Result<Self> {
        terminal_modes::remember();
        let config = Config::builder()
            .auto_add_history(true)
            .max_history_size(MAX_HISTORY)
            .map_err(to_io)?
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            // So that `Typing` sees to what is shown, also without colours; it adds none.
            .color_mode(ColorMode::Forced)
            // Pasted lines are commands, like lines that are typed.
            .bracketed_paste(false)
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(to_io)?;
        editor.set_helper(Some(Typing { words: Words::new(program), is_empty: Cell::new(true) }));
        Ok(Self { editor })
    }

    /// Waits for a line. Ctrl-C clears it; once more, with nothing typed, it ends the session.
    pub(super) fn next(&mut self, steps: Vec<String>) -> io::Result<Heard> {
        self.typing().words.steps = steps;
        let mut again = false;
        loop {
            self.typing().is_empty.set(true);
            match self.editor.readline(PROMPT) {
                Ok(line) => return Ok(Heard::Line(Ok(line.into_bytes()))),
                Err(ReadlineError::Eof) => return Ok(Heard::End),
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                    if again && self.typing().is_empty.get() {
                        return Ok(Heard::Interrupt);
                    }
                    again = true;
                    writeln!(io::stdout(), "Ctrl-C once more, or Ctrl-D, ends the session")?;
                }
                Err(error) => return Err(to_io(error)),
            }
        }
    }

    fn typing(&mut self) -> &mut Typing {
        self.editor.helper_mut().expect("it was set when the editor was made")
    }
}

fn to_io(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        #[cfg(unix)]
        ReadlineError::Errno(error) => error.into(),
        error => io::Error::other(error),
    }
}

/// What the editor asks while somebody types.
struct Typing {
    words: Words,
    /// Whether nothing is typed.
    is_empty: Cell<bool>,
}

impl Helper for Typing {}

impl Validator for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completing(&self.words, &line[..position]))
    }
}

impl Highlighter for Typing {
    /// Leaves out what a terminal would obey: it takes no columns, so the cursor is where it belongs all the same.
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        self.is_empty.set(line.is_empty());
        if line.contains(is_unseen) { Cow::Owned(line.replace(is_unseen, "")) } else { Cow::Borrowed(line) }
    }

    fn highlight_char(&self, line: &str, _: usize, _: CmdKind) -> bool {
        self.is_empty.set(line.is_empty());
        line.contains(is_unseen)
    }
}
