//! The machine-readable outputs: plain structs whose JSON schemas are checked in under `docs/schemas`.
//!
//! The schemas contain the doc comments of fields and types, so rewriting one means regenerating them: run the tests of
//! this crate with `UPDATE_SCHEMAS=1`. Nothing here deals with arguments, files or terminals.

mod answer;
mod bounds;
mod check;
mod conform;
mod fingerprint;
pub mod guard;
pub mod guard_requests;
mod header;
pub mod junit;
#[cfg(test)]
#[allow(dead_code, reason = "only its schema is made")]
mod mapping;
#[cfg(test)]
#[allow(dead_code, reason = "only its schema is made")]
mod record;
mod replay;
mod run;
mod run_log;
pub mod sarif;
mod seed;
mod span;
mod statistics;
mod step;
mod sweep;
mod test;
mod text;
mod trace;
mod value;
mod verify;
mod word;

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "schemas are files")]
mod schemas;

pub use answer::guard::GuardTeller;
pub use bounds::{BoundsOutput, PlayerOutput, RoundsOutput};
pub use check::{CheckOutput, CheckedFile, DiagnosticOutput, EditOutput, FixOutput, LabelOutput};
pub use conform::{
    CONFORM_FORMAT, ConformAgent, ConformAnswers, ConformAsked, ConformBadLine, ConformBadLines,
    ConformBlame, ConformConversation, ConformDebt, ConformEnd, ConformGap, ConformLine, ConformMessage,
    ConformOutput, ConformPassedOver, ConformPlace, ConformRead, ConformReading, ConformSource,
    ConformStanding, ConformTimes, StandingState,
};
pub use fingerprint::fingerprint;
pub use header::{FORMAT, Header, Origin};
pub use replay::ReplayOutput;
pub use run::{
    AgentOutput, RunRest, UnansweredOutput, UnreadOutput, YesOutput, agents_at_the_end, unread_messages,
    yes_of,
};
pub use run_log::RunLog;
pub use seed::Seed;
pub use span::SpanOutput;
pub use statistics::{
    AnswersOutput, BinOutput, CutsOutput, EndOutput, EndPlace, FirstOutput, IntervalOutput, MeasureOutput,
    MeasuredValue, MeasuredWord, MessagesOutput, StatisticsOutput, StepsOutput, ViolationsOutput,
};
pub use step::{StepOutput, choice};
pub use sweep::{PointOutput, SweepOutput, SweptValue};
pub use test::{TestNotRun, TestOutput, TestResult, TestVerdict, UnreadableTest};
pub use text::{Stream, to_line, to_text};
pub use trace::TraceOutput;
pub use value::{value_from_json, value_to_json};
pub use verify::any::{
    AnyCostOutput, AnyNumberOutput, AnyOutput, AnyPropertyOutput, CostOfNumberOutput, HabitOutput,
    MailboxOutput, MethodOutput,
};
pub use verify::cost::{CostOutput, CostRangeOutput, RoleCostOutput};
pub use verify::judged::JudgedOutput;
pub use verify::limits::LimitsOutput;
pub use verify::property::{PropertyOutput, PropertyWord};
pub use verify::spin::{SpinOutput, SpinPropertyOutput};
pub use verify::unused::{
    AlternativeKind, AlternativeOutput, ClauseOutput, IdleAgent, OperationKind, OperationOutput,
    UnreadMessage, UnusedOutput,
};
pub use verify::verified::{EndlessOutput, GrownOutput, GrowthOutput, VerifiedOutput, ViolationOutput};
pub use verify::weather::{WeatherOutput, WeatherRow};
pub use verify::{RejectedOutput, Several, VerifyOutput, VerifyResult};
pub use word::{ClosedSet, Word};
