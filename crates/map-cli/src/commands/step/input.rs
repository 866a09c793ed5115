//! Where the commands come from: a person at a terminal, or a script.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use map_explain::stepping::Stepper;
use map_ir::Program;

use super::editor::{Heard, LineEditor, PROMPT};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 4096;

/// Where the commands come from.
pub(super) enum Input {
    /// A terminal, on which the line can be edited.
    Editor(Box<LineEditor>),
    /// A terminal from which the output is led elsewhere.
    Terminal,
    /// A pipe or a file.
    Script,
}

impl Input {
    pub(super) fn open(program: &Program) -> Result<Self, Failure> {
        match (io::stdin().is_terminal(), io::stdout().is_terminal()) {
            (true, true) => Ok(Self::Editor(Box::new(LineEditor::new(program).map_err(Failure::Input)?))),
            (true, false) => Ok(Self::Terminal),
            (false, _) => Ok(Self::Script),
        }
    }

    pub(super) fn is_interactive(&self) -> bool {
        !matches!(self, Self::Script)
    }

    /// Waits for the next line.
    pub(super) fn next(
        &mut self,
        stepper: &Stepper<'_>,
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Heard, Failure> {
        if matches!(self, Self::Terminal) {
            console.print(PROMPT)?;
        }
        console.flush()?;
        let heard = interrupt.while_waiting(|| match self {
            Self::Editor(editor) => editor.next(stepper.steps()),
            Self::Terminal | Self::Script => read_line(),
        });
        let heard = heard.map_err(Failure::Input)?;
        if matches!((&heard, &self), (Heard::End, Self::Terminal)) {
            console.print("\n")?;
        }
        Ok(match heard {
            Heard::Line(Ok(line)) if line.len() as u64 >= MAX_LINE => Heard::Line(Err(too_long())),
            heard => heard,
        })
    }
}

fn too_long() -> String {
    format!("a command has fewer than {MAX_LINE} characters")
}

/// The next line of standard input.
fn read_line() -> io::Result<Heard> {
    let mut bytes = Vec::new();
    if io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Heard::End);
    }
    if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
        skip_line()?;
        return Ok(Heard::Line(Err(too_long())));
    }
    Ok(Heard::Line(Ok(bytes)))
}

/// Discards the rest of a line.
fn skip_line() -> io::Result<()> {
    let mut input = io::stdin().lock();
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}
