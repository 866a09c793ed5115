//! The front door: a text becomes a [`Scene`], a question is asked of it, and an answer of plain data comes back.
//!
//! The command line, the language server and the server for models ask here, and so can any other program. Nothing here
//! deals with flags, files, terminals, clocks or formats: whoever asks watches the search ([`Watch`]), and shows the
//! answer.
//!
//! - [`compile`] makes a [`Compilation`] of a text: diagnostics, or a program with its properties; with bounds
//!   ([`BoundSpec`]) it is a [`Scene`].
//! - [`Verify`] asks whether every dialogue of a scene ends, and judges its properties: [`Verification`].
//! - [`AnyNumber`] asks the same for any number of agents of a role: [`AnyAnswer`].
//! - [`Simulate`] plays a run at random: [`PlayedRun`]. In a [`Walk`] whoever asks chooses the steps, or a trace does.
//! - [`ManyRuns`] are the statistics of simulated runs, [`SweptRuns`] those of each point of a sweep.
//! - [`RunJudge`] judges the properties of a single run.
//! - [`StateGraph`] has every state of a small scene, or those around one.
//! - [`Scene::after`] is the scene after some steps: all of this can be asked from there.
//! - [`stuck_agents`] says which agents wait for what at the end of a run.
//! - [`WEATHERS`] are the networks under which a scene can be verified in turn ([`Scene::under`]);
//!   [`FaultSweep`] is what was found in all of them.

mod ahead;
mod answered;
mod any;
mod bounds;
mod compilation;
mod cost_set;
mod costs;
mod evidence;
mod fault_sweep;
mod figures;
mod later;
mod limits;
mod many_runs;
mod measures;
mod memory;
mod play;
mod properties;
mod run_judge;
mod scene;
mod standing;
mod state_graph;
mod stuck;
mod swept_runs;
mod verify;
mod walk;
mod watch;
mod weather;

pub use ahead::{LookAhead, Outlook, Prospect};
pub use answered::{PropertyAnswer, PropertyAnswers, PropertyViolation};
pub use map_check::{CastOverride, CheckOptions};
pub use map_compile::NotAdditive;
pub use map_diagnostics::{Diagnostic, SourceFile};

pub use any::costs::AnyCost;
pub use any::properties::{AnyProperty, AnyPropertyVerdict, ProofGap};
pub use any::words::{AnyPropertyWord, AnyVerdictWord};
pub use any::{AnyAnswer, AnyNumber, JudgedProperties};
pub use bounds::{BoundSpec, Rounds, is_called_with};
pub use compilation::{Compilation, PropertySelection, choose_one, compile, warnings};
pub use cost_set::CostSet;
pub use costs::{CostAnswer, CostAnswers};
pub use evidence::{Evidence, Shows, TakenStep, taken_steps};
pub use fault_sweep::{Fall, FaultSweep};
pub use figures::Figures;
pub use limits::{FixedLimits, SearchLimits, TimeLimit};
pub use many_runs::{ManyRuns, ViolatingRuns};
pub use measures::{Collect, MeasureSet};
pub use memory::{KeptStep, RunMemory};
pub use play::{PlayedRun, Simulate};
pub use properties::{PropertyEntry, PropertySet, PropertyState};
pub use run_judge::RunJudge;
pub use scene::Scene;
pub use standing::AgentStanding;
pub use state_graph::{Arrow, ArrowStep, GraphState, NoGraph, StateGraph, StateMark, Target, Way, Wrong};
pub use stuck::{Mismatch, PendingReceive, SenderState, StuckAgent, StuckThread, stuck_agents};
pub use swept_runs::{SweptPoint, SweptRuns, swept_columns};
pub use verify::{Engine, ThisProcess, Verification, Verify};
pub use walk::{Observer, Walk, enabled};
pub use watch::{NoWatch, Watch};
pub use weather::{WEATHERS, Weather};
