//! The languages of pictures, chosen by `--as` or by the name of the file to be written.

use std::path::Path;

use clap::ValueEnum;

use map_doors::shown;

use crate::input::is_stdin;

/// `--as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Picture {
    /// For Graphviz
    Dot,
    /// For Mermaid, which many web pages understand
    Mermaid,
    /// In characters
    Text,
    /// For PlantUML
    Plantuml,
    /// As a picture
    Svg,
    /// As a page
    Html,
}

/// The endings of file names, each with what is in such a file.
const ENDINGS: [(&str, Picture); 11] = [
    ("txt", Picture::Text),
    ("dot", Picture::Dot),
    ("gv", Picture::Dot),
    ("mmd", Picture::Mermaid),
    ("mermaid", Picture::Mermaid),
    ("puml", Picture::Plantuml),
    ("plantuml", Picture::Plantuml),
    ("pu", Picture::Plantuml),
    ("svg", Picture::Svg),
    ("html", Picture::Html),
    ("htm", Picture::Html),
];

/// What the command line says about the language.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    /// `--as`.
    given: Option<Picture>,
    /// What the name of the output says.
    named: Option<Picture>,
}

impl Chosen {
    /// Refuses names of which the ending means nothing, unless `--as` says what is meant. Names without one say
    /// nothing.
    pub(super) fn new(given: Option<Picture>, output: &Path) -> Result<Self, String> {
        let ending = if is_stdin(output) { None } else { output.extension() };
        let named = ending.and_then(|it| of_ending(&it.to_string_lossy()));
        match ending {
            Some(_) if named.is_none() && given.is_none() => Err(format!(
                "--output {}: pictures end in {}; otherwise say what it is with --as",
                shown(output),
                ENDINGS.map(|(ending, _)| format!(".{ending}")).join(", ")
            )),
            _ => Ok(Self { given, named }),
        }
    }

    /// The language chosen, or this one.
    pub(super) fn or(self, usual: Picture) -> Picture {
        self.given.or(self.named).unwrap_or(usual)
    }

    /// A warning if the file is not what its name says.
    pub(super) fn contradiction(self, output: &Path) -> Option<String> {
        let (given, named) = (self.given?, self.named?);
        (given != named).then(|| {
            let name =
                |it: Picture| it.to_possible_value().map_or(String::new(), |it| it.get_name().to_owned());
            let (given, named) = (name(given), name(named));
            format!("warning: {} is written as {given}, though its name says {named}\n", shown(output))
        })
    }
}

fn of_ending(ending: &str) -> Option<Picture> {
    let known = ENDINGS.into_iter().find(|(it, _)| it.eq_ignore_ascii_case(ending));
    known.map(|(_, picture)| picture)
}
