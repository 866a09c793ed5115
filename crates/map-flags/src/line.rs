//! Lines `//@ verify FLAGS => EXPECTED` of a file: how it is meant to be verified.

use std::ops::Range;

use clap::Parser;

use crate::search::SearchArgs;

/// A line `//@ verify`.
#[derive(Clone, Debug)]
pub struct TestLine {
    /// Its number, from 1.
    pub number: usize,
    /// The bytes that it takes.
    pub place: Range<usize>,
    /// The flags, as they stand there.
    pub flags: String,
    /// What they mean, or what is wrong with them.
    pub args: Result<SearchArgs, String>,
}

/// The flags alone.
#[derive(Parser)]
#[command(name = "//@ verify", no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    args: SearchArgs,
}

impl SearchArgs {
    /// What the flags of a line mean.
    ///
    /// # Errors
    /// What is wrong with them, in one line.
    pub fn read(flags: &str) -> Result<Self, String> {
        let words = shlex::split(flags).ok_or("a quote is not closed")?;
        let parsed = Line::try_parse_from(words).map_err(|error| first_line(&error))?;
        Ok(parsed.args)
    }
}

/// What stands behind `//@` on a line that says something about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive<'t> {
    /// The number of the line, from 1.
    pub number: usize,
    /// The bytes from `//@` on.
    pub place: Range<usize>,
    /// Without white space around it.
    pub words: &'t str,
}

/// The lines of a text that begin with `//@`, in order. White space before it, and a byte order mark, do not matter.
pub fn said(text: &str) -> impl Iterator<Item = Directive<'_>> {
    let mut end = 0;
    text.split_inclusive('\n').enumerate().filter_map(move |(index, line)| {
        let start = end;
        end += line.len();
        let mark = |letter: char| letter.is_whitespace() || (index == 0 && letter == '\u{feff}');
        let rest = line.trim_start_matches(mark);
        let words = rest.strip_prefix("//@")?.trim();
        let start = start + line.len() - rest.len();
        Some(Directive { number: index + 1, place: start..start + rest.trim_end().len(), words })
    })
}

/// The numbers of the lines of a dialogue on which a comment `//@ verify` or `//@ property` stands behind something
/// else: it says nothing there.
#[must_use]
pub fn unsaid(text: &str) -> Vec<usize> {
    let stands_behind = |comment: &Range<usize>| {
        let words = text[comment.clone()].strip_prefix("//@").unwrap_or_default().trim_start();
        let line = text[..comment.start].rsplit('\n').next().unwrap_or_default();
        let before = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        (words.starts_with("verify") || words.starts_with("property")) && !before.is_empty()
    };
    let comments = map_syntax::comments(text, &map_syntax::sketch(text).tokens);
    let number = |comment: Range<usize>| text[..comment.start].matches('\n').count() + 1;
    comments.into_iter().filter(stands_behind).map(number).collect()
}

/// The lines `//@ verify` of a text, in order.
#[must_use]
pub fn test_lines(text: &str) -> Vec<TestLine> {
    let verify = |words: &str| {
        let rest = words.strip_prefix("verify")?;
        let starts = rest.is_empty() || rest.starts_with(char::is_whitespace);
        starts.then(|| rest.rsplit_once("=>").map_or(rest, |(flags, _)| flags).trim().to_owned())
    };
    let lines = said(text).filter_map(|Directive { number, place, words }| {
        let flags = verify(words)?;
        Some(TestLine { number, place, args: SearchArgs::read(&flags), flags })
    });
    lines.collect()
}

/// A message about flags with what the standard library says of numbers in words for people. It stands at the end of a
/// line, behind the name of the flag.
#[must_use]
pub fn in_words(message: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("number would be zero for non-zero type", "a number from 1 on was expected"),
        ("invalid digit found in string", "a whole number was expected"),
        ("cannot parse integer from empty string", "a whole number was expected"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
    ];
    let plain = |line: &str| {
        let (text, end) = line.split_at(line.trim_end().len());
        let known = WORDS.iter().find_map(|(theirs, ours)| Some((text.strip_suffix(theirs)?, ours)));
        match known {
            Some((before, ours)) if before.ends_with(": ") => format!("{before}{ours}{end}"),
            _ => line.to_owned(),
        }
    };
    message.split_inclusive('\n').map(plain).collect()
}

/// What is wrong with flags, without advice on how to use a command.
#[must_use]
pub fn first_line(error: &clap::Error) -> String {
    let message = in_words(&error.to_string());
    let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let values =
        |line: &str| Some(line.trim().strip_prefix("[possible values: ")?.strip_suffix(']')?.to_owned());
    match message.lines().find_map(values) {
        Some(values) => format!("{first}: there are {values}"),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{SearchArgs, said, test_lines, unsaid};

    #[test]
    fn lines_are_found_with_their_flags() {
        let text = "//@ verify => terminates\n\
                    //@ verify --agents bidder=2 --rounds bidloop=2 => deadlock, 9 steps\n\
                    //@ property safe => holds\n\
                    //@ verifying => x\n\
                    // @ verify\n\
                    //@ verify --chart => terminates\n\
                    //@ verify --property 'never failed(!A)\n";
        let lines = test_lines(text);
        let shown: Vec<String> = lines
            .iter()
            .map(|it| format!("{}: {:?} {}", it.number, it.flags, it.args.as_ref().err().map_or("", |it| it)))
            .collect();
        assert_eq!(
            shown,
            [
                "1: \"\" ",
                "2: \"--agents bidder=2 --rounds bidloop=2\" ",
                "6: \"--chart\" unexpected argument '--chart' found",
                "7: \"--property 'never failed(!A)\" a quote is not closed",
            ]
        );
        let args = lines[1].args.as_ref().expect("they are right");
        assert_eq!(args.scene.agents[0].to_string(), "bidder=2");
        assert_eq!(args.bounds.rounds[0].limit, 2);
        assert_eq!(&text[lines[2].place.clone()], "//@ verify --chart => terminates");
    }

    #[test]
    fn no_line_is_overlooked() {
        let text = "\u{feff}//@ verify => deadlock\ns[\r\n\t //@property p => holds \r\n] // a //@ verify\n";
        let found: Vec<_> = said(text).map(|it| (it.number, &text[it.place.clone()], it.words)).collect();
        assert_eq!(
            found,
            [
                (1, "//@ verify => deadlock", "verify => deadlock"),
                (3, "//@property p => holds", "property p => holds"),
            ]
        );
        assert_eq!(test_lines(text).len(), 1);
        let text = "s[ //@ verify => deadlock\n// //@ verify\n] //@ property p\nm(\"//@ verify\")\n/*\n x //@ verify */";
        assert_eq!(unsaid(text), [1, 3]);
    }

    #[test]
    fn defaults_are_those_of_the_command_line() {
        let args = SearchArgs::read("").expect("no flag is needed");
        assert_eq!(args.bounds.depth, map_semantics::Bounds::USUAL.depth);
        assert!(!args.limits.keep_going && args.limits.max_states.is_none());
    }
}
