//! Flags about the search: which properties are judged, its limits and its reductions.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use map_diagnostics::SourceFile;
use map_session::{Collect, Compilation, PropertySelection, SearchLimits, Verify, compile};
use map_verify::{Fairness, Reductions};

use crate::scene::{BoundArgs, SceneArgs};
use crate::values::{parse_bytes, parse_duration};

/// Everything that a verification depends on besides the text.
#[derive(clap::Args, Clone, Debug)]
pub struct SearchArgs {
    /// Which scene, and its cast.
    #[command(flatten, next_help_heading = "Scene")]
    pub scene: SceneArgs,
    /// The bounds.
    #[command(flatten, next_help_heading = "Bounds")]
    pub bounds: BoundArgs,
    /// What is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// How far to search.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Which reductions to use.
    #[command(flatten, next_help_heading = "Reductions")]
    pub reductions: ReductionArgs,
}

impl SearchArgs {
    /// The text with the cast of the flags, and the properties that they ask for.
    ///
    /// # Errors
    /// If they ask for several casts, or for any number of agents.
    pub fn compile(&self, source: &Arc<SourceFile>) -> Result<Compilation, String> {
        Ok(compile(source, &self.scene.to_options()?, self.judge.wanted()))
    }

    /// What is asked of a scene.
    #[must_use]
    pub fn question(&self, limits: SearchLimits) -> Verify {
        Verify {
            limits,
            keep_going: self.limits.keep_going,
            reductions: self.reductions.chosen(),
            self_check: self.reductions.self_check,
            fairness: self.judge.fairness.fairness(),
        }
    }
}

/// What is judged besides termination.
#[derive(clap::Args, Clone, Debug)]
pub struct JudgeArgs {
    /// Judge only this property of the file; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Properties")]
    pub only: Vec<String>,

    /// Judge termination only
    #[arg(long, conflicts_with_all = ["only", "properties"], help_heading = "Properties")]
    pub no_properties: bool,

    /// Judge this formula, too; may be repeated
    ///
    /// A formula such as 'always mailbox(!Clerk) <= 3'. One that is wrong ends the command before any search.
    #[arg(long = "property", value_name = "FORMULA", help_heading = "Properties")]
    pub properties: Vec<String>,

    /// Say what dialogues come to at most and at least in these, too; may be repeated
    ///
    /// `steps` of agents, copies of `messages` that are sent, calls (`rounds`), and measures of the file that are sums
    /// of costs, counts and totals. The costs that the file declares are told in any case.
    #[arg(long, value_name = "NAME", help_heading = "Properties")]
    #[arg(conflicts_with = "no_properties")]
    pub collect: Vec<String>,

    /// The runs in which properties have to hold
    ///
    /// There is no strong fairness to each agent: fair runs are strongly fair, and more.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = FairnessArg::Fair, help_heading = "Properties")]
    pub fairness: FairnessArg,
}

impl JudgeArgs {
    /// The properties that are judged.
    #[must_use]
    pub fn wanted(&self) -> PropertySelection<'_> {
        match self.no_properties {
            true => PropertySelection::Nothing,
            false => {
                let collect = Collect { given: &self.collect, declared: false };
                PropertySelection::Properties { only: &self.only, given: &self.properties, collect }
            }
        }
    }
}

/// How far to search.
#[derive(clap::Args, Clone, Debug)]
pub struct LimitArgs {
    /// Search on after a violation
    ///
    /// Finds a shortest trace of every kind of violation, and livelocks.
    #[arg(long, help_heading = "Limits")]
    pub keep_going: bool,

    /// Give up after that many states
    ///
    /// The default is any number, and 2,000,000 for each search of --weather.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Give up when more memory is needed; the default is 3/4 of what the machine has
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub max_memory: Option<u64>,

    /// Give up after that time, such as 30s, 5m or 2h
    ///
    /// Several files, and the searches of --weather, share it.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub time_limit: Option<Duration>,

    /// How many threads search; the default is one for each core
    ///
    /// At most 256. The result does not depend on it.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub threads: Option<NonZeroUsize>,
}

/// `--fairness`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FairnessArg {
    /// Runs drawn by lot: they do not for ever avoid what they could do
    Fair,
    /// Runs that leave no agent out for ever that always has a step
    Weak,
    /// All infinite runs
    None,
}

impl FairnessArg {
    /// As the verifier knows it.
    #[must_use]
    pub const fn fairness(self) -> Fairness {
        match self {
            Self::Fair => Fairness::Fair,
            Self::Weak => Fairness::Weak,
            Self::None => Fairness::None,
        }
    }
}

/// Which reductions to use.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct ReductionArgs {
    /// Which reductions to use
    ///
    /// With none, states and transitions are those of the plain semantics.
    #[arg(long, value_enum, default_value_t = Which::All, value_name = "WHICH")]
    pub reductions: Which,

    /// Keep values that cannot matter
    #[arg(long, hide_short_help = true)]
    pub no_slicing: bool,

    /// Tell interchangeable agents apart
    #[arg(long, hide_short_help = true)]
    pub no_symmetry: bool,

    /// Explore every order of steps that commute
    #[arg(long, hide_short_help = true)]
    pub no_partial_order: bool,

    /// Keep every state between steps that need no other order
    #[arg(long, hide_short_help = true)]
    pub no_merging: bool,

    /// Check the reductions on every state visited; slow
    #[arg(long, hide_short_help = true)]
    pub self_check: bool,
}

/// `--reductions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// All that are proven for the bounds
    All,
    /// None of them
    None,
}

impl ReductionArgs {
    /// As the verifier knows them.
    #[must_use]
    pub fn chosen(self) -> Reductions {
        let Self { reductions, no_slicing, no_symmetry, no_partial_order, no_merging, self_check: _ } = self;
        let all = reductions == Which::All;
        Reductions {
            slicing: all && !no_slicing,
            symmetry: all && !no_symmetry,
            partial_order: all && !no_partial_order,
            merging: all && !no_merging,
        }
    }
}
