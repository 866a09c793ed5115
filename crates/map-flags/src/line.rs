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

/// The lines `//@ verify` of a text, in order.
#[must_use]
pub fn test_lines(text: &str) -> Vec<TestLine> {
    let verify = |line: &str| {
        let rest = line.strip_prefix("//@")?.trim().strip_prefix("verify")?;
        let starts = rest.is_empty() || rest.starts_with(char::is_whitespace);
        starts.then(|| rest.rsplit_once("=>").map_or(rest, |(flags, _)| flags).trim().to_owned())
    };
    let mut end = 0;
    let lines = text.split_inclusive('\n').enumerate().filter_map(|(index, line)| {
        let start = end;
        end += line.len();
        let flags = verify(line)?;
        let place = start..start + line.trim_end().len();
        Some(TestLine { number: index + 1, place, args: SearchArgs::read(&flags), flags })
    });
    lines.collect()
}

/// What is wrong with flags, without advice on how to use a command.
#[must_use]
pub fn first_line(error: &clap::Error) -> String {
    let message = error.to_string();
    message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::{SearchArgs, test_lines};

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
    fn defaults_are_those_of_the_command_line() {
        let args = SearchArgs::read("").expect("no flag is needed");
        assert_eq!(args.bounds.depth, map_semantics::Bounds::USUAL.depth);
        assert!(!args.limits.keep_going && args.limits.max_states.is_none());
    }
}
