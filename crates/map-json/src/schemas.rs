//! The JSON schemas of the outputs, compared with those checked in. `UPDATE_SCHEMAS=1` rewrites them.

use std::path::PathBuf;

use schemars::{JsonSchema, schema_for};

use crate::guard::{GuardLine, GuardRequest};
use crate::mapping::MappingFile;
use crate::record::LogRecord;
use crate::run::RunOutput;
use crate::{
    CheckOutput, ConformLine, ConformOutput, ReplayOutput, StatisticsOutput, SweepOutput, TestOutput,
    TraceOutput, VerifyOutput,
};

fn compare<T: JsonSchema>(name: &str) {
    let schema = schema_for!(T);
    let mut text = serde_json::to_string_pretty(&schema).unwrap();
    text.push('\n');
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(format!("{name}.json"));
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(checked_in, text, "{} is out of date: run the tests with UPDATE_SCHEMAS=1", path.display());
}

#[test]
fn schemas_are_checked_in() {
    compare::<CheckOutput>("check");
    compare::<ConformOutput>("conform");
    compare::<ConformLine>("conform-line");
    compare::<MappingFile>("mapping");
    compare::<LogRecord>("record");
    compare::<GuardRequest>("guard-request");
    compare::<GuardLine>("guard-reply");
    compare::<ReplayOutput>("replay");
    compare::<RunOutput>("run");
    compare::<StatisticsOutput>("statistics");
    compare::<SweepOutput>("sweep");
    compare::<TestOutput>("test");
    compare::<TraceOutput>("trace");
    compare::<VerifyOutput>("verify");
}
