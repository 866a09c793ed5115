//! What an agent can read: the cheat sheet, the reference of the language, and the protocols of the library.

use map_diagnostics::escaped;
use map_library::{PROTOCOLS, version};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use crate::cheatsheet::CHEATSHEET;

const REFERENCE: &str = include_str!("../../../docs/book/src/reference.md");
const REFERENCE_URI: &str = "map://reference";
const CHEATSHEET_URI: &str = "map://cheatsheet";
const LIBRARY: &str = "map://library/";

/// The cheat sheet, the reference, and the correct version of each protocol.
pub(crate) fn all() -> Vec<Resource> {
    let reference = Resource::new(REFERENCE_URI, "reference")
        .with_description("The language MAP in full, with examples")
        .with_mime_type("text/markdown")
        .with_size(REFERENCE.len() as u64);
    let protocols = PROTOCOLS.iter().map(|protocol| {
        Resource::new(format!("{LIBRARY}{}", protocol.name), protocol.name)
            .with_description(protocol.about)
            .with_mime_type("text/plain")
    });
    let cheatsheet = Resource::new(CHEATSHEET_URI, "cheatsheet")
        .with_description("The language MAP in short: enough to write a protocol")
        .with_mime_type("text/markdown")
        .with_size(CHEATSHEET.len() as u64);
    [cheatsheet, reference].into_iter().chain(protocols).collect()
}

/// The other versions of a protocol.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let versions = ResourceTemplate::new(format!("{LIBRARY}{{protocol}}/{{version}}"), "version")
        .with_description(
            "Another version of a protocol, larger or with a defect; the tool `library` lists them",
        )
        .with_mime_type("text/plain");
    vec![versions]
}

/// # Errors
/// If there is no such resource.
pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri.strip_prefix(LIBRARY) {
        _ if uri == REFERENCE_URI => ResourceContents::text(REFERENCE, uri).with_mime_type("text/markdown"),
        _ if uri == CHEATSHEET_URI => ResourceContents::text(CHEATSHEET, uri).with_mime_type("text/markdown"),
        Some(name) if version(name).is_some() => {
            ResourceContents::text(version(name).map(map_library::Version::start).unwrap_or_default(), uri)
        }
        _ => {
            let what = format!("there is no resource `{}`", escaped(uri));
            return Err(ErrorData::resource_not_found(what, None));
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}
