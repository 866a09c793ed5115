//! The two output streams, with or without colour, and the exit code so far.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use anstream::ColorChoice;
use map_diagnostics::{Diagnostic, SourceFile, escaped};

use crate::exit::Exit;
use crate::terminal::{self, for_eyes, wrapped};

/// The most diagnostics shown for one file.
const MAX_SHOWN: usize = 100;

/// Longer lines of a paragraph are hard to read.
const MAX_PARAGRAPH: usize = 100;

/// Results go to standard output, diagnostics to standard error. The exit code so far is kept here because a closed
/// pipe ends the command quietly with that code.
pub(crate) struct Console {
    out: BufWriter<io::Stdout>,
    out_coloured: bool,
    /// Whether the command line says so.
    colour_is_asked_for: bool,
    out_interactive: bool,
    err_coloured: bool,
    /// The exit code so far.
    pub(crate) exit: Exit,
}

/// Whether `CLICOLOR_FORCE` is 0, which forces nothing (bixense.com/clicolors).
fn forces_nothing() -> bool {
    std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0")
}

/// Shows text, perhaps with ANSI sequences, to whoever is asked something: on standard error, as results go to standard
/// output.
pub(crate) fn prompt(text: &str) -> io::Result<()> {
    let mut err = io::stderr().lock();
    let coloured = anstream::AutoStream::choice(&err) != ColorChoice::Never;
    match err.write_all(for_eyes(text, coloured).as_bytes()).and_then(|()| err.flush()) {
        // The question goes unseen, and may be answered all the same.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

impl Console {
    pub(crate) fn new(colour: ColorChoice) -> Self {
        let is_on = |detected: ColorChoice, is_terminal: bool| match colour {
            ColorChoice::Auto => detected != ColorChoice::Never && (is_terminal || !forces_nothing()),
            chosen => chosen != ColorChoice::Never,
        };
        let (out, err) = (io::stdout(), io::stderr());
        Self {
            out_coloured: is_on(anstream::AutoStream::choice(&out), out.is_terminal()),
            err_coloured: is_on(anstream::AutoStream::choice(&err), err.is_terminal()),
            colour_is_asked_for: matches!(colour, ColorChoice::Always | ColorChoice::AlwaysAnsi),
            out_interactive: out.is_terminal(),
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            exit: Exit::Fine,
        }
    }

    /// Whether standard error is a terminal.
    pub(crate) fn err_is_terminal() -> bool {
        io::stderr().is_terminal()
    }

    /// Writes text to standard output; ANSI sequences are stripped unless it is coloured.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(for_eyes(text, self.out_coloured).as_bytes())?;
        if self.out_interactive { self.out.flush() } else { Ok(()) }
    }

    /// Writes prose to standard output, in lines as wide as the terminal.
    pub(crate) fn print_wrapped(&mut self, text: &str) -> io::Result<()> {
        match terminal::width() {
            Some(width) => self.print(&wrapped(text, width, 2)),
            None => self.print(text),
        }
    }

    /// The same for paragraphs, whose lines all begin in the same column.
    pub(crate) fn print_paragraphs(&mut self, text: &str) -> io::Result<()> {
        match terminal::width() {
            Some(width) => self.print(&wrapped(text, width.min(MAX_PARAGRAPH), 0)),
            None => self.print(text),
        }
    }

    /// Whether standard output is coloured.
    pub(crate) fn is_coloured(&self) -> bool {
        self.out_coloured
    }

    /// Whether text that programs read, too, is coloured: only for a terminal, or by `--color always`.
    pub(crate) fn is_coloured_for_people(&self) -> bool {
        self.out_coloured && (self.out_interactive || self.colour_is_asked_for)
    }

    /// Writes text to standard output as it is: somebody's file, of which no character may be lost. Only a terminal is
    /// not sent what it would obey.
    pub(crate) fn print_exactly(&mut self, text: &str) -> io::Result<()> {
        if self.out_interactive {
            self.out.write_all(escaped(text).as_bytes())?;
            return self.out.flush();
        }
        self.out.write_all(text.as_bytes())
    }

    /// Writes text to standard error; ANSI sequences are stripped unless it is coloured.
    pub(crate) fn complain(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        io::stderr().lock().write_all(for_eyes(text, self.err_coloured).as_bytes())
    }

    /// The same when nothing else can be written any more.
    pub(crate) fn last_words(&mut self, text: &str) {
        let _ = io::stderr().lock().write_all(for_eyes(text, self.err_coloured).as_bytes());
    }

    /// Combines the exit code with this one; see [`Exit::and`].
    pub(crate) fn set_exit(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A rendered diagnostic with its messages and notes in lines as wide as the terminal; excerpts of the source stay as
/// they are.
fn around_excerpts(text: &str) -> Cow<'_, str> {
    let Some(width) = terminal::width() else { return Cow::Borrowed(text) };
    let is_excerpt = |line: &str| line.contains(['│', '┌', '╭', '╰', '·']);
    let lines = text.split_inclusive('\n');
    lines.map(|line| if is_excerpt(line) { line.to_owned() } else { wrapped(line, width, 2) }).collect()
}

/// Shows the diagnostics of a file on standard error, at most [`MAX_SHOWN`].
pub(crate) fn show_diagnostics(
    console: &mut Console,
    source: &SourceFile,
    diagnostics: &[Diagnostic],
) -> io::Result<()> {
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        console.complain(&around_excerpts(&map_diagnostics::render(source, diagnostic)))?;
    }
    let rest = diagnostics.len().saturating_sub(MAX_SHOWN);
    if rest > 0 {
        console.complain(&format!("and {rest} more in {}\n\n", source.name()))?;
    }
    Ok(())
}
