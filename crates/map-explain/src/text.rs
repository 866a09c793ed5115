//! Text whose pieces are marked with their role, so that a terminal can colour them and a page can style them.

use std::fmt::{self, Display, Formatter, Write};

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The agent that a line is about.
    Agent,
    /// A verdict, or a word that stands for one.
    Verdict(Tone),
    /// Secondary information.
    Aside,
    /// A headline.
    Heading,
}

/// Whether a verdict is good news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Something holds.
    Good,
    /// Something is wrong.
    Bad,
    /// Something was left open.
    Doubtful,
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its role; `None` for plain text.
    pub role: Option<Role>,
    /// The text; it may have several lines.
    pub text: String,
}

/// Lines of text in pieces. Each line ends with a line break.
///
/// Text written with `write!` is plain; [`Display`] shows the whole text without roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pieces: Vec<Piece>,
}

impl Text {
    /// A text of one plain piece.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self { pieces: vec![Piece { role: None, text: text.into() }] }
    }

    /// A text of one piece with a role.
    #[must_use]
    pub fn of(role: Role, text: impl Display) -> Self {
        let mut new = Self::default();
        new.push(role, text);
        new
    }

    /// The pieces, in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.text.is_empty())
    }

    /// Adds a piece with a role.
    pub fn push(&mut self, role: Role, text: impl Display) {
        self.pieces.push(Piece { role: Some(role), text: text.to_string() });
    }

    /// Adds plain text.
    pub fn push_str(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(last) if last.role.is_none() => last.text.push_str(text),
            _ => self.pieces.push(Piece { role: None, text: text.to_owned() }),
        }
    }

    /// The text without white space at its beginning and its end.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        while let Some(first) = self.pieces.first_mut() {
            first.text = first.text.trim_start().to_owned();
            if !first.text.is_empty() {
                break;
            }
            self.pieces.remove(0);
        }
        while let Some(last) = self.pieces.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.pieces.pop();
        }
        self
    }

    /// Adds the pieces of another text.
    pub fn append(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::{Role, Text, Tone};

    #[test]
    fn pieces_keep_their_roles() {
        let mut text = Text::of(Role::Verdict(Tone::Bad), "deadlock");
        let _ = write!(text, " after {} ", 3);
        text.push_str("steps: ");
        text.append(Text::of(Role::Agent, "!A"));
        assert_eq!(text.to_string(), "deadlock after 3 steps: !A");
        let roles: Vec<_> = text.pieces().iter().map(|piece| piece.role).collect();
        assert_eq!(roles, [Some(Role::Verdict(Tone::Bad)), None, Some(Role::Agent)]);
        assert!(Text::default().is_empty() && !text.is_empty());
        let mut wide = Text::plain(" \n");
        wide.push(Role::Aside, " a ");
        wide.push_str(" b\n\n");
        assert_eq!(wide.trimmed().to_string(), "a  b");
        assert!(Text::plain("\n ").trimmed().is_empty());
    }
}
