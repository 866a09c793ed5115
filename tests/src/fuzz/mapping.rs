//! What must hold of a mapping and of the lines that it reads.

use std::sync::Arc;

use map_conform::{Adapter, Form, Mapping, MappingError, Origin, Records};
use map_diagnostics::{Code, Diagnostic, SourceFile, Span, render};

use super::mappings::BETWEEN;
use crate::front_end::Stage;

/// The maximum number of records that a line has.
const MAX_RECORDS: usize = 1_024;

/// Complaints about the mapping and its filter can be drawn; reading lines twice gives the same records, not too many.
///
/// # Errors
/// If one of this does not hold.
pub(super) fn holds(text: &str) -> Result<Stage, String> {
    let mut parts = text.splitn(3, BETWEEN);
    let mut part = || parts.next().unwrap_or_default();
    let (mapping, filter, lines) = (part(), part(), part());
    let read = Mapping::parse(mapping).map_err(|error| draw(mapping, &[error]));
    let read = read.and_then(|it| it.with_filter(filter).map_err(|errors| draw(filter, &errors)));
    let mapping = match read {
        Ok(mapping) => Arc::new(mapping),
        Err(drawn) => return drawn.map(|()| Stage::Refused),
    };
    let origins: &[Origin] = match mapping.has_fields() {
        true => &[Origin::Native],
        false => &[Origin::Native, Origin::A2a, Origin::Mcp, Origin::Autogen, Origin::FipaAcl, Origin::Otel],
    };
    let mut some = false;
    for &origin in origins {
        let form = Form { origin, mapping: Some(Arc::clone(&mapping)), time_unit: None };
        let records = records(&form, lines)?;
        if records != self::records(&form, lines)? {
            return Err(format!("{origin:?}: other records the second time"));
        }
        some |= records.iter().any(|(_, line)| line.record().is_some());
    }
    Ok(if some { Stage::Compiled } else { Stage::Formatted })
}

fn records(form: &Form, lines: &str) -> Result<Records, String> {
    let (mut adapter, mut records) = (Adapter::new(form), Records::new());
    for (number, line) in lines.lines().enumerate() {
        let before = records.len();
        adapter.line(number as u64 + 1, line.as_bytes(), &mut records);
        if records.len() - before > MAX_RECORDS {
            return Err(format!("line {number} has too many records"));
        }
    }
    adapter.end(&mut records);
    let is_named = |it: &map_conform::Record| !it.from.is_empty() && !it.to.is_empty();
    match records.iter().filter_map(|(_, line)| line.record()).all(is_named) {
        true => Ok(records),
        false => Err("a record without a name".to_owned()),
    }
}

fn draw(text: &str, errors: &[MappingError]) -> Result<(), String> {
    let source = SourceFile::new("fuzz.toml", text);
    for MappingError { span, text: what, .. } in errors.iter().take(3) {
        if text.get(span.clone()).is_none() {
            return Err(format!("{span:?} is not in the text: {what}"));
        }
        let span = Span::new(span.start as u32, span.end as u32);
        let _ = render(&source, &Diagnostic::new(Code::ConformMapping, span, what.clone(), ""));
    }
    Ok(())
}
