//! `--agents bidder=any`: tries to prove the verdict for any number of agents of a role.

use std::path::Path;

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_verify::Limits;
use map_views::{AnyVerdict, ProofOptions, prove};

use self::asked::Asked;
use super::args::Args;
use super::collected::Collected;
use super::limits::SharedTime;
use super::searched::search;
use super::task::Task;
use super::together;
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Loaded, compile_source};
use crate::interrupt::Interrupt;
use crate::json::{AnyOutput, Verified, VerifyResult};
use map_flags::{bounds, compile};

mod asked;
mod page;
mod tested;
mod words;

pub(super) use self::tested::{Found, find};

/// The most agents of the role with which the scene is verified as it is.
const CONCRETE: u32 = 3;

/// The most states of such a verification, and the most views, if nothing else is said.
const STATES: usize = 200_000;

/// What is asked of all files.
struct Question<'a> {
    args: &'a Args,
    role: &'a str,
    /// The least number of its agents.
    from: u32,
}

/// Refuses flags that ask for something else.
pub(super) fn check(args: &Args) -> Result<(), String> {
    let others = [
        ("--weather", args.weather),
        ("--properties-only", args.properties_only),
        ("--with", args.with.is_some()),
        ("--checkpoint", args.long.checkpoint.is_some()),
        ("--resume", args.long.resume.is_some()),
        ("a search by several processes", together::is_asked_for(args)),
        ("--save-test", args.save_test.is_some()),
        ("--save-trace", args.save.save_trace.is_some()),
        ("--property", !args.judge.properties.is_empty()),
        ("--only", !args.judge.only.is_empty()),
    ];
    if let Some((flag, _)) = others.into_iter().find(|&(_, given)| given) {
        return Err(format!(
            "{flag} is for a number of agents, not for any number: give one, such as {}",
            example(args)
        ));
    }
    if !args.bounds.rounds.is_empty() {
        return Err("--rounds bounds the calls of each agent, so nothing would be proved of longer runs: leave it out \
                    if there may be any number of agents"
            .to_owned());
    }
    let network = args.bounds.network;
    if network.losses > 0 || network.crashes > 0 {
        return Err(format!(
            "--network {network}: for any number of agents, there are proofs only if no message is lost and no agent \
             crashes: leave it out, or give a number of agents, such as {}",
            example(args)
        ));
    }
    Ok(())
}

/// The flag with a number of agents instead of any.
fn example(args: &Args) -> String {
    let any = args.scene.any().ok().flatten();
    any.map_or_else(
        || "--agents ROLE=3".to_owned(),
        |(role, from)| format!("--agents {role}={}", from.max(3)),
    )
}

/// Asks of every file.
pub(super) fn run(args: &Args, (role, from): (&str, u32), console: &mut Console) -> Result<(), Failure> {
    check(args).map_err(|what| Failure::Usage("verify", what))?;
    // Properties are judged for a number of agents.
    let mut args = args.clone();
    args.judge.no_properties = true;
    let question = Question { args: &args, role, from };
    let options = args.scene.with(from.max(2));
    let files: Vec<Loaded> = args.files.iter().map(|file| args.load(file, &options)).collect();
    let mut collected = Collected::default();
    let ended = question.ask_all(&files, &mut collected, console);
    // Before anything more is printed, since printing ends the command if the pipe is closed.
    collected.save_junit(&args, &files, console)?;
    ended?;
    collected.print(&args, console)
}

impl Question<'_> {
    /// Asks of every file until interrupted.
    fn ask_all(
        &self,
        files: &[Loaded],
        collected: &mut Collected,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let interrupt = Interrupt::install();
        let time = SharedTime::new(self.args.search.time_limit, files.len());
        for (file, loaded) in self.args.files.iter().zip(files) {
            if interrupt.is_set() {
                console.set_exit(Exit::Interrupted);
                break;
            }
            match &loaded.program {
                Some(program) => {
                    self.ask(file, loaded, program, (&interrupt, &time), collected, console)?;
                }
                None => collected.reject(self.args, loaded, console)?,
            }
        }
        Ok(())
    }

    fn ask(
        &self,
        file: &Path,
        loaded: &Loaded,
        program: &Program,
        (interrupt, time): (&Interrupt, &SharedTime),
        collected: &mut Collected,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let args = self.args;
        let bounds = bounds::resolve(&args.bounds, program).map_err(|what| Failure::Usage("verify", what))?;
        let task = Task { args, file, loaded, program, bounds, interrupt, time, checkpoints: None };
        task.print_diagnostics(console)?;
        collected.begin(&task, console)?;
        let asked = self.prove(&task)?;
        console.set_exit(if interrupt.is_set() { Exit::Interrupted } else { asked.exit() });
        collected.add_suite(|suites| asked.add_to(suites));
        if let Some(target) = &args.report
            && !asked.is_violated()
        {
            page::write(&asked, target, console)?;
        }
        match args.format {
            Format::Text => console.print_wrapped(&asked.text())?,
            Format::Json if args.text_too => console.complain(&asked.text())?,
            Format::Json => {}
        }
        let violation = match asked.answer.verdict {
            AnyVerdict::Violated(count) => self.show_violation(&task, count, collected, console)?,
            _ => None,
        };
        collected.keep(&task, || VerifyResult::Any(Box::new(AnyOutput { violation, ..asked.output() })));
        Ok(())
    }

    /// Tries to prove the verdict.
    fn prove<'q>(&'q self, task: &Task<'q>) -> Result<Asked<'q>, Failure> {
        let (args, loaded) = (task.args, task.loaded);
        let limits = task.next_limits();
        let most = if args.search.max_states.is_some() { limits.limits.states } else { STATES };
        let options = ProofOptions {
            from: self.from,
            concrete: CONCRETE,
            limits: Limits { states: most, ..limits.limits },
            views: most,
        };
        let mut watch = task.watch(&limits);
        let scene = |count| compile(&loaded.source, &args.scene.with(count)).program;
        let answer = prove(&scene, self.role, &task.bounds, &options, &mut watch);
        let took = watch.finish();
        let interrupted = task.interrupt.is_set();
        Ok(Asked { question: self, loaded, program: task.program, answer: answer?, took, most, interrupted })
    }

    /// Verifies the scene with a number of agents with which it is violated: that replays and shows the trace.
    fn show_violation(
        &self,
        task: &Task<'_>,
        count: u32,
        collected: &mut Collected,
        console: &mut Console,
    ) -> Result<Option<Box<Verified>>, Failure> {
        let args = Args { scene: self.args.scene.counting(count), ..self.args.clone() };
        // Standard input is read once only.
        let source = SourceFile::new(task.loaded.source.name(), task.loaded.source.text());
        let loaded = compile_source(source, &self.args.scene.with(count));
        let Some(program) = &loaded.program else { return Ok(None) };
        let task = Task { args: &args, loaded: &loaded, program, ..task.clone() };
        let mut searched = search(&task)?;
        // Its suite is that of any number; its report is the one that was asked for.
        collected.show(&task, &mut searched, console)?;
        Ok(Some(Box::new(searched.output())))
    }
}
