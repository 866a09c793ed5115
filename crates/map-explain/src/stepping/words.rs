//! Completion: the words with which the line typed so far can go on.

use map_ir::Program;

use super::command::{NAMES, takes_agent};

/// The words there are, apart from the names of files.
pub struct Words {
    /// The agents, with their sigil.
    pub agents: Vec<String>,
    /// The steps that can be taken now, in the notation of traces; their numbers start at 1.
    pub steps: Vec<String>,
}

impl Words {
    /// The words for a scene that nothing has happened in.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let agents = program.cast().map(|agent| format!("!{}", program.agent_name(agent))).collect();
        Self { agents, steps: Vec::new() }
    }

    /// Where the word begins in which the line ends, and what it may become.
    #[must_use]
    pub fn completing(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.len() - line.trim_start().len();
        let Some((command, rest)) = line[start..].split_once(char::is_whitespace) else {
            return (start, self.first_words(&line[start..]));
        };
        let word = rest.trim_start();
        let start = line.len() - word.len();
        match command {
            _ if takes_agent(command) && !word.contains(char::is_whitespace) => (start, self.agents(word)),
            _ => (line.len(), Vec::new()),
        }
    }

    /// The commands and steps that begin so. Steps only if a digit says that one is meant.
    fn first_words(&self, word: &str) -> Vec<String> {
        let commands = NAMES.iter().filter(|it| it.starts_with(word)).map(|it| (*it).to_owned());
        if !word.starts_with(|it: char| it.is_ascii_digit()) {
            return commands.collect();
        }
        let steps: Box<dyn Iterator<Item = String>> = match word.contains('.') {
            true => Box::new(self.steps.iter().cloned()),
            false => Box::new((1..=self.steps.len()).map(|number| number.to_string())),
        };
        steps.filter(|it| it.starts_with(word)).collect()
    }

    /// The agents whose names begin so, with their sigil or without it, as the word has it.
    fn agents(&self, word: &str) -> Vec<String> {
        let bare = usize::from(!word.is_empty() && !word.starts_with('!'));
        self.agents
            .iter()
            .map(|it| &it[bare..])
            .filter(|it| it.starts_with(word))
            .map(str::to_owned)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    fn words() -> Words {
        let strings = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect();
        let steps: Vec<String> = (0..12).map(|agent| format!("{agent}.0.act")).collect();
        Words { agents: strings(&["!Auctioneer", "!Bidder1", "!Bidder2"]), steps }
    }

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let (start, found) = words().completing(line);
        let lines: Vec<String> = found.iter().map(|it| format!("{}{it}", &line[..start])).collect();
        assert_eq!(lines, expected, "{line:?}");
    }

    #[test]
    fn commands_and_steps() {
        assert_eq!(words().completing("").1.len(), super::NAMES.len());
        check("m", &["mailbox", "memory"]);
        check("  ch", &["  chart"]);
        check("1", &["1", "10", "11", "12"]);
        check("13", &[]);
        check("1.", &["1.0.act"]);
        check("x", &[]);
        check("undo ", &[]);
    }

    #[test]
    fn agents() {
        check("show ", &["show !Auctioneer", "show !Bidder1", "show !Bidder2"]);
        check("w  !B", &["w  !Bidder1", "w  !Bidder2"]);
        check("list Bid", &["list Bidder1", "list Bidder2"]);
        check("show !A x", &[]);
    }
}
