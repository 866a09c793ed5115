//! What is known beforehand: the library of protocols, and the pages about diagnostics.

use map_diagnostics::Code;
use map_library::{PROTOCOLS, Version};
use serde::Serialize;

use crate::failure::{Answered, Failure};

#[derive(Serialize)]
pub(crate) struct ProtocolOutput {
    name: &'static str,
    about: &'static str,
    versions: Vec<VersionOutput>,
}

#[derive(Serialize)]
struct VersionOutput {
    name: &'static str,
    about: String,
    /// Whether it has a defect on purpose.
    slip: bool,
    /// With its `//@` lines.
    text: &'static str,
    /// Those of its first search.
    flags: &'static str,
}

/// All protocols, each with its correct version first.
pub(crate) fn library() -> Vec<ProtocolOutput> {
    let version = |version: &Version, slip: bool| VersionOutput {
        name: version.name,
        about: version.first_sentence(),
        slip,
        text: version.text,
        flags: version.flags(),
    };
    let protocols = PROTOCOLS.iter().map(|protocol| {
        let right = std::iter::once(&protocol.right).chain(protocol.larger);
        let right = right.map(|it| version(it, false));
        let slips = protocol.defective.iter().map(|it| version(it, true));
        ProtocolOutput { name: protocol.name, about: protocol.about, versions: right.chain(slips).collect() }
    });
    protocols.collect()
}

/// The page about a diagnostic.
///
/// # Errors
/// If there is no such code.
pub(crate) fn explain(code: &str) -> Answered {
    let known = Code::from_text(&code.to_ascii_uppercase());
    let known = known.ok_or_else(|| Failure::text(format!("there is no code {code:?}")))?;
    Ok(serde_json::json!({ "markdown": known.explanation() }))
}
