//! The commands of `map step` and their parser.

use std::path::PathBuf;

use map_semantics::Step;

/// What to show of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Everything.
    All,
    /// The messages not yet received.
    Mailbox,
    /// The variables of the open activations.
    Variables,
    /// The memory cells.
    Memory,
    /// Where the threads are, with the lines of the source.
    Where,
}

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Take the step of that number in the list.
    Number(usize),
    /// Take a step given in the notation of traces.
    Choice(Step),
    /// List the possible steps, or those of one agent.
    List(Option<String>),
    /// Show something of all agents, or of one.
    Show(View, Option<String>),
    /// Show the steps taken, from this number to that one, inclusive.
    Trace(u64, u64),
    /// Draw the steps taken.
    Chart,
    /// Undo this many steps.
    Undo(u64),
    /// Redo this many undone steps.
    Redo(u64),
    /// Go to where this many steps have been taken.
    Go(u64),
    /// Take at most this many random steps, with this seed.
    Random(u64, Option<u64>),
    /// Begin anew with this initial value, such as `!Buyer@limit = 5`.
    Start(String),
    /// Save the trace to this file, which is up to whoever reads the commands.
    Save(PathBuf),
    /// Explain the commands.
    Help,
    /// Do nothing: an empty line or a comment.
    Nothing,
    /// End the session, likewise.
    Quit,
}

/// What `help` prints.
pub const HELP: &str = "\
Commands:
  NUMBER              take that step; the name of a step, such as 1.0.act.0, will do as well
  list [AGENT]        the possible steps                              (l)
  show [AGENT]        all there is to know of the agents, or of one   (s)
  mailbox [AGENT]     the messages not yet taken                      (m)
  variables [AGENT]   the variables of the open activations           (v)
  memory [AGENT]      the cells                                       (c)
  where [AGENT]       where the threads rest, with the source lines   (w)
  trace [FROM [TO]]   the steps made                                  (t)
  chart               the steps made, drawn as a chart
  undo [N]            take back a step, or N                          (u)
  redo [N]            take a step again that was taken back           (y)
  go N                go to where N steps have been made              (g)
  random [N [SEED]]   run on at random: N steps, or to the end        (r)
  start !A@CELL = X   begin anew, with this initial value of the cell
  save FILE           save the trace, for map replay
  help                                                                (h)
  quit                so does the end of the input                    (q)
  # text              a comment
";

/// The names of the commands.
pub const NAMES: [&str; 16] = [
    "list",
    "show",
    "mailbox",
    "variables",
    "memory",
    "where",
    "trace",
    "chart",
    "undo",
    "redo",
    "go",
    "random",
    "start",
    "save",
    "help",
    "quit",
];

/// Whether the command takes the name of an agent.
pub(super) fn takes_agent(command: &str) -> bool {
    let full = ["list", "show", "mailbox", "variables", "memory", "where"];
    full.contains(&command) || ["l", "s", "m", "v", "c", "w"].contains(&command)
}

impl Command {
    /// Parses a line.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(Self::Nothing) };
        let agent = || match rest {
            [] => Ok(None),
            [name] => Ok(Some((*name).to_owned())),
            _ => Err(format!("{first} takes the name of one agent")),
        };
        let count = || match rest {
            [] => Ok(1),
            [n] => number(n),
            _ => Err(format!("{first} takes one number")),
        };
        match first {
            "list" | "l" => Ok(Self::List(agent()?)),
            "show" | "s" => Ok(Self::Show(View::All, agent()?)),
            "mailbox" | "m" => Ok(Self::Show(View::Mailbox, agent()?)),
            "variables" | "v" => Ok(Self::Show(View::Variables, agent()?)),
            "memory" | "c" => Ok(Self::Show(View::Memory, agent()?)),
            "where" | "w" => Ok(Self::Show(View::Where, agent()?)),
            "trace" | "t" => match rest {
                [] => Ok(Self::Trace(1, u64::MAX)),
                [from] => Ok(Self::Trace(number(from)?, u64::MAX)),
                [from, to] => Ok(Self::Trace(number(from)?, number(to)?)),
                _ => Err("trace takes the numbers of the first and the last step".to_owned()),
            },
            "chart" if rest.is_empty() => Ok(Self::Chart),
            "undo" | "u" => Ok(Self::Undo(count()?)),
            "redo" | "y" => Ok(Self::Redo(count()?)),
            "go" | "g" => match rest {
                [n] => Ok(Self::Go(number(n)?)),
                _ => Err("go takes the number of a step; 0 is the start".to_owned()),
            },
            "random" | "r" => match rest {
                [] => Ok(Self::Random(u64::MAX, None)),
                [n] => Ok(Self::Random(number(n)?, None)),
                [n, seed] => Ok(Self::Random(number(n)?, Some(number(seed)?))),
                _ => Err("random takes a number of steps and a seed".to_owned()),
            },
            "start" if !rest.is_empty() => Ok(Self::Start(rest.join(" "))),
            "start" => Err("start takes a cell with its initial value: start !Buyer@limit = 5".to_owned()),
            "save" => match line.trim().strip_prefix("save").map(str::trim) {
                Some(file) if !file.is_empty() => Ok(Self::Save(PathBuf::from(file))),
                _ => Err("save takes the name of a file".to_owned()),
            },
            "help" | "h" | "?" if rest.is_empty() => Ok(Self::Help),
            "quit" | "q" | "exit" if rest.is_empty() => Ok(Self::Quit),
            comment if comment.starts_with('#') => Ok(Self::Nothing),
            _ => Self::step(first, rest),
        }
    }

    fn step(first: &str, rest: &[&str]) -> Result<Self, String> {
        let unknown = || format!("there is no command {:?}; help lists them", shortened(first));
        if !rest.is_empty() || !first.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(unknown());
        }
        if first.contains('.') {
            return first.parse().map(Self::Choice);
        }
        number(first).map(|n| Self::Number(usize::try_from(n).unwrap_or(usize::MAX)))
    }
}

fn number(text: &str) -> Result<u64, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let read = if digits { text.parse().ok() } else { None };
    read.ok_or_else(|| format!("expected a number of 0 or more, not {:?}", shortened(text)))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(40).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Command, NAMES, View};

    #[test]
    fn commands() {
        let read = |line: &str| Command::parse(line).unwrap();
        assert_eq!(read(" 12 \n"), Command::Number(12));
        assert!(matches!(read("1.0.act.0"), Command::Choice(step) if step.options == [0]));
        assert_eq!(read("list"), Command::List(None));
        assert_eq!(read("w !Bidder1"), Command::Show(View::Where, Some("!Bidder1".to_owned())));
        assert_eq!(read("trace 3"), Command::Trace(3, u64::MAX));
        assert_eq!(read("undo"), Command::Undo(1));
        assert_eq!(read("u 5"), Command::Undo(5));
        assert_eq!(read("random 100 7"), Command::Random(100, Some(7)));
        assert_eq!(read("save my trace.json"), Command::Save("my trace.json".into()));
        assert_eq!(read("chart"), Command::Chart);
        assert_eq!(read(""), Command::Nothing);
        assert_eq!(read("# 1"), Command::Nothing);
    }

    #[test]
    fn names() {
        for name in NAMES {
            let known = |rest: &str| Command::parse(&format!("{name}{rest}")).is_ok();
            assert!(known("") || known(" 1"), "{name}");
        }
    }

    #[test]
    fn junk() {
        let long = "x".repeat(4000);
        for line in [
            "-1",
            "1 2",
            "1.5",
            "1.0",
            "1.0.jump",
            "nonsense",
            "undo -1",
            "undo x",
            "go",
            "go 1 2",
            "trace a",
            "random 1 2 3",
            "save",
            "list a b",
            "chart 1",
            "quit now",
            "\u{7}",
            "18446744073709551616",
            &long,
        ] {
            let error = Command::parse(line).unwrap_err();
            assert!(!error.is_empty() && error.len() < 200, "{line}: {error}");
        }
    }
}
