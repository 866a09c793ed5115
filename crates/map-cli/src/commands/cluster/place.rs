//! Where a process of a cluster runs, and how it is started there.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use map_cluster::Hosts;

use super::RunArgs;
use super::line::of_process;

/// How processes on other machines are started if nothing else is said. It asks nobody for a password.
const VIA: &str = "ssh -o BatchMode=yes {host}";

/// Where a process runs.
pub(super) struct Place {
    process: usize,
    /// How messages name it.
    pub(super) name: String,
    start: Start,
}

enum Start {
    /// By the program that this one is.
    Here(OsString),
    /// By another program, with these words; the last but one has `{command}` in it.
    Via { words: Vec<String>, folder: String, program: String },
}

impl Place {
    /// The places of all processes.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub(super) fn all(hosts: &Hosts, args: &RunArgs, folder: &Path) -> Result<Vec<Self>, String> {
        let place = |process| {
            let start = if args.via.is_none() && hosts.is_here(process) {
                let own = env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
                Start::Here(own.into_os_string())
            } else {
                let machine = hosts.machine(process).unwrap_or_default();
                let words = split(args.via.as_deref().unwrap_or(VIA), machine, process)?;
                let folder = folder.to_str().ok_or("the name of the current folder is not UTF-8")?;
                Start::Via { words, folder: folder.to_owned(), program: args.program.clone() }
            };
            Ok(Self { process, name: hosts.name(process), start })
        };
        (0..hosts.count()).map(place).collect()
    }

    /// Whether what is started is only what starts the process.
    pub(super) const fn is_via(&self) -> bool {
        matches!(self.start, Start::Via { .. })
    }

    /// The program to start, and its arguments.
    ///
    /// # Errors
    /// What cannot be passed on.
    pub(super) fn words(&self, line: &[OsString], args: &RunArgs) -> Result<Vec<OsString>, String> {
        let own = of_process(line, args, self.process);
        match &self.start {
            Start::Here(program) => Ok(std::iter::once(program.clone()).chain(own).collect()),
            Start::Via { words, folder, program } => {
                let text = |word: &OsString| {
                    let word = word.to_str().ok_or_else(|| format!("{} is not UTF-8", word.display()))?;
                    quoted(word)
                };
                let arguments: Vec<String> = own.iter().map(text).collect::<Result<_, _>>()?;
                let command =
                    format!("cd {} && exec {} {}", quoted(folder)?, quoted(program)?, arguments.join(" "));
                Ok(words.iter().map(|word| word.replace("{command}", &command).into()).collect())
            }
        }
    }
}

/// The words of `--via` for a process. One of them has `{command}` in it.
fn split(via: &str, machine: &str, process: usize) -> Result<Vec<String>, String> {
    let words = shlex::split(via).ok_or("--via: a quote is not closed")?;
    let fill = |word: String| word.replace("{host}", machine).replace("{process}", &process.to_string());
    let mut words: Vec<String> = words.into_iter().map(fill).collect();
    if words.first().is_none_or(String::is_empty) {
        return Err("--via names no program".to_owned());
    }
    if !words.iter().any(|word| word.contains("{command}")) {
        words.push("{command}".to_owned());
    }
    Ok(words)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> Result<String, String> {
    shlex::try_quote(word)
        .map(|it| it.into_owned())
        .map_err(|_| "an argument has a zero byte in it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_command_is_filled_in_and_added_where_it_is_missing() {
        let words = |via| split(via, "b.example.org", 7).map(|words| words.join("|"));
        assert_eq!(words("ssh -p 22 {host}").unwrap(), "ssh|-p|22|b.example.org|{command}");
        assert_eq!(words("sh -c 'exec {command}' x{process}").unwrap(), "sh|-c|exec {command}|x7");
        assert!(words("ssh 'x").unwrap_err().contains("quote"));
        assert!(words(" ").unwrap_err().contains("no program"));
    }
}
