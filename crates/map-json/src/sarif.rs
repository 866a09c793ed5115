//! Diagnostics as a SARIF 2.1.0 log: the part of the format that diagnostics need.

use std::path::{Path, PathBuf};

use map_diagnostics::{Code, Diagnostic, ExaminedFile, Label, SourceFile, Span};
use serde::Serialize;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log file.
#[derive(Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<ResultObject>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    /// The codes that occur, in order.
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// Lines and columns from 1, the end exclusive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// The log of one invocation; `path` gives the path of a file.
#[must_use]
pub fn log(files: &[ExaminedFile], path: impl Fn(&SourceFile) -> PathBuf) -> Log {
    let all = files.iter().flat_map(|file| &file.diagnostics);
    let mut codes: Vec<Code> = all.map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results = files.iter().flat_map(|ExaminedFile { source, diagnostics }| {
        let (uri, codes) = (uri(&path(source)), &codes);
        diagnostics.iter().map(move |diagnostic| result(source, &uri, diagnostic, codes))
    });
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            column_kind: "unicodeCodePoints",
            results: results.collect(),
            tool: Tool {
                driver: Driver {
                    name: "map",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: codes.iter().map(|&code| rule(code)).collect(),
                },
            },
        }],
    }
}

fn rule(code: Code) -> Rule {
    let page = code.explanation();
    Rule {
        id: code.as_str(),
        short_description: Message { text: code.title().to_owned() },
        help: Help { text: page, markdown: page },
        default_configuration: Configuration { level: code.severity().word() },
    }
}

fn result(source: &SourceFile, uri: &str, diagnostic: &Diagnostic, codes: &[Code]) -> ResultObject {
    let (primary, secondary): (Vec<&Label>, Vec<&Label>) =
        diagnostic.labels.iter().partition(|label| label.primary);
    let mut locations: Vec<Location> =
        primary.iter().map(|label| Location::of_label(source, uri, label, None)).collect();
    if locations.is_empty() {
        locations.push(Location::new(uri.to_owned(), None));
    }
    let related = secondary.iter().enumerate();
    ResultObject {
        rule_id: diagnostic.code.as_str(),
        rule_index: codes.partition_point(|&code| code < diagnostic.code),
        level: diagnostic.severity().word(),
        message: Message { text: message(diagnostic) },
        locations,
        related_locations: related
            .map(|(index, label)| Location::of_label(source, uri, label, Some(index + 1)))
            .collect(),
    }
}

fn message(diagnostic: &Diagnostic) -> String {
    let mut lines = vec![diagnostic.text.clone()];
    lines.extend(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(diagnostic.help.iter().map(|help| format!("help: {help}")));
    lines.join("\n")
}

impl Location {
    fn new(uri: String, region: Option<Region>) -> Self {
        let physical_location = PhysicalLocation { artifact_location: ArtifactLocation { uri }, region };
        Self { id: None, physical_location, message: None }
    }

    fn of_label(source: &SourceFile, uri: &str, label: &Label, id: Option<usize>) -> Self {
        let message = (!label.text.is_empty()).then(|| Message { text: label.text.clone() });
        Self { id, message, ..Self::new(uri.to_owned(), Some(Region::new(source, label.span))) }
    }
}

impl Region {
    fn new(source: &SourceFile, span: Span) -> Self {
        let (start, end) = (source.position(span.start), source.position(span.end));
        Self {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// A path as a URI: relative if it is, and with every other than the plainest characters escaped.
fn uri(path: &Path) -> String {
    let mut path = path.as_os_str().as_encoded_bytes().to_vec();
    if cfg!(windows) {
        path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    }
    let mut uri = match path[..] {
        [b'/', ..] => "file://".to_owned(),
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() && cfg!(windows) => "file:///".to_owned(),
        _ => String::new(),
    };
    for byte in path {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::uri;

    #[test]
    fn paths_as_uris() {
        let uri = |path: &str| uri(Path::new(path));
        assert_eq!(uri("a/b.map"), "a/b.map");
        assert_eq!(uri("my file: 50%.map"), "my%20file%3A%2050%25.map");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        assert_eq!(uri("/tmp/ä.map"), "file:///tmp/%C3%A4.map");
    }
}
