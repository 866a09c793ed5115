//! Several processes that search together: who they are, and the search itself.

use map_verify::{Limit, Options, Reduced, TogetherError, Verdict, verify_together};

use super::args::{Args, TogetherArgs};
use super::task::Task;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::together::{self, Wanted};

/// This process as one of several.
pub(super) struct Member(together::Member);

impl Member {
    /// The process that the flags ask for; `None` if it searches alone. Starts the others if they are to run on this
    /// machine.
    ///
    /// # Errors
    /// What is wrong with the flags, or with a file.
    pub(super) fn from_flags(args: &Args) -> Result<Option<Self>, String> {
        let TogetherArgs { processes, hosts, process, key, wait, patience } = &args.together;
        let flag = if processes.is_some() { "--processes" } else { "--hosts" };
        if (processes.is_some() || hosts.is_some()) && args.files.len() != 1 {
            return Err(format!("{flag} is for one file"));
        }
        let wanted = Wanted {
            processes: *processes,
            hosts: hosts.as_deref(),
            process: *process,
            key: key.as_deref(),
            wait: *wait,
            patience: *patience,
        };
        let member = together::Member::from_flags(&wanted, &args.files[0], &[])?;
        Ok(member.map(Self))
    }

    /// Searches with the other processes.
    ///
    /// # Errors
    /// If they do not meet, one is lost, or the engine contradicts itself.
    pub(super) fn search(
        self,
        task: &Task<'_>,
        options: &Options,
        watch: &mut Watch,
    ) -> Result<Reduced, Failure> {
        let mut cluster = self.0.join(&must_agree(task, options), task.interrupt)?;
        let made = verify_together(task.program, &task.bounds, options, &mut cluster, watch);
        let made = match made {
            Err(TogetherError::Lost(lost)) => {
                cluster.give_up(&lost.to_string());
                return Err(Failure::Lost(Exit::Lost, lost.to_string()));
            }
            // The others have the same.
            Err(TogetherError::NotKept(why)) => Err(Failure::Usage("verify", format!("--resume: {why}"))),
            Err(TogetherError::Internal(error)) => Err(error.into()),
            Ok(reduced) => Ok(reduced),
        };
        cluster.leave();
        self.0.wait_for_started();
        made
    }
}

/// Whether several processes are to search.
pub(super) fn is_asked_for(args: &Args) -> bool {
    args.together.processes.is_some() || args.together.hosts.is_some()
}

/// Whether this process prints what is found, and writes the files that are asked for: of several the first one does.
pub(super) fn prints(args: &Args) -> bool {
    args.together.process.unwrap_or(0) == 0
}

/// The exit code of a process that does not print.
pub(super) fn exit_of(reduced: &Reduced) -> Exit {
    match reduced.report.verdict {
        _ if reduced.report.limit == Some(Limit::Interrupted) => Exit::Interrupted,
        Verdict::Terminates | Verdict::TerminatesIfFair => Exit::Fine,
        Verdict::Violated(_) => Exit::Violation,
        Verdict::Inconclusive => Exit::Inconclusive,
    }
}

/// What all processes have to agree on, by names that complete "process 1 has another ...".
fn must_agree(task: &Task<'_>, options: &Options) -> Vec<(String, String)> {
    let Options { keep_going, reductions, limits, .. } = options;
    let checkpoints = match &task.checkpoints {
        None => "none",
        Some(checkpoints) if checkpoints.borrow().resumes() => "--resume",
        Some(_) => "--checkpoint",
    };
    [
        ("build of map", env!("MAP_BUILD").to_owned()),
        ("text", together::digest(task.loaded.source.text())),
        ("cast", together::digest(&format!("{:?}", task.program.agent_names))),
        ("set of bounds", together::digest(&format!("{:?}", task.bounds))),
        ("set of reductions", together::digest(&format!("{reductions:?} {keep_going}"))),
        ("limit of states", limits.states.to_string()),
        ("use of checkpoints", checkpoints.to_owned()),
    ]
    .map(|(name, content)| (name.to_owned(), content))
    .to_vec()
}
