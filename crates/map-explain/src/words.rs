//! The words of reports, and what they mean: the glossary.

/// The whole glossary in Markdown: sections whose headings are words.
pub const GLOSSARY: &str = include_str!("../glossary.md");

/// A section of the glossary: words that are explained together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    heading: &'static str,
    text: &'static str,
}

impl Entry {
    /// Its words, the one in front first.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.heading.split(", ")
    }

    /// The section as a page of its own, in Markdown.
    #[must_use]
    pub fn page(self) -> String {
        format!("# {}\n\n{}\n", self.heading, self.text)
    }

    /// The first sentence of its text, on one line.
    #[must_use]
    pub fn first_sentence(self) -> String {
        let paragraph = self.text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        match paragraph.split_once(". ") {
            Some((first, _)) => format!("{first}."),
            None => paragraph,
        }
    }
}

/// All sections, in the order of the glossary.
pub fn entries() -> impl Iterator<Item = Entry> {
    GLOSSARY.split("## ").filter_map(|section| {
        let (heading, text) = section.split_once("\n\n")?;
        Some(Entry { heading, text: text.trim_end() })
    })
}

/// The section that explains a word, or several such as `terminates if fair`. Case does not matter, nor whether words
/// are joined by spaces, hyphens or underscores, as in outputs for programs.
#[must_use]
pub fn explained(word: &str) -> Option<Entry> {
    let plain = |text: &str| text.trim_start_matches("--").to_lowercase().replace(['_', '-'], " ");
    let wanted = plain(word.trim());
    entries().find(|entry| entry.words().any(|it| plain(it) == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_however_they_are_written() {
        for word in ["terminates if fair", "Terminates-if-fair", "terminates_if_fair", " TERMINATES IF FAIR "]
        {
            assert_eq!(
                explained(word).and_then(|it| it.words().next()),
                Some("terminates if fair"),
                "{word}"
            );
        }
        assert_eq!(explained("cut"), explained("bounds"));
        assert_eq!(explained("zebra"), None);
    }

    #[test]
    fn no_word_has_two_sections() {
        let mut all: Vec<&str> = entries().flat_map(|entry| entry.words()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn a_page_has_its_words_as_its_title() {
        let page = explained("livelock").map(Entry::page).unwrap_or_default();
        assert!(page.starts_with("# livelock\n\nFrom some moment on"), "{page}");
        assert!(page.ends_with(".\n"), "{page}");
    }
}
