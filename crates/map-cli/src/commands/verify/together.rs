//! Several processes that search together: who they are, and the search itself.

use map_cluster::Cluster;
use map_flags::SearchArgs;
use map_session::{Engine, Scene};
use map_verify::{
    Limits, Options, Progress, PropertyOptions, PropertyReport, SearchResult, TogetherError,
    verify_properties_together, verify_together,
};

use super::args::{Args, TogetherArgs};
use super::task::Task;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::together;

/// This process as one of several.
pub(super) struct Member(map_cluster::Member);

impl Member {
    /// The process that the flags ask for; `None` if it searches alone. Starts the others if they are to run on this
    /// machine.
    ///
    /// # Errors
    /// What is wrong with the flags, or with a file.
    pub(super) fn from_flags(args: &Args) -> Result<Option<Self>, String> {
        let TogetherArgs { processes, hosts, peers } = &args.together;
        let flag = if processes.is_some() { "--processes" } else { "--hosts" };
        if (processes.is_some() || hosts.is_some()) && args.files.len() != 1 {
            return Err(format!("{flag} is for one file"));
        }
        Ok(peers.member((*processes, hosts.as_deref()), &args.files[0], &[])?.map(Self))
    }

    /// Meets the other processes.
    ///
    /// # Errors
    /// If they do not meet.
    pub(super) fn join(self, task: &Task<'_>, limits: &Limits) -> Result<Joined, Failure> {
        let cluster = together::join(&self.0, &must_agree(task, limits), task.interrupt)?;
        Ok(Joined { member: self.0, cluster: Some(cluster) })
    }
}

/// This process, connected with the others.
pub(super) struct Joined {
    member: map_cluster::Member,
    /// As long as no process is lost.
    cluster: Option<Cluster>,
}

impl Joined {
    fn with<T>(&mut self, work: impl FnOnce(&mut Cluster) -> Result<T, TogetherError>) -> Result<T, Failure> {
        let lost = |why: String| Failure::Ended(Exit::Lost, why);
        let mut cluster =
            self.cluster.take().ok_or_else(|| lost("the other processes are gone".to_owned()))?;
        let made = work(&mut cluster);
        if let Err(TogetherError::Lost(why)) = made {
            cluster.give_up(&why.to_string());
            return Err(lost(why.to_string()));
        }
        self.cluster = Some(cluster);
        made.map_err(|error| match error {
            // The others have the same.
            TogetherError::NotKept(why) => Failure::Usage("verify", format!("--resume: {why}")),
            TogetherError::Internal(error) => error.into(),
            TogetherError::Lost(why) => lost(why.to_string()),
        })
    }

    /// Ends well, when nothing is left to do together.
    pub(super) fn leave(self) {
        if let Some(cluster) = self.cluster {
            cluster.leave();
            self.member.wait_for_started();
        }
    }
}

impl Engine for Joined {
    type Error = Failure;

    fn search(
        &mut self,
        scene: &Scene,
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<SearchResult, Failure> {
        self.with(|cluster| verify_together(&scene.program, &scene.bounds, options, cluster, progress))
    }

    fn judge(
        &mut self,
        scene: &Scene,
        options: &PropertyOptions,
        progress: &mut dyn Progress,
    ) -> Result<PropertyReport, Failure> {
        let Scene { program, properties, bounds, .. } = scene;
        self.with(|cluster| {
            verify_properties_together(program, &properties.compiled, bounds, options, cluster, progress)
        })
    }
}

/// Whether several processes are to search.
pub(super) fn is_asked_for(args: &Args) -> bool {
    args.together.processes.is_some() || args.together.hosts.is_some()
}

/// Whether this process prints what is found, and writes the files that are asked for: of several the first one does.
pub(super) fn prints(args: &Args) -> bool {
    args.together.peers.prints()
}

/// What all processes have to agree on, by names that complete "process 1 has another ...".
fn must_agree(task: &Task<'_>, limits: &Limits) -> Vec<(String, String)> {
    let Args { search: SearchArgs { judge, limits: asked, reductions, .. }, properties_only, .. } = task.args;
    let reductions = (reductions.chosen(), asked.keep_going);
    let properties = (&task.loaded.properties.compiled, judge.fairness.fairness(), properties_only);
    let checkpoints = match &task.checkpoints {
        None => "none",
        Some(checkpoints) if checkpoints.borrow().resumes() => "--resume",
        Some(_) => "--checkpoint",
    };
    let of_search = [
        ("set of reductions", together::digest(&format!("{reductions:?}"))),
        ("set of properties", together::digest(&format!("{properties:?}"))),
        ("limit of states", limits.states.to_string()),
        ("use of checkpoints", checkpoints.to_owned()),
    ];
    together::must_agree(&task.scene, of_search)
}
