//! Name resolution, the cast, and the static rules of MAP (language reference, "Static meaning").

mod checked;

pub use checked::{
    AgentInfo, CastOverride, CheckOptions, Checked, ClauseInfo, Occurrence, PartInfo, ProcedureInfo,
};
