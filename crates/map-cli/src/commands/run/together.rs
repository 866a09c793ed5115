//! Many runs, shared by several processes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};

use map_cluster::Cluster;
pub(super) use map_cluster::Member;
use map_session::Scene;
use map_simulate::{Runs, SimulationOptions, Statistics};
use map_verify::{PeerLost, Peers as _};

use super::Args;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::together::{self, PeerArgs, digest, must_agree};

/// Flags about several processes that share many runs.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct TogetherArgs {
    /// Share the runs among this many processes on this machine, 1 to 64. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64), requires = "runs", conflicts_with_all = ["hosts", "csv", "sweep"])]
    processes: Option<u8>,

    /// Share the runs with other processes, which are started with the same text and flags
    ///
    /// The file has the address and port of each process, one a line; process 0 prints the result.
    #[arg(long, value_name = "FILE", requires_all = ["process", "runs", "seed"], conflicts_with_all = ["csv", "sweep"])]
    hosts: Option<PathBuf>,

    #[command(flatten)]
    peers: PeerArgs,
}

/// The process that the flags ask for; `None` if it works alone. Starts the others if they are to run on this machine.
///
/// # Errors
/// What is wrong with the flags, or with a file.
pub(super) fn member(args: &Args, seed: u64) -> Result<Option<Member>, String> {
    let TogetherArgs { processes, hosts, peers } = &args.many.together;
    // A seed that this process has drawn is that of all.
    let further: &[OsString] = match args.seed {
        Some(_) => &[],
        None => &["--seed".into(), seed.to_string().into()],
    };
    peers.member((*processes, hosts.as_deref()), &args.file, further)
}

/// Whether this process prints the result: of several the first one does.
pub(super) const fn prints(member: &Member) -> bool {
    member.own() == 0
}

/// Makes all runs with the other processes. `work` makes some of them until it is told to stop, and counts them; `done`
/// counts those of all.
///
/// # Errors
/// If they do not meet, or one is lost.
pub(super) fn share(
    member: Member,
    (args, scene, options): (&Args, &Scene, &SimulationOptions),
    (interrupt, done): (&Interrupt, &AtomicU64),
    work: &(dyn Fn(Runs, &AtomicBool, &AtomicU64) -> Statistics + Sync),
) -> Result<Statistics, Failure> {
    let wanted = args.many.runs.unwrap_or(1);
    let of_runs = [
        ("number of runs", wanted.to_string()),
        ("seed", options.seed.to_string()),
        ("set of odds and limits", digest(&format!("{options:?}"))),
        ("list of what is collected", digest(&format!("{:?}", args.many.collect))),
        ("program that answers", digest(&format!("{:?}", args.answers))),
    ];
    let mut cluster = together::join(&member, &must_agree(scene, of_runs), interrupt)?;
    match count(&mut cluster, wanted, scene, (interrupt, done), work) {
        Ok(found) => {
            cluster.leave();
            member.wait_for_started();
            Ok(found)
        }
        Err(lost) => {
            cluster.give_up(&lost.to_string());
            Err(Failure::Ended(Exit::Lost, lost.to_string()))
        }
    }
}

/// Makes the runs of this process, and adds those of the others, which do the same.
fn count(
    cluster: &mut Cluster,
    wanted: u64,
    scene: &Scene,
    (interrupt, done): (&Interrupt, &AtomicU64),
    work: &(dyn Fn(Runs, &AtomicBool, &AtomicU64) -> Statistics + Sync),
) -> Result<Statistics, PeerLost> {
    let runs = Runs::share(wanted, cluster.own(), cluster.count());
    let made = cluster
        .work_apart(&|| interrupt.is_set(), done, |stop, own_done| work(runs, stop, own_done).to_bytes())?;
    let text = scene.source.text();
    let is_text = |start: u32, end: u32| text.get(start as usize..end as usize).is_some();
    let mut all = Statistics::default();
    for (process, bytes) in made.into_iter().enumerate() {
        let found = Statistics::from_bytes(&bytes, &scene.program)
            .filter(|found| found.places.keys().all(|(_, span)| is_text(span.start, span.end)))
            .ok_or_else(|| {
                PeerLost(format!("process {process} sent something that is no result of this scene"))
            })?;
        all.add(found);
    }
    Ok(all)
}
