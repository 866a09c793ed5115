//! Flags about the scene: which one, its cast, and the bounds under which it is played.

use clap::{ArgAction, ValueEnum};
use map_check::{CastOverride, CheckOptions, FirstValue};
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::{Bounds, Network, Timeouts};
use map_session::{BoundSpec, Rounds};
use map_syntax::ast::{CastSubject, Scene};

use crate::values::{self, CastArg};

/// Which scene, and who plays it.
#[derive(clap::Args, Clone, Debug)]
pub struct SceneArgs {
    /// Which scene of a file with several; `map verify` takes several, and all if none is named
    #[arg(long = "scene", id = "scene", value_name = "NAME", action = ArgAction::Set, num_args = 1)]
    pub scenes: Vec<String>,

    /// How many agents play a role, such as bidder=3; may be repeated
    ///
    /// NAME is a role, or the name of an agent of which there are to be several. `map verify` takes a role with COUNT
    /// any, or 2..any: then it tries to prove the verdict for any number of its agents, two or more. With 1..5 it
    /// verifies the scene with each of these numbers, and prints a table.
    #[arg(long, value_name = "NAME=COUNT", value_delimiter = ',', value_parser = values::parse_cast_arg)]
    pub agents: Vec<CastArg>,

    /// Another first value of a cell, such as '%auctioneer@reserve=3'; may be repeated
    ///
    /// It holds for all agents of the role. A cell that begins with an integer takes an integer, and one with a domain
    /// takes one of its values.
    #[arg(long, value_name = "%ROLE@CELL=VALUE")]
    pub set: Vec<FirstValue>,
}

impl SceneArgs {
    /// The scene, the first of several; `None` if none is named.
    #[must_use]
    pub fn scene(&self) -> Option<&str> {
        self.scenes.first().map(String::as_str)
    }

    /// The options for the checker.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn to_options(&self) -> Result<CheckOptions, String> {
        let casts = self.casts()?;
        if let [first, _, ..] = casts.as_slice() {
            return Err(format!(
                "--agents: several casts are for `map verify` alone; give one number of agents, such as {}",
                first.name
            ));
        }
        match self.any()?.first() {
            None => Ok(self.with(0)),
            Some(Any { role, from }) => Err(format!(
                "--agents: any number is for `map verify` alone; give a number, such as {role}={}",
                from.max(&3)
            )),
        }
    }

    /// The roles of which there may be any number of agents, as the flags say.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn any(&self) -> Result<Vec<Any>, String> {
        for (index, cast) in self.agents.iter().enumerate() {
            if self.agents[..index].iter().any(|earlier| earlier.name() == cast.name()) {
                return Err(format!("--agents is given twice for {}: give one number", cast.name()));
            }
        }
        let any = self.agents.iter().filter_map(|cast| match cast {
            CastArg::Any { name, from } => Some(Any { role: name.clone(), from: *from }),
            CastArg::Exactly(_) | CastArg::Between { .. } => None,
        });
        Ok(any.collect())
    }

    /// The casts that the flags ask for one after the other, each with one number of agents where the flags have
    /// several; the numbers of the last role change fastest.
    ///
    /// # Errors
    /// If there are too many, or any number of agents of another role is asked for.
    pub fn casts(&self) -> Result<Vec<Cast>, String> {
        let mut casts = vec![Cast { args: Self { agents: Vec::new(), ..self.clone() }, name: String::new() }];
        for agents in &self.agents {
            let CastArg::Between { name, from, to } = agents else {
                casts.iter_mut().for_each(|cast| cast.args.agents.push(agents.clone()));
                continue;
            };
            let numbers = (to - from) as usize;
            if casts.len().saturating_mul(numbers.saturating_add(1)) > MAX_CASTS {
                return Err(format!("--agents asks for more than {MAX_CASTS} casts: give fewer numbers"));
            }
            let with = |cast: &Cast, count: u32| {
                let mut cast = cast.clone();
                let exactly = CastArg::Exactly(CastOverride { name: name.clone(), count: count.into() });
                let space = if cast.name.is_empty() { "" } else { "," };
                cast.name.push_str(&format!("{space}{exactly}"));
                cast.args.agents.push(exactly);
                cast
            };
            casts = casts.iter().flat_map(|cast| (*from..=*to).map(|count| with(cast, count))).collect();
        }
        match self.any()?.first() {
            Some(Any { role, .. }) if casts.len() > 1 => Err(format!(
                "--agents: any number of %{role} and several numbers of others cannot be asked for together; give one \
                 number for the others"
            )),
            _ => Ok(casts),
        }
    }

    /// The same, and those of which the casts of the file say so, unless the flags give another number.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn any_in(&self, source: &SourceFile) -> Result<Vec<Any>, String> {
        let mut all = self.any()?;
        let file = map_syntax::parse(source).file;
        let named = |scene: &&Scene| self.scene().is_none_or(|name| scene.name.text == name);
        let Some(scene) = file.scenes().find(named) else { return Ok(all) };
        for cast in file.casts().filter(|cast| cast.any) {
            let CastSubject::Role(role) = &cast.subject else { continue };
            let is_played = scene.clauses.iter().any(|clause| clause.role.text == role.text);
            let is_given = self.agents.iter().any(|it| it.name() == role.text);
            if is_played && !is_given {
                let from = u32::try_from(cast.count).unwrap_or(1).max(1);
                all.push(Any { role: role.text.clone(), from });
            }
        }
        Ok(all)
    }

    /// The flags with which any number of agents of one role is asked for. Any other role of which there may be any
    /// number has the least that the flags ask for, if it is more than 1; else that of the file.
    #[must_use]
    pub fn asking(&self, any: &Any) -> Self {
        let others = self.agents.iter().filter_map(|cast| match cast {
            CastArg::Exactly(_) => Some(cast.clone()),
            CastArg::Any { name, .. } if *name == any.role => None,
            CastArg::Any { from: 1, .. } => None,
            CastArg::Any { name, from } | CastArg::Between { name, from, .. } => {
                Some(CastArg::Exactly(CastOverride { name: name.clone(), count: i64::from(*from) }))
            }
        });
        let this = CastArg::Any { name: any.role.clone(), from: any.from };
        Self { agents: others.chain([this]).collect(), ..self.clone() }
    }

    /// The options for the checker, with so many agents of each role of which there may be any number, but at least the
    /// number asked for. Of several numbers it is the first.
    #[must_use]
    pub fn with_least(&self, least: u32) -> CheckOptions {
        let agents = self.agents.iter().map(|cast| match cast {
            CastArg::Exactly(cast) => cast.clone(),
            CastArg::Any { name, from } => {
                CastOverride { name: name.clone(), count: i64::from(*from.max(&least)) }
            }
            CastArg::Between { name, from, .. } => {
                CastOverride { name: name.clone(), count: i64::from(*from) }
            }
        });
        CheckOptions {
            scene: self.scene().map(str::to_owned),
            agents: agents.collect(),
            set: self.set.clone(),
        }
    }

    /// The options for the checker, with so many agents of the role of which there may be any number, if there is one.
    #[must_use]
    pub fn with(&self, count: u32) -> CheckOptions {
        let agents = self.agents.iter().map(|cast| match cast {
            CastArg::Exactly(cast) => cast.clone(),
            CastArg::Any { name, .. } => CastOverride { name: name.clone(), count: i64::from(count) },
            CastArg::Between { name, from, .. } => {
                CastOverride { name: name.clone(), count: i64::from(*from) }
            }
        });
        CheckOptions {
            scene: self.scene().map(str::to_owned),
            agents: agents.collect(),
            set: self.set.clone(),
        }
    }

    /// The same with this number of them.
    #[must_use]
    pub fn counting(&self, count: u32) -> Self {
        let CheckOptions { scene, agents, set } = self.with(count);
        Self {
            scenes: scene.into_iter().collect(),
            agents: agents.into_iter().map(CastArg::Exactly).collect(),
            set,
        }
    }
}

/// The most casts that flags may ask for.
const MAX_CASTS: usize = 100;

/// One of the casts that flags ask for.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The flags that ask for it alone.
    pub args: SceneArgs,
    /// What is its own, as in `bidder=2,seller=1`; empty if there is no other.
    pub name: String,
}

/// A role of which there may be any number of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Any {
    /// The role.
    pub role: String,
    /// The least number of its agents, at least 1.
    pub from: u32,
}

/// The bounds under which a scene is played.
#[derive(clap::Args, Clone, Debug)]
pub struct BoundArgs {
    /// The most calls that a thread may have open
    #[arg(long, value_name = "N", default_value_t = Bounds::USUAL.depth, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,

    /// The most calls that each agent makes, such as 3 or bidloop=3
    ///
    /// A number alone bounds all calls of an agent, CONSTANT=N those with that constant as first argument. May be
    /// repeated.
    #[arg(long, value_name = "N|CONSTANT=N", value_delimiter = ',', value_parser = values::parse_rounds)]
    pub rounds: Vec<Rounds>,

    /// The most messages in a mailbox; one more is a violation
    #[arg(long, value_name = "N", default_value_t = Bounds::USUAL.mailbox)]
    pub mailbox: u32,

    /// When a waiting agent's time can run out
    #[arg(long, value_enum, default_value_t = TimeoutsArg::Quiescent, value_name = "WHEN", help_heading = "Network")]
    pub timeouts: TimeoutsArg,

    /// What the network does, such as unordered or lossy:1,crash:1
    ///
    /// What the network does: instant, unordered, delayed (messages are under way for a while), lossy:K (up to K
    /// copies of messages are lost), crash:K (up to K agents stop for ever), or several with commas between
    #[arg(long, value_name = "KIND", default_value = "instant", help_heading = "Network")]
    pub network: Network,
}

/// `--timeouts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TimeoutsArg {
    /// When everybody is waiting: time is long compared with talking
    Quiescent,
    /// Whenever the agent itself is waiting: messages may be slow
    Any,
}

impl From<Timeouts> for TimeoutsArg {
    fn from(timeouts: Timeouts) -> Self {
        match timeouts {
            Timeouts::Quiescent => Self::Quiescent,
            Timeouts::Any => Self::Any,
        }
    }
}

impl TimeoutsArg {
    /// As the semantics knows it.
    #[must_use]
    pub const fn timeouts(self) -> Timeouts {
        match self {
            Self::Quiescent => Timeouts::Quiescent,
            Self::Any => Timeouts::Any,
        }
    }
}

impl BoundArgs {
    /// The bounds for a scene.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn resolve(&self, program: &Program) -> Result<Bounds, String> {
        let Self { depth, rounds, mailbox, timeouts, network } = self.clone();
        BoundSpec { depth, rounds, mailbox, timeouts: timeouts.timeouts(), network }.resolve(program)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CASTS, SceneArgs};
    use crate::values::parse_cast_arg;

    fn names(agents: &[&str]) -> Result<Vec<String>, String> {
        let agents = agents.iter().map(|it| parse_cast_arg(it).expect("it is right")).collect();
        let casts = SceneArgs { scenes: Vec::new(), agents, set: Vec::new() }.casts()?;
        // Each asks for itself alone, and for all roles.
        for cast in &casts {
            let alone = cast.args.casts().expect("it is one");
            assert!(alone.len() == 1 && alone[0].name.is_empty(), "{alone:?}");
            assert_eq!(cast.args.to_options().map(|it| it.agents.len()), Ok(cast.args.agents.len()));
        }
        Ok(casts.into_iter().map(|cast| cast.name).collect())
    }

    #[test]
    fn casts_are_every_combination() {
        assert_eq!(names(&["a=3", "b=1"]), Ok(vec![String::new()]));
        assert_eq!(
            names(&["a=1..2", "b=7", "c=0..1"]).unwrap(),
            ["a=1,c=0", "a=1,c=1", "a=2,c=0", "a=2,c=1"]
        );
    }

    #[test]
    fn there_are_not_too_many_casts() {
        assert_eq!(names(&["a=1..10", "b=1..10"]).map(|it| it.len()), Ok(MAX_CASTS));
        assert!(names(&["a=1..10", "b=0..10"]).is_err());
        assert!(names(&["a=0..4294967295", "b=0..4294967295"]).is_err());
        assert!(names(&["a=1..2", "b=any"]).is_err());
        assert!(names(&["a=1..2", "a=3"]).is_err());
    }
}
