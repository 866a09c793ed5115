//! Records by the JSON pointers of a mapping.

use serde_json::Value as Json;

use super::draft::{Draft, name, wrong};
use super::mapping::{Arguments, Fields, Mapping};
use crate::record::Fault;

/// The draft of a line; nothing if the mapping is not about it.
pub(super) fn draft(mapping: &Mapping, fields: &Fields, line: &Json) -> Result<Option<Draft>, Fault> {
    for (pointer, values) in &mapping.only {
        let found = name(line.pointer(pointer), pointer)?;
        if !found.is_some_and(|it| values.contains(&it)) {
            return Ok(None);
        }
    }
    let one = |pointers: &[String], what: &str| match first(line, pointers) {
        None => Ok(None),
        found => name(found, what),
    };
    let to = match first(line, &fields.to) {
        Some(Json::Array(names)) => {
            let names = names.iter().map(|it| name(Some(it), "to")).collect::<Result<Vec<_>, _>>()?;
            names.into_iter().flatten().collect()
        }
        one => name(one, "to")?.into_iter().collect(),
    };
    let event = one(&fields.event, "event")?;
    let event = event.map(|it| mapping.events.get(&it).cloned().unwrap_or(it));
    let arrives = match event.as_deref() {
        None | Some("send") => false,
        Some("receive") => true,
        Some(other) => return Err(wrong(format!("{other:?} is no event: there are send and receive"))),
    };
    let performative = one(&fields.performative, "performative")?;
    let mut draft = Draft {
        time: first(line, &fields.time).cloned(),
        arrives,
        id: one(&fields.id, "id")?,
        conversation: one(&fields.conversation, "conversation")?,
        from: one(&fields.from, "from")?,
        to,
        args: args(line, mapping.arguments(fields, performative.as_deref()))?,
        performative,
        remember: None,
        recall: None,
        is_other: false,
        same_as: one(&fields.same_as, "same_as")?,
    };
    // A line that names both sides is no answer: so one pointer serves for both keys.
    if draft.from.is_some() && !draft.to.is_empty() {
        draft.remember = key(line, &fields.remember)?;
    } else {
        draft.recall = key(line, &fields.recall)?;
    }
    Ok(Some(draft))
}

/// The first that the line has.
fn first<'a>(line: &'a Json, pointers: &[String]) -> Option<&'a Json> {
    pointers.iter().filter_map(|it| line.pointer(it)).find(|it| !it.is_null())
}

/// The parts of a key, all of which must be there.
fn key(line: &Json, pointers: &[String]) -> Result<Option<String>, Fault> {
    let mut parts = Vec::new();
    for pointer in pointers {
        match name(line.pointer(pointer), pointer)? {
            Some(part) => parts.push(part),
            None => return Ok(None),
        }
    }
    Ok((!parts.is_empty()).then(|| parts.join(" ")))
}

/// The arguments of a line.
fn args(line: &Json, places: &Arguments) -> Result<Vec<Json>, Fault> {
    let found = |pointer: &String| line.pointer(pointer).filter(|it| !it.is_null()).cloned();
    match places {
        Arguments::Together(pointer) => Ok(match found(pointer) {
            None => Vec::new(),
            Some(Json::Array(all)) => all,
            Some(one) => vec![one],
        }),
        Arguments::Each(pointers) => {
            let needed = |it| found(it).ok_or_else(|| wrong(format!("the line has no argument at {it:?}")));
            pointers.iter().map(needed).collect()
        }
    }
}
