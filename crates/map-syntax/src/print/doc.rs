//! Layout: a stream of texts, places where a line may be broken, and groups that are broken as a whole or not at all.

use super::{INDENT, WIDTH};

/// One layout command.
enum Command<'a> {
    Text(&'a str),
    /// A comment; one that spans lines keeps them.
    Comment(&'a str),
    /// A line break if the innermost group is broken, else nothing or a space.
    Break {
        flat: &'static str,
        blank: bool,
    },
    /// A line break.
    Hard {
        blank: bool,
        /// One level deeper than the construct, because the construct had no place for a break here.
        continued: bool,
    },
    Indent,
    Dedent,
    Open(usize),
    Close(usize),
}

/// What is known of a group before it is laid out.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Characters on one line.
    width: usize,
    /// Characters that follow up to the next place for a break.
    tail: usize,
    broken: bool,
}

/// The commands of a text.
#[derive(Default)]
pub(super) struct Doc<'a> {
    commands: Vec<Command<'a>>,
    groups: Vec<Group>,
    /// The open groups, and the width of all that came before each.
    open: Vec<(usize, usize)>,
    width: usize,
}

impl<'a> Doc<'a> {
    pub(super) fn text(&mut self, text: &'a str) {
        self.width += width(text);
        self.commands.push(Command::Text(text));
    }

    /// A comment. One that ends its line may stick out: breaking the code before it would not help.
    pub(super) fn comment(&mut self, text: &'a str, ends_line: bool) {
        if !ends_line {
            self.width += width(text);
        }
        self.commands.push(Command::Comment(text));
    }

    /// A place for a break, a space if there is none. `blank` is for a break with an empty line.
    pub(super) fn line(&mut self, blank: bool) {
        self.width += 1;
        self.commands.push(Command::Break { flat: " ", blank });
    }

    /// A place for a break, nothing if there is none.
    pub(super) fn soft(&mut self) {
        self.commands.push(Command::Break { flat: "", blank: false });
    }

    /// A break, which breaks all groups around it.
    pub(super) fn hard(&mut self, blank: bool) {
        self.commands.push(Command::Hard { blank, continued: false });
        self.must_break();
    }

    /// A break where the layout has no place for one.
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

    /// Breaks the innermost open group, and with it those around it.
    pub(super) fn must_break(&mut self) {
        if let Some(&(group, _)) = self.open.last() {
            self.groups[group].broken = true;
        }
    }

    /// Whether the innermost open group is broken already, whatever its width.
    pub(super) fn is_broken(&self) -> bool {
        self.open.last().is_some_and(|&(group, _)| self.groups[group].broken)
    }

    /// The text, with a line end at its end.
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

/// The text as far as it is laid out.
#[derive(Default)]
struct Page {
    text: String,
    indent: usize,
    column: usize,
    /// A line break that is written when something follows it, and how many levels deeper that is.
    pending: Option<Pending>,
}

#[derive(Clone, Copy)]
struct Pending {
    blank: bool,
    continued: bool,
}

impl Page {
    /// Breaks in a row are one.
    fn break_line(&mut self, blank: bool, continued: bool) {
        let before = self.pending.unwrap_or(Pending { blank: false, continued: false });
        self.pending =
            Some(Pending { blank: blank || before.blank, continued: continued || before.continued });
    }

    /// Where the next character goes.
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

    /// Lines of a comment that all begin with `*` are aligned; others are the author's drawing.
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
