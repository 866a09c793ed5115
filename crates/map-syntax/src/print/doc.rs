//! Layout: a stream of texts, possible line breaks, and groups whose breaks are all taken or none: a pretty printer
//! in the manner of Oppen (1980) with consistent breaking.

use super::{INDENT, WIDTH};

/// One layout command.
enum Command<'a> {
    Text(&'a str),
    /// A comment, which may span lines.
    Comment(&'a str),
    /// A line break if the innermost group is broken, otherwise the text `flat`.
    Break {
        flat: &'static str,
        blank: bool,
    },
    /// A mandatory line break.
    Hard {
        blank: bool,
        /// Whether the next line is indented one level more, because the construct has no possible break here.
        continued: bool,
    },
    Indent,
    Dedent,
    Open(usize),
    Close(usize),
}

/// Measurements of a group, taken before layout.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Its width on one line, in characters.
    width: usize,
    /// The width of the text between the end of the group and the next possible break.
    tail: usize,
    broken: bool,
}

/// A document under construction.
#[derive(Default)]
pub(super) struct Doc<'a> {
    commands: Vec<Command<'a>>,
    groups: Vec<Group>,
    /// The open groups, each with the total width of everything before it.
    open: Vec<(usize, usize)>,
    width: usize,
}

impl<'a> Doc<'a> {
    pub(super) fn text(&mut self, text: &'a str) {
        self.width += width(text);
        self.commands.push(Command::Text(text));
    }

    /// Adds a comment. One that ends its line does not count towards the width: breaking the code before it would
    /// not help.
    pub(super) fn comment(&mut self, text: &'a str, ends_line: bool) {
        if !ends_line {
            self.width += width(text);
        }
        self.commands.push(Command::Comment(text));
    }

    /// Adds a possible break, a space if it is not taken. With `blank`, the break includes an empty line.
    pub(super) fn line(&mut self, blank: bool) {
        self.width += 1;
        self.commands.push(Command::Break { flat: " ", blank });
    }

    /// Adds a possible break, nothing if it is not taken.
    pub(super) fn soft(&mut self) {
        self.commands.push(Command::Break { flat: "", blank: false });
    }

    /// Adds a mandatory break, which breaks all enclosing groups.
    pub(super) fn hard(&mut self, blank: bool) {
        self.commands.push(Command::Hard { blank, continued: false });
        self.must_break();
    }

    /// Adds a mandatory break in a place without a possible one.
    pub(super) fn hard_continued(&mut self) {
        self.commands.push(Command::Hard { blank: false, continued: true });
        self.must_break();
    }

    pub(super) fn indent(&mut self) {
        self.commands.push(Command::Indent);
    }

    pub(super) fn dedent(&mut self) {
        self.commands.push(Command::Dedent);
    }

    pub(super) fn open(&mut self) {
        self.commands.push(Command::Open(self.groups.len()));
        self.open.push((self.groups.len(), self.width));
        self.groups.push(Group::default());
    }

    pub(super) fn close(&mut self) {
        let Some((group, before)) = self.open.pop() else { return };
        self.groups[group].width = self.width - before;
        self.commands.push(Command::Close(group));
        if self.groups[group].broken {
            self.must_break();
        }
    }

    /// Breaks the innermost open group, and with it all enclosing groups.
    pub(super) fn must_break(&mut self) {
        if let Some(&(group, _)) = self.open.last() {
            self.groups[group].broken = true;
        }
    }

    /// Whether the innermost open group contains a mandatory break so far.
    pub(super) fn is_broken(&self) -> bool {
        self.open.last().is_some_and(|&(group, _)| self.groups[group].broken)
    }

    /// Lays out the document. The text ends with a line break.
    pub(super) fn render(mut self) -> String {
        self.measure_tails();
        let mut page = Page::default();
        let mut flat: Vec<bool> = Vec::new();
        for command in &self.commands {
            match *command {
                Command::Text(text) => page.text(text),
                Command::Comment(text) => page.comment(text),
                Command::Break { flat: text, blank } => {
                    if flat.last().copied().unwrap_or(false) {
                        page.text(text);
                    } else {
                        page.break_line(blank, false);
                    }
                }
                Command::Hard { blank, continued } => page.break_line(blank, continued),
                Command::Indent => page.indent += 1,
                Command::Dedent => page.indent -= 1,
                Command::Open(group) => {
                    let Group { width, tail, broken } = self.groups[group];
                    let inside_flat = flat.last().copied().unwrap_or(false);
                    flat.push(inside_flat || (!broken && page.column() + width + tail <= WIDTH));
                }
                Command::Close(_) => {
                    flat.pop();
                }
            }
        }
        page.finish()
    }

    fn measure_tails(&mut self) {
        let mut tail = 0;
        for command in self.commands.iter().rev() {
            match *command {
                Command::Text(text) => tail += width(text),
                Command::Break { .. } | Command::Hard { .. } => tail = 0,
                Command::Close(group) => self.groups[group].tail = tail,
                Command::Comment(_) | Command::Indent | Command::Dedent | Command::Open(_) => {}
            }
        }
    }
}

/// The text laid out so far.
#[derive(Default)]
struct Page {
    text: String,
    indent: usize,
    column: usize,
    /// A line break that is written as soon as something follows it.
    pending: Option<Pending>,
}

#[derive(Clone, Copy)]
struct Pending {
    blank: bool,
    continued: bool,
}

impl Page {
    /// Adds a line break; consecutive breaks are merged.
    fn break_line(&mut self, blank: bool, continued: bool) {
        let before = self.pending.unwrap_or(Pending { blank: false, continued: false });
        self.pending =
            Some(Pending { blank: blank || before.blank, continued: continued || before.continued });
    }

    /// The column of the next character.
    fn column(&self) -> usize {
        self.pending.map_or(self.column, |pending| self.indentation(pending))
    }

    fn indentation(&self, pending: Pending) -> usize {
        (self.indent + usize::from(pending.continued)) * INDENT
    }

    fn begin(&mut self) {
        if let Some(pending) = self.pending.take()
            && !self.text.is_empty()
        {
            self.text.push_str(if pending.blank { "\n\n" } else { "\n" });
            self.column = self.indentation(pending);
            self.text.extend(std::iter::repeat_n(' ', self.column));
        }
    }

    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin();
            self.text.push_str(text);
            self.column += width(text);
        }
    }

    /// Writes a comment. If all its further lines begin with `*` they are aligned; otherwise they are kept as they
    /// are.
    fn comment(&mut self, text: &str) {
        self.begin();
        let column = self.column;
        let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
        self.text(lines.next().unwrap_or_default());
        let aligned = lines.clone().all(|line| line.trim_start_matches([' ', '\t']).starts_with('*'));
        for line in lines {
            self.text.push('\n');
            self.column = 0;
            if aligned {
                self.column = column + 1;
                self.text.extend(std::iter::repeat_n(' ', self.column));
                self.text(line.trim_start_matches([' ', '\t']));
            } else {
                self.text(line);
            }
        }
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
