//! The protocols that come with MAP, as data, for `map new` and for readers who learn from examples. The texts are
//! those of the folder `protocols/`, embedded when the crate is built.

mod table;

pub use table::PROTOCOLS;

/// A protocol of the library: one folder below `protocols/`.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// The folder's name.
    pub name: &'static str,
    /// A description on one line, without a full stop.
    pub about: &'static str,
    /// The correct version.
    pub right: Version,
    /// The correct version for more agents, if the number of agents is part of the text.
    pub larger: &'static [Version],
    /// Versions with a defect, each a small edit away from the correct one, in the order of their names.
    pub defective: &'static [Version],
}

impl Protocol {
    /// All its versions: the correct one, the larger ones, those with a defect.
    pub fn versions(&self) -> impl Iterator<Item = &Version> {
        std::iter::once(&self.right).chain(self.larger).chain(self.defective)
    }

    /// Its versions other than the correct one.
    pub fn others(&self) -> impl Iterator<Item = &Version> {
        self.versions().filter(|version| version.name != self.right.name)
    }
}

/// One `.map` file of a protocol.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// The file's name without `.map`.
    pub name: &'static str,
    /// Its text, including the `//@` lines with the expectations of the tests.
    pub text: &'static str,
}

impl Version {
    /// The text as the start of a new file: without the `//@` lines at its top.
    #[must_use]
    pub fn start(&self) -> String {
        let lines = self.text.lines().skip_while(|line| line.starts_with("//@") || line.is_empty());
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// The first sentence of the comment at its start.
    #[must_use]
    pub fn first_sentence(&self) -> String {
        let start = self.start();
        let comment = start.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
        let text = comment.collect::<Vec<_>>().join(" ");
        text.split_once(". ").map_or(text.trim_end_matches('.'), |halves| halves.0).to_owned()
    }

    /// The flags of the first of its `//@ verify` and `//@ large` lines below which properties are expected, or else
    /// of the first, such as `--agents bidder=2`; may be empty. It is the cast with which there is most to see.
    #[must_use]
    pub fn flags(&self) -> &'static str {
        let verified =
            |line: &'static str| line.strip_prefix("//@ verify").or_else(|| line.strip_prefix("//@ large"));
        let (mut first, mut last) = (None, None);
        let mut lines = self.text.lines();
        let judged = lines.find_map(|line| {
            last = verified(line).or(last);
            first = first.or(last);
            line.starts_with("//@ property").then_some(last)
        });
        let line = judged.flatten().or(first);
        line.and_then(|line| line.split_once("=>")).map_or("", |(flags, _)| flags.trim())
    }
}

/// The protocol of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Protocol> {
    PROTOCOLS.iter().find(|protocol| protocol.name == name)
}

/// The version of that name: a protocol, or a protocol and one of its versions (`ballot/voting-twice`).
#[must_use]
pub fn version(name: &str) -> Option<&'static Version> {
    match name.split_once('/') {
        None => find(name).map(|protocol| &protocol.right),
        Some((protocol, name)) => find(protocol)?.versions().find(|version| version.name == name),
    }
}

/// All names that [`version`] knows.
#[must_use]
pub fn names() -> Vec<String> {
    let versions = |protocol: &'static Protocol| {
        let others = protocol.others().map(|version| format!("{}/{}", protocol.name, version.name));
        std::iter::once(protocol.name.to_owned()).chain(others).collect::<Vec<_>>()
    };
    PROTOCOLS.iter().flat_map(versions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_has_no_lines_for_the_tests_and_keeps_all_others() {
        let version =
            Version { name: "x", text: "//@ verify --agents a=2 => terminates\n\n// A scene.\n\ns[]\n" };
        assert_eq!(version.start(), "// A scene.\n\ns[]\n");
        assert_eq!(version.flags(), "--agents a=2");
        let text = "//@ verify --agents a=1 => failure\n//@ verify --agents a=2 => failure\n//@ property p => holds\n";
        assert_eq!(Version { name: "x", text }.flags(), "--agents a=2");
        assert_eq!(find("clock-auction").map(|found| found.right.flags()), Some("--agents bidder=2"));
    }

    #[test]
    fn names_are_found_and_are_different() {
        for protocol in PROTOCOLS {
            assert_eq!(find(protocol.name).map(|found| found.about), Some(protocol.about));
        }
        assert!(find("no-such-protocol").is_none());
    }
}
