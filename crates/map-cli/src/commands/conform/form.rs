//! The form of the logs: `--from` and `--mapping`.

use std::sync::Arc;

use map_conform::{Form, MAX_MAPPING, Mapping, MappingError, Origin, TimeUnit};
use map_diagnostics::{Code, SourceFile};
use map_doors::files::is_inside;
use map_doors::filtering_elsewhere;
use map_ir::Program;

use super::Args;
use super::args::FromArg;
use crate::failure::{Failure, diagnostic_at};
use crate::input::read_source_up_to;

/// The form of the logs, with the text of the mapping and its filter.
///
/// # Errors
/// What is wrong with the flags, or with these texts.
pub(super) fn read(args: &Args, program: &Program) -> Result<(Form, String), Failure> {
    let origin = match args.from {
        None => Origin::Native,
        Some(FromArg::A2a) => Origin::A2a,
        Some(FromArg::Mcp) => Origin::Mcp,
        Some(FromArg::Autogen) => Origin::Autogen,
        Some(FromArg::FipaAcl) => Origin::FipaAcl,
        Some(FromArg::Otel) => Origin::Otel,
        Some(FromArg::Guard) => Origin::Guard,
    };
    if origin == Origin::Otel && args.follow {
        let text =
            "--from otel needs whole logs: spans are written when they end, and sorted by time".to_owned();
        return Err(Failure::Usage("conform", text));
    }
    let time_unit = args.time_unit.map(TimeUnit::from);
    let Some(path) = &args.mapping else {
        return Ok((Form { origin, mapping: None, time_unit }, String::new()));
    };
    let source = read_source_up_to(path, MAX_MAPPING)?;
    let mapping = Mapping::parse(source.text()).map_err(|error| refused(&source, vec![error]))?;
    let strangers = mapping.cast().strangers(program).into_iter();
    let strangers: Vec<_> = strangers.map(|(span, text)| MappingError { span, text, help: None }).collect();
    let strangers: Vec<_> = strangers.into_iter().chain(mapping.answers(program).err()).collect();
    if !strangers.is_empty() {
        return Err(refused(&source, strangers));
    }
    if origin == Origin::FipaAcl {
        let lacking = mapping.cast().without_platform().into_iter();
        let help = || Some("write the whole name, such as name@host:1099/JADE".to_owned());
        let lacking: Vec<_> = lacking.map(|(span, text)| MappingError { span, text, help: help() }).collect();
        if !lacking.is_empty() {
            return Err(refused(&source, lacking));
        }
    }
    if origin == Origin::FipaAcl && mapping.looks_into_lines() {
        let text = "messages of FIPA ACL are no JSON: a mapping says nothing of only, args or events then";
        return Err(Failure::Usage("conform", text.to_owned()));
    }
    if origin != Origin::Native && mapping.has_fields() {
        let text =
            "--from tells where the fields stand, so the mapping may not have a table of fields".to_owned();
        return Err(Failure::Usage("conform", text));
    }
    let Some((file, span)) = mapping.filter_file().map(|(file, span)| (file.to_owned(), span)) else {
        let text = source.text().to_owned();
        return Ok((Form { origin, mapping: Some(Arc::new(mapping)), time_unit }, text));
    };
    let (file, place) = (file.as_str(), span.clone());
    if !cfg!(feature = "jq") {
        let text = "this build of map has no filters".to_owned();
        let help = Some("they come with the feature jq: cargo install --locked --profile dist --path crates/map-cli --features jq".to_owned());
        return Err(refused(&source, vec![MappingError { span, text, help }]));
    }
    // A name is relative to where the mapping is, and does not lead out of there.
    let folder = path.with_file_name("");
    if !is_inside(&folder, &folder.join(file)) {
        let text = format!("{file:?} is not inside the folder of the mapping");
        let help = Some("keep the filter beside the mapping".to_owned());
        return Err(refused(&source, vec![MappingError { span, text, help }]));
    }
    let filter = read_source_up_to(&folder.join(file), MAX_MAPPING)?;
    let mapping = mapping.with_filter(filter.text()).map_err(|errors| {
        // What is in the file is not shown: it may be no filter at all.
        let told = errors.into_iter().map(|MappingError { span, text, .. }| {
            let at = filter.position(u32::try_from(span.start).unwrap_or(0));
            let text = format!("{file}:{}:{}: {text}", at.line, at.column);
            MappingError { span: place.clone(), text, help: None }
        });
        refused(&source, told.collect())
    })?;
    let mapping = mapping.with_filter_run_by(filtering_elsewhere(filter.text()));
    let text = format!("{}\n{}", source.text(), filter.text());
    Ok((Form { origin, mapping: Some(Arc::new(mapping)), time_unit }, text))
}

/// What is wrong with a mapping or its filter.
fn refused(source: &SourceFile, errors: Vec<MappingError>) -> Failure {
    let diagnostic =
        |MappingError { span, text, help }| diagnostic_at(source, Code::ConformMapping, (span, text, help));
    Failure::Refused(vec![(source.clone(), errors.into_iter().map(diagnostic).collect())])
}
