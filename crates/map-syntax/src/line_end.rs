//! How the lines of a text end.

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// `\n`.
    Feed,
    /// `\r\n`.
    ReturnAndFeed,
}

impl LineEnd {
    /// The end that most lines of a text have; a line feed if both are equally frequent.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let both = text.matches("\r\n").count();
        let all = text.bytes().filter(|&byte| byte == b'\n').count();
        if both > all - both { Self::ReturnAndFeed } else { Self::Feed }
    }

    /// A text in which all lines end like this.
    #[must_use]
    pub fn applied_to(self, text: String) -> String {
        match self {
            Self::Feed => text,
            Self::ReturnAndFeed => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        }
    }
}
