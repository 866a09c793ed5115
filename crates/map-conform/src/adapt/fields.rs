//! Records by the places of their fields.

use serde_json::{Map, Value as Json, json};

use super::draft::{Draft, name, wrong};
use super::mapping::Mapping;
use super::places::{ArgumentNames, Arguments, Field, Places};
use crate::line::Fragment;
use crate::record::Fault;

/// The constant that stands for an argument that is absent.
const ABSENT: &str = "absent";

/// Why the mapping is not about a line; `None` if it is.
pub(super) fn other(mapping: &Mapping, line: &Json) -> Result<Option<String>, Fault> {
    for (pointer, values) in &mapping.only {
        let found = name(line.pointer(pointer), pointer)?;
        if !found.is_some_and(|value| values.contains(&value)) {
            let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            return Ok(Some(format!("{pointer} is not {}", values.join(" or "))));
        }
    }
    Ok(None)
}

/// The draft of a line without its keys.
pub(super) fn draft(mapping: &Mapping, places: &Places, line: &Json) -> Result<Draft, Fault> {
    let one = |field: Field| match first(line, places.of(field)) {
        None => Ok(None),
        found => name(found, field.name()),
    };
    let to = match first(line, places.of(Field::To)) {
        Some(Json::Array(names)) => {
            let names = names.iter().map(|it| name(Some(it), "to")).collect::<Result<Vec<_>, _>>()?;
            names.into_iter().flatten().collect()
        }
        one => name(one, "to")?.into_iter().collect(),
    };
    let event = one(Field::Event)?;
    let event = event.map(|it| mapping.events.get(&it).cloned().unwrap_or(it));
    let arrives = match event.as_deref() {
        None | Some("send") => false,
        Some("receive") => true,
        Some(other) => return Err(wrong(format!("{other:?} is no event: there are send and receive"))),
    };
    let performative = one(Field::Performative)?;
    Ok(Draft {
        time: first(line, places.of(Field::Time)).cloned(),
        arrives,
        id: one(Field::Id)?,
        conversation: one(Field::Conversation)?,
        from: one(Field::From)?,
        to,
        args: args(line, mapping.arguments(places, performative.as_deref()), &places.args)?,
        performative,
        same_as: one(Field::SameAs)?,
        ..Draft::default()
    })
}

/// What can be read of a line of which no draft can be made.
pub(super) fn fragment(places: &Places, line: &Json) -> Fragment {
    let read = |field: Field| name(first(line, places.of(field)), field.name());
    let to = match first(line, places.of(Field::To)) {
        Some(Json::Array(names)) => names.iter().map(|it| name(Some(it), "to").ok().flatten()).collect(),
        _ => read(Field::To).ok().flatten().map(|name| vec![name]),
    };
    let names = read(Field::From).ok().flatten().zip(to).map(|(from, to)| [vec![from], to].concat());
    // What answers, or is joined to another, has its conversation from an earlier line.
    let is_named_here = places.of(Field::Recall).is_empty() && places.of(Field::SameAs).is_empty();
    let conversation = match read(Field::Conversation) {
        Ok(None) if is_named_here => Some(String::new()),
        read => read.ok().flatten(),
    };
    Fragment { conversation, names: names.unwrap_or_default() }
}

/// The first that the line has.
fn first<'a>(line: &'a Json, pointers: &[String]) -> Option<&'a Json> {
    pointers.iter().filter_map(|it| line.pointer(it)).find(|it| !it.is_null())
}

/// A key, all parts of which must be there.
pub(super) fn key(line: &Json, places: &Places, field: Field) -> Result<Option<String>, Fault> {
    let mut parts = Vec::new();
    for pointer in places.of(field) {
        match name(line.pointer(pointer), pointer)? {
            Some(part) => parts.push(part),
            None => return Ok(None),
        }
    }
    Ok((!parts.is_empty()).then(|| parts.join(" ")))
}

/// The arguments of a line.
fn args(line: &Json, places: &Arguments, together: &Arguments) -> Result<Vec<Json>, Fault> {
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
        Arguments::Named(names) => {
            let object = match together {
                Arguments::Together(pointer) => line.pointer(pointer),
                Arguments::Each(_) | Arguments::Named(_) => None,
            };
            by_name(names, object.and_then(Json::as_object))
        }
    }
}

/// The arguments of a message, as a mapping says, beside an adapter; `line` is all of the line.
pub(super) fn rearranged(draft: &Draft, places: &Arguments, line: &Json) -> Result<Vec<Json>, Fault> {
    match places {
        Arguments::Named(names) => by_name(names, draft.named.as_ref()),
        Arguments::Together(_) | Arguments::Each(_) => args(line, places, places),
    }
}

/// Arguments that have names, in the order of the file.
fn by_name(names: &ArgumentNames, object: Option<&Map<String, Json>>) -> Result<Vec<Json>, Fault> {
    let object = object.ok_or_else(|| wrong("the arguments have no names: they are no object"))?;
    let stranger = object.keys().find(|it| !names.drops_others && !names.names.contains(it));
    if let Some(stranger) = stranger {
        return Err(wrong(format!("the mapping does not list the argument {stranger:?}")));
    }
    let value = |name: &String| match object.get(name) {
        Some(value) => Ok(value.clone()),
        None if names.optional.contains(name) => Ok(json!({ "constant": ABSENT })),
        None => Err(wrong(format!("the argument {name:?} is absent, and the mapping has it as needed"))),
    };
    names.names.iter().map(value).collect()
}
