//! The form of the logs: `--from` and `--mapping`.

use std::sync::Arc;

use map_conform::{Form, MAX_MAPPING, Mapping, MappingError, Origin, TimeUnit};
use map_diagnostics::{Code, Diagnostic, SourceFile, Span};
use map_doors::files::is_inside;
use map_doors::filtering_elsewhere;
use map_ir::Program;

use super::Args;
use super::args::FromArg;
use crate::console::{Console, show_diagnostics};
use crate::failure::Failure;
use crate::input::{Unreadable, read_source_up_to};

/// The form of the logs, with the text of the mapping and its filter; `None` if what is wrong with it has been shown.
pub(super) fn read(
    args: &Args,
    program: &Program,
    console: &mut Console,
) -> Result<Option<(Form, String)>, Failure> {
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
        return Ok(Some((Form { origin, mapping: None, time_unit }, String::new())));
    };
    let source = match read_source_up_to(path, MAX_MAPPING) {
        Ok(source) => source,
        Err(unreadable) => {
            let Unreadable { source, diagnostic } = *unreadable;
            show_diagnostics(console, &source, &[diagnostic])?;
            return Ok(None);
        }
    };
    let mapping = match Mapping::parse(source.text()) {
        Ok(mapping) => mapping,
        Err(error) => return refuse(&source, vec![error], console),
    };
    let strangers = mapping.cast().strangers(program).into_iter();
    let strangers: Vec<_> = strangers.map(|(span, text)| MappingError { span, text, help: None }).collect();
    let strangers: Vec<_> = strangers.into_iter().chain(mapping.answers(program).err()).collect();
    if !strangers.is_empty() {
        return refuse(&source, strangers, console);
    }
    if origin == Origin::FipaAcl {
        let lacking = mapping.cast().without_platform().into_iter();
        let help = || Some("write the whole name, such as name@host:1099/JADE".to_owned());
        let lacking: Vec<_> = lacking.map(|(span, text)| MappingError { span, text, help: help() }).collect();
        if !lacking.is_empty() {
            return refuse(&source, lacking, console);
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
        return Ok(Some((Form { origin, mapping: Some(Arc::new(mapping)), time_unit }, text)));
    };
    let (file, place) = (file.as_str(), span.clone());
    if !cfg!(feature = "jq") {
        let text = "this build of map has no filters".to_owned();
        let help = Some("they come with the feature jq: cargo install --locked --profile dist --path crates/map-cli --features jq".to_owned());
        return refuse(&source, vec![MappingError { span, text, help }], console);
    }
    // A name is relative to where the mapping is, and does not lead out of there.
    let folder = path.with_file_name("");
    if !is_inside(&folder, &folder.join(file)) {
        let text = format!("{file:?} is not inside the folder of the mapping");
        let help = Some("keep the filter beside the mapping".to_owned());
        return refuse(&source, vec![MappingError { span, text, help }], console);
    }
    let filter = match read_source_up_to(&folder.join(file), MAX_MAPPING) {
        Ok(filter) => filter,
        Err(unreadable) => {
            let Unreadable { source, diagnostic } = *unreadable;
            show_diagnostics(console, &source, &[diagnostic])?;
            return Ok(None);
        }
    };
    match mapping.with_filter(filter.text()) {
        Ok(mapping) => {
            let mapping = mapping.with_filter_run_by(filtering_elsewhere(filter.text()));
            let text = format!("{}\n{}", source.text(), filter.text());
            Ok(Some((Form { origin, mapping: Some(Arc::new(mapping)), time_unit }, text)))
        }
        // What is in the file is not shown: it may be no filter at all.
        Err(errors) => {
            let told = errors.into_iter().map(|MappingError { span, text, .. }| {
                let at = filter.position(u32::try_from(span.start).unwrap_or(0));
                let text = format!("{file}:{}:{}: {text}", at.line, at.column);
                MappingError { span: place.clone(), text, help: None }
            });
            refuse(&source, told.collect(), console)
        }
    }
}

/// Shows what is wrong with a mapping or its filter.
fn refuse(
    source: &SourceFile,
    errors: Vec<MappingError>,
    console: &mut Console,
) -> Result<Option<(Form, String)>, Failure> {
    let diagnostics: Vec<_> = errors.into_iter().map(|it| diagnostic(source, it)).collect();
    show_diagnostics(console, source, &diagnostics)?;
    Ok(None)
}

fn diagnostic(source: &SourceFile, error: MappingError) -> Diagnostic {
    let MappingError { span, text, help } = error;
    // A mapping is far smaller than 4 GiB.
    let offset = |it: usize| u32::try_from(it.min(source.text().len())).unwrap_or(u32::MAX);
    let span = Span::new(offset(span.start), offset(span.end));
    let diagnostic = Diagnostic::new(Code::ConformMapping, span, text, "");
    help.into_iter().fold(diagnostic, Diagnostic::with_help)
}
