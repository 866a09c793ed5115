//! Checks the output files named by flags before any work is done.

use super::args::Args;
use super::scenes::SceneOfFile;
use super::{report, save_test, together};
use crate::files::{check_apart, check_target};
use crate::trace::FLAG;

/// Refuses flags that are for one scene, if a file has several and none is chosen.
pub(super) fn check_number(args: &Args, scenes: &[SceneOfFile]) -> Result<(), String> {
    let scenes: Vec<&SceneOfFile> = scenes.iter().filter(|scene| !scene.is_further_cast()).collect();
    if scenes.len() == args.files.len() {
        return Ok(());
    }
    let for_one = [
        ("--checkpoint", args.long.checkpoint.is_some()),
        ("--resume", args.long.resume.is_some()),
        ("a search by several processes", together::is_asked_for(args)),
        ("--report", args.report.is_some()),
        (FLAG, args.save.save_trace.is_some()),
        ("--save-test", args.save_test.is_some()),
    ];
    let Some((flag, _)) = for_one.into_iter().find(|&(_, is_given)| is_given) else { return Ok(()) };
    let names: Vec<&str> = scenes.iter().filter_map(|scene| scene.args.search.scene.scene()).collect();
    Err(format!("{flag} is for one scene: choose one with --scene; there are {}", names.join(", ")))
}

/// Checks all output files. The error says what is wrong with the first bad one.
pub(super) fn check(args: &Args) -> Result<(), String> {
    let first = &args.files[0];
    args.save.check([first])?;
    if args.save.save_trace.is_some() && args.files.len() > 1 {
        return Err("--save-trace is for one file: there is one trace in a file".to_owned());
    }
    if let Some(target) = &args.junit {
        check_target("--junit", target, &args.files)?;
    }
    report::check(args)?;
    if let Some(target) = &args.save_test {
        if args.files.len() > 1 {
            return Err("--save-test is for one file".to_owned());
        }
        save_test::check_target(target, first)?;
    }
    let flags = [
        ("--junit", &args.junit),
        ("--report", &args.report),
        (FLAG, &args.save.save_trace),
        ("--save-test", &args.save_test),
    ];
    let given = flags.iter().filter_map(|(flag, target)| Some((*flag, target.as_deref()?)));
    check_apart(&given.collect::<Vec<_>>())
}
