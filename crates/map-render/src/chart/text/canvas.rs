//! A line of characters that can be written to at any column.

use unicode_width::UnicodeWidthChar as _;

/// Fills the second column of a character that is two columns wide.
const BEHIND: char = '\0';

/// A line, initially blank.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    cells: Vec<String>,
}

impl Line {
    /// Writes a text, replacing what is there.
    pub(super) fn put(&mut self, column: usize, text: &str) {
        let mut at = column;
        for c in text.chars() {
            match c.width().unwrap_or(0) {
                // A combining character: it joins the one before it.
                0 => {
                    let before = self.cells.iter_mut().take(at).rev();
                    if let Some(cell) = before.into_iter().find(|cell| !cell.starts_with(BEHIND)) {
                        cell.push(c);
                    }
                }
                wide => {
                    self.set(at, c);
                    (1..wide).for_each(|more| self.set(at + more, BEHIND));
                    at += wide;
                }
            }
        }
    }

    fn set(&mut self, at: usize, c: char) {
        if self.cells.len() <= at {
            self.cells.resize(at + 1, " ".to_owned());
        }
        // If half of a wide character is overwritten, the other half becomes blank.
        if self.at(at) == BEHIND && c != BEHIND {
            self.cells[at - 1] = " ".to_owned();
        }
        if self.cells.get(at + 1).is_some_and(|it| it.starts_with(BEHIND)) {
            self.cells[at + 1] = " ".to_owned();
        }
        self.cells[at] = c.to_string();
    }

    /// The character in a column.
    pub(super) fn at(&self, column: usize) -> char {
        self.cells.get(column).and_then(|it| it.chars().next()).unwrap_or(' ')
    }

    /// Whether a column is blank.
    pub(super) fn is_free(&self, column: usize) -> bool {
        self.at(column) == ' '
    }

    /// The width of the line, up to the last column written to.
    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }

    /// The line without trailing blanks.
    pub(super) fn text(&self) -> String {
        let text: String =
            self.cells.iter().filter(|it| !it.starts_with(BEHIND)).map(String::as_str).collect();
        text.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn wide_characters_take_two_columns() {
        let mut line = Line::default();
        line.put(0, "日本");
        line.put(4, "│");
        assert_eq!((line.text().as_str(), line.width()), ("日本│", 5));
        line.put(1, "x");
        assert_eq!(line.text(), " x本│");
        line.put(2, "e\u{301}");
        assert_eq!(line.text(), " xe\u{301} │");
        let mut line = Line::default();
        line.put(0, "👩\u{200d}🚀.");
        assert_eq!((line.text().as_str(), line.width()), ("👩\u{200d}🚀.", 5));
    }
}
