//! `--agents bidder=any`: tries to prove the verdict for any number of agents of a role.

use std::path::Path;

use map_render::report::print;
use map_session::Compilation;

use self::asked::Asked;
use super::args::{Args, DeniedArg, Detail};
use super::casts::about_one_search;
use super::collected::Collected;
use super::limits::SharedTime;
use super::searched::{Searched, search};
use super::task::Task;
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::write_besides;
use crate::interrupt::Interrupt;
use crate::json::junit::number_of;
use crate::json::{AnyOutput, VerifiedOutput, VerifyResult};
use map_flags::{Any, Host as _, example_beside_any, refuse_beside_any};

mod asked;

/// What is asked of a file.
struct Question<'a> {
    args: &'a Args,
    any: &'a Any,
    /// Other roles of which there may be any number; here each has a number.
    others: Vec<&'a str>,
}

/// Refuses flags that ask for something else.
pub(super) fn check(args: &Args) -> Result<(), String> {
    check_for(args, args.search.scene.any()?.first())
}

fn check_for(args: &Args, any: Option<&Any>) -> Result<(), String> {
    if let Some(flag) = about_a_number(args) {
        return Err(format!(
            "{flag} is for a number of agents, not for any number: give one, such as {}",
            example_beside_any(any)
        ));
    }
    refuse_beside_any(any, &args.search.bounds)
}

/// Whether any number may be asked for beside the flags of this command alone.
pub(super) fn goes_with(args: &Args) -> bool {
    about_a_number(args).is_none()
}

/// A flag that is about a number of agents.
fn about_a_number(args: &Args) -> Option<&'static str> {
    let denied = [("--deny unread", DeniedArg::Unread), ("--deny never", DeniedArg::Never)];
    let denied = denied.into_iter().find(|(_, what)| args.deny.contains(what));
    let live = args.live.is_some().then_some("--live");
    about_one_search(args).or(denied.map(|(flag, _)| flag)).or(live)
}

/// Asks of a file about each of the roles, one after the other.
pub(super) fn ask(
    args: &Args,
    roles: &[Any],
    (file, loaded): (&Path, &Compilation),
    (interrupt, time): (&Interrupt, &SharedTime),
    collected: &mut Collected,
    console: &mut Console,
) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("verify", what);
    let mut is_first = true;
    for any in roles {
        let args = Args { search: args.search.about_any(any), ..args.clone() };
        // Standard input is read once only.
        let loaded = args.search.compile_any(&loaded.source, any);
        let Some(program) = &loaded.program else { return collected.reject(&args, &loaded, console) };
        let bounds = args.search.bounds.resolve(program).map_err(usage)?;
        let scene = loaded.scene(bounds).expect("it has a program");
        let task = Task { args: &args, file, loaded: &loaded, scene, interrupt, time, checkpoints: None };
        if is_first {
            task.print_diagnostics(console)?;
            collected.begin(&task, console)?;
        } else if args.format == Format::Text && args.detail() != Detail::Line {
            console.print("\n")?;
        }
        is_first = false;
        if interrupt.is_set() {
            console.set_exit(Exit::Interrupted);
            let number = number_of(&any.role, any.from);
            collected.add_suite(|suites| suites.not_run(&loaded, Some(&number), args.properties_only));
            continue;
        }
        let others = roles.iter().filter(|it| *it != any).map(|it| it.role.as_str()).collect();
        Question { args: &args, any, others }.ask(&task, collected, console)?;
    }
    Ok(())
}

/// Refuses flags that ask for something else of a file whose cast says that there may be any number of agents.
pub(super) fn check_file(args: &Args, loaded: &Compilation) -> Result<(), String> {
    let roles = args.search.scene.any_in(&loaded.source)?;
    if roles.is_empty() {
        return Ok(());
    }
    check_for(args, roles.first())?;
    if args.report.is_some() && roles.len() > 1 {
        return Err("--report is for one role at a time: give a number of agents of the others".to_owned());
    }
    Ok(())
}

impl Question<'_> {
    fn ask(&self, task: &Task<'_>, collected: &mut Collected, console: &mut Console) -> Result<(), Failure> {
        let args = self.args;
        let asked = self.prove(task)?;
        let interrupted = task.interrupt.is_set();
        console.set_exit(if interrupted { Exit::Interrupted } else { asked.exit() });
        collected.add_suite(|suites| asked.add_to(suites));
        if let Some(target) = &args.report
            && asked.found.violated().is_none()
        {
            let page = print(&asked.report());
            write_besides("the report", target, &page, console)?;
        }
        match args.format {
            Format::Text => console.print_wrapped(&asked.text())?,
            Format::Json => {}
        }
        let violation = match asked.found.violated() {
            Some((count, of_property)) => {
                self.show_violation(task, (count, of_property), collected, console)?
            }
            None => None,
        };
        collected.keep(task, || VerifyResult::Any(Box::new(AnyOutput { violation, ..asked.output() })));
        Ok(())
    }

    /// Tries to prove the verdict.
    fn prove<'q>(&'q self, task: &Task<'q>) -> Result<Asked<'q>, Failure> {
        let limits = task.next_limits();
        let question = self.args.search.any_number(&task.loaded.source, self.any, limits);
        let mut watch = task.watch(&task.scene, &limits);
        let found = question.ask(&task.scene, &mut watch)?;
        let interrupted = task.interrupt.is_set();
        Ok(Asked { question: self, loaded: task.loaded, found, interrupted })
    }

    /// Verifies the scene with a number of agents with which it or a property is violated: that replays and shows the
    /// run.
    fn show_violation(
        &self,
        task: &Task<'_>,
        (count, of_property): (u32, bool),
        collected: &mut Collected,
        console: &mut Console,
    ) -> Result<Option<Box<VerifiedOutput>>, Failure> {
        let args = Args { search: self.args.search.counting(count, of_property), ..self.args.clone() };
        let loaded =
            args.search.compile(&task.loaded.source).map_err(|what| Failure::Usage("verify", what))?;
        let Some(scene) = loaded.scene(task.scene.bounds.clone()) else { return Ok(None) };
        let task = Task { args: &args, loaded: &loaded, scene, ..task.clone() };
        let found = search(&task, None)?;
        let mut searched = Searched::new(&args, &found);
        // Its suite is that of any number; its report is the one that was asked for.
        collected.show(&task, &mut searched, console)?;
        Ok(Some(Box::new(searched.output())))
    }
}
