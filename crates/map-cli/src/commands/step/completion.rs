//! Completion: the words with which the line typed so far can go on.

use std::fs;
use std::path::Path;

use map_diagnostics::is_unseen;
use map_ir::Program;

use super::command::{NAMES, takes_agent};

/// The words there are, apart from the names of files.
pub(super) struct Words {
    /// The agents, with their sigil.
    agents: Vec<String>,
    /// The steps that can be taken now, in the notation of traces; their numbers start at 1.
    pub(super) steps: Vec<String>,
}

impl Words {
    pub(super) fn new(program: &Program) -> Self {
        let agents = program.cast().map(|agent| format!("!{}", program.agent_name(agent))).collect();
        Self { agents, steps: Vec::new() }
    }

    /// Where the word begins in which the line ends, and what it may become.
    pub(super) fn completing(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.len() - line.trim_start().len();
        let Some((command, rest)) = line[start..].split_once(char::is_whitespace) else {
            return (start, self.first_words(&line[start..]));
        };
        let word = rest.trim_start();
        let start = line.len() - word.len();
        match command {
            "save" => {
                let name = word.rfind('/').map_or(word, |at| &word[at + 1..]);
                (line.len() - name.len(), files(word))
            }
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

/// The last parts of the paths that begin so; folders end in `/`. Names that cannot be shown as they are cannot be
/// typed either, and are left out.
fn files(path: &str) -> Vec<String> {
    let (folder, name) = path.rfind('/').map_or(("", path), |at| path.split_at(at + 1));
    let folder = if folder.is_empty() { Path::new(".") } else { Path::new(folder) };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let mut known = entry.file_name().into_string().ok()?;
            let is_meant = known.starts_with(name) && !known.contains(is_unseen);
            if !is_meant || (known.starts_with('.') && name.is_empty()) {
                return None;
            }
            if entry.path().is_dir() {
                known.push('/');
            }
            Some(known)
        })
        .collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn file_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        fs::create_dir(folder.path().join("traces")).unwrap();
        for name in ["trace 1.json", "other", ".hidden", "tr\u{1b}ap"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let expected = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("save {path}/{name}")).collect()
        };
        let expect = |line: &str, names: &[&str]| {
            check(line, &expected(names).iter().map(String::as_str).collect::<Vec<_>>());
        };
        expect(&format!("save {path}/tr"), &["trace 1.json", "traces/"]);
        expect(&format!("save {path}/trace "), &["trace 1.json"]);
        expect(&format!("save {path}/"), &["other", "trace 1.json", "traces/"]);
        expect(&format!("save {path}/.h"), &[".hidden"]);
        check("save /no/such/folder/", &[]);
    }
}
