//! Where the processes of a cluster run, and how each is started there.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use crate::Hosts;

/// How processes on other machines are started if nothing else is said. It asks nobody for a password.
const VIA: &str = "ssh -o BatchMode=yes {host}";

/// How processes on other machines are started.
#[derive(Clone, Copy, Debug)]
pub struct Remote<'a> {
    /// The command that starts a process there, such as `ssh {host}`. Where it is given, it starts all processes.
    pub via: Option<&'a str>,
    /// What this program is called there.
    pub program: &'a str,
    /// The folder in which it is started there.
    pub folder: &'a Path,
}

/// Where a process runs.
#[derive(Debug)]
pub struct Place {
    process: usize,
    /// How messages name it.
    pub name: String,
    start: Start,
}

#[derive(Debug)]
enum Start {
    /// By the program that this one is.
    Here(OsString),
    /// By another program, with these words; one of them has `{command}` in it.
    Via { words: Vec<String>, folder: String, program: String },
}

impl Place {
    /// The places of all processes.
    ///
    /// # Errors
    /// What is wrong with the command that is to start them, for the user.
    pub fn all(hosts: &Hosts, remote: &Remote<'_>) -> Result<Vec<Self>, String> {
        let Remote { via, program, folder } = *remote;
        let place = |process| {
            let start = if via.is_none() && hosts.is_here(process) {
                let own = env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
                Start::Here(own.into_os_string())
            } else {
                let machine = hosts.machine(process).unwrap_or_default();
                let words = split(via.unwrap_or(VIA), machine, process)?;
                let folder = folder.to_str().ok_or("the name of the current folder is not UTF-8")?;
                Start::Via { words, folder: folder.to_owned(), program: program.to_owned() }
            };
            Ok(Self { process, name: hosts.name(process), start })
        };
        (0..hosts.count()).map(place).collect()
    }

    /// Whether what is started is only what starts the process.
    #[must_use]
    pub const fn is_via(&self) -> bool {
        matches!(self.start, Start::Via { .. })
    }

    /// The program to start, and its arguments: those of `line`, and the flags that tell the process which one it is.
    ///
    /// # Errors
    /// What cannot be passed on, for the user.
    pub fn words(
        &self,
        line: &[OsString],
        hosts: &Path,
        key: Option<&Path>,
    ) -> Result<Vec<OsString>, String> {
        let own = line_of_process(line, hosts, key, self.process);
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

/// The arguments of a process: `line`, with the flags that tell it which one it is in front of a `--`.
#[must_use]
pub fn line_of_process(line: &[OsString], hosts: &Path, key: Option<&Path>, process: usize) -> Vec<OsString> {
    let mut flags: Vec<OsString> = vec!["--hosts".into(), hosts.into()];
    flags.extend(["--process".into(), process.to_string().into()]);
    if let Some(key) = key {
        flags.extend(["--key".into(), key.into()]);
    }
    let mut words = line.to_vec();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.splice(end..end, flags);
    words
}

/// The arguments without `--processes`.
pub(crate) fn without_processes(line: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut skips = false;
    for word in line {
        let is_flag = word == "--processes";
        let has_value = word.to_str().is_some_and(|word| word.starts_with("--processes="));
        if !skips && !is_flag && !has_value {
            kept.push(word.clone());
        }
        skips = is_flag;
    }
    kept
}

/// The words of the command that starts a process. One of them has `{command}` in it.
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
    use super::{OsString, Path, line_of_process, split, without_processes};

    #[test]
    fn a_command_is_filled_in_and_added_where_it_is_missing() {
        let words = |via| split(via, "b.example.org", 7).map(|words| words.join("|"));
        assert_eq!(words("ssh -p 22 {host}").unwrap(), "ssh|-p|22|b.example.org|{command}");
        assert_eq!(words("sh -c 'exec {command}' x{process}").unwrap(), "sh|-c|exec {command}|x7");
        assert!(words("ssh 'x").unwrap_err().contains("quote"));
        assert!(words(" ").unwrap_err().contains("no program"));
    }

    #[test]
    fn how_many_there_are_is_for_the_first_alone() {
        for flag in ["--processes 3 ", "--processes=3 "] {
            let words: Vec<OsString> = format!("verify {flag}a.map").split(' ').map(OsString::from).collect();
            assert_eq!(without_processes(&words), ["verify", "a.map"]);
        }
    }

    #[test]
    fn flags_come_before_what_only_looks_like_flags() {
        let line = |words: &str, key| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let line = line_of_process(&words, Path::new("h"), key, 2);
            line.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("verify a.map", None), "verify a.map --hosts h --process 2");
        assert_eq!(
            line("verify -- -a.map", Some(Path::new("k"))),
            "verify --hosts h --process 2 --key k -- -a.map"
        );
    }
}
