//! What each process of a cluster is told to do.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;

use map_cluster::line_of_process;
use map_doors::Checkpoints;

use super::RunArgs;

/// Refuses what the processes would refuse, before any is started.
pub(super) fn check(args: &RunArgs, root: Command) -> Result<(), String> {
    let verb = args.line.first().map(OsString::as_os_str).unwrap_or_default();
    if verb != "verify" && verb != "run" {
        let verb = verb.to_string_lossy();
        return Err(format!(
            "`{verb}` is nothing that several processes do together; `verify` and `run` are"
        ));
    }
    let words = std::iter::once(OsString::from("map")).chain(line_of_process(
        &args.line,
        &args.hosts,
        args.key.as_deref(),
        0,
    ));
    match root.try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let what = text.split("\n\n").next().unwrap_or_default().trim();
            let verb = verb.to_string_lossy();
            Err(format!("map {verb}: {}", what.strip_prefix("error: ").unwrap_or(what)))
        }
    }
}

/// The line with which a search goes on: from its checkpoints, if it has written any.
pub(super) fn going_on(line: &[OsString]) -> Vec<OsString> {
    let mut words = line.to_vec();
    for at in 0..words.len() {
        if words[at] == "--checkpoint" {
            if words.get(at + 1).is_some_and(|folder| Checkpoints::are_in(Path::new(folder))) {
                words[at] = "--resume".into();
            }
        } else if let Some(folder) = words[at].to_str().and_then(|it| it.strip_prefix("--checkpoint="))
            && Checkpoints::are_in(Path::new(folder))
        {
            words[at] = format!("--resume={folder}").into();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_search_goes_on_from_checkpoints_that_are_there() {
        let place = tempfile::tempdir().unwrap();
        let kept = place.path().join("kept");
        let line = |flag: &str, sign: &str| {
            words(&format!("verify a.map {flag}{sign}{} --rounds 2", kept.display()))
        };
        let goes_on = |goes_on: bool| {
            for sign in [" ", "="] {
                let flag = if goes_on { "--resume" } else { "--checkpoint" };
                assert_eq!(going_on(&line("--checkpoint", sign)), line(flag, sign));
                assert_eq!(going_on(&line("--resume", sign)), line("--resume", sign));
            }
        };
        // There is no such folder; it is empty; it has one of each process; one for all.
        goes_on(false);
        fs::create_dir_all(kept.join("process-0")).unwrap();
        goes_on(false);
        fs::write(kept.join("process-0/search-1.checkpoint"), "").unwrap();
        goes_on(true);
        fs::remove_dir_all(kept.join("process-0")).unwrap();
        fs::write(kept.join("search-1.checkpoint"), "").unwrap();
        goes_on(true);
        assert_eq!(going_on(&words("verify a.map --checkpoint")), words("verify a.map --checkpoint"));
    }
}
