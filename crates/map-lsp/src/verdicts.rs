//! The verdicts that are known for a text, each with the state of the text that it is about.

use std::sync::Arc;

use map_explain::counted;

use crate::positions::Text;
use crate::search::{Finding, Found, Tone};

/// What can be verified: a scene with its properties, or one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// The scene; the first one of which the property can speak if it is not said.
    pub(crate) scene: Option<String>,
    pub(crate) property: Option<String>,
}

impl Subject {
    /// As in a title.
    pub(crate) fn words(&self) -> String {
        match self {
            Self { property: Some(property), .. } => format!("property {property}"),
            Self { scene: Some(scene), .. } => scene.clone(),
            Self { scene: None, property: None } => "the first scene".to_owned(),
        }
    }
}

/// A result with the text that it is about.
#[derive(Debug)]
struct Known {
    subject: Subject,
    text: Arc<Text>,
    found: Vec<Found>,
}

/// The results for a text, the newest last. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts(Vec<Arc<Known>>);

/// The verdict on a scene or a property under some flags.
pub(crate) struct Verdict<'v> {
    pub(crate) flags: &'v str,
    pub(crate) finding: &'v Finding,
    text: &'v Text,
    /// The rest of its title.
    besides: String,
}

impl Verdict<'_> {
    /// Whether it was found for this very text, perhaps before changes that were undone.
    pub(crate) fn is_about(&self, text: &Text) -> bool {
        std::ptr::eq(self.text, text) || self.text.as_str() == text.as_str()
    }

    /// In one line, for a text as it is now.
    pub(crate) fn title(&self, text: &Text) -> String {
        let stale = if self.is_about(text) { "" } else { "stale: " };
        let sign = match self.finding.tone {
            Tone::Good => "✓",
            Tone::Doubtful => "?",
            Tone::Bad => "✗",
        };
        let flags = if self.flags.is_empty() { String::new() } else { format!("  ({})", self.flags) };
        format!("{stale}{sign} {}{}{flags}", self.finding.words, self.besides)
    }
}

impl Verdicts {
    /// Keeps a result in place of an earlier one for the same subject.
    pub(crate) fn keep(&mut self, subject: &Subject, text: &Arc<Text>, found: Vec<Found>) {
        self.0.retain(|it| it.subject != *subject);
        self.0.push(Arc::new(Known { subject: subject.clone(), text: Arc::clone(text), found }));
    }

    /// The verdicts on the termination of a scene, one for each line of flags.
    pub(crate) fn of_scene<'v>(&'v self, scene: &str) -> Vec<Verdict<'v>> {
        let terminations = |known: &'v Arc<Known>| {
            let found = known.found.iter().filter(|found| found.scene == scene);
            let verdicts = found.filter_map(|found| {
                let states = found.states.map(|it| format!(", {}", counted(it as u64, "state")));
                let besides = format!("{}{}", states.unwrap_or_default(), properties(found));
                let finding = found.termination.as_ref()?;
                Some(Verdict { flags: &found.flags, finding, text: &known.text, besides })
            });
            verdicts.collect::<Vec<_>>()
        };
        self.0.iter().rev().map(terminations).find(|it| !it.is_empty()).unwrap_or_default()
    }

    /// The verdicts on a property.
    pub(crate) fn of_property<'v>(&'v self, property: &str) -> Vec<Verdict<'v>> {
        let answers = |known: &'v Arc<Known>| {
            let mut verdicts = Vec::new();
            for found in &known.found {
                for (_, finding) in found.properties.iter().filter(|(name, _)| name == property) {
                    let besides = String::new();
                    verdicts.push(Verdict { flags: &found.flags, finding, text: &known.text, besides });
                }
            }
            verdicts
        };
        self.0.iter().rev().map(answers).find(|it| !it.is_empty()).unwrap_or_default()
    }
}

/// How many properties hold, if there are any.
fn properties(found: &Found) -> String {
    let all = found.properties.len();
    let holding = found.properties.iter().filter(|(_, it)| it.tone == Tone::Good).count();
    match (all, holding) {
        (0, _) => String::new(),
        (1, 1) => ", the property holds".to_owned(),
        (_, _) if all == holding => format!(", all {all} properties hold"),
        _ => format!(
            ", {holding} of {} hold",
            counted(all as u64, "property").replace("propertys", "properties")
        ),
    }
}
