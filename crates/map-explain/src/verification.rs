//! What a verification found, in words: a line, in short, or everything.

mod brief;
pub mod costs;
mod denied;
mod full;
mod judged;
pub mod limits;
mod marks;
mod offers;
pub mod page;
pub mod properties;
mod several;
mod story;
mod table;

use map_diagnostics::Diagnostic;
use map_render::chart::shown::Drawing;
use map_session::{PropertyAnswer, Verification};
use map_verify::{PropertyVerdict, Verdict};

pub use self::denied::{DeniedFinding, denied};
pub use self::judged::{judged_in_full, judged_in_line, judged_in_short};
pub use self::marks::{mark_property, mark_verdict};
pub use self::offers::Offers;
use self::properties::PropertyTelling;
pub use self::several::{casts_in_short, weathers_in_full, weathers_in_short};
pub use self::table::Table;
use crate::{Namer, Role, Text, Tone, bounds, verdict};

/// How answers are presented.
pub struct Presentation<'a> {
    /// How runs are drawn; if charts are drawn in full, runs are told in full, too.
    pub drawing: Drawing,
    /// The columns of the terminal, if lines are to fit.
    pub width: Option<usize>,
    /// The number of lines that a text takes on the terminal.
    pub lines: &'a dyn Fn(&Text) -> usize,
    /// What is an error although it is no violation.
    pub denied: &'a [DeniedFinding],
    /// What to do about the verdict, if that was tried: a sentence without its full stop.
    pub advice: Option<&'a str>,
    /// Where there is more to be had.
    pub offers: &'a Offers,
    /// The warnings about the text, which may explain a violation.
    pub warnings: &'a dyn Fn() -> Vec<Diagnostic>,
}

/// A verification, and how it is presented.
#[derive(Clone, Copy)]
struct Telling<'a> {
    found: &'a Verification,
    how: &'a Presentation<'a>,
}

impl<'a> Telling<'a> {
    fn properties(self) -> PropertyTelling<'a> {
        PropertyTelling { found: &self.found.properties, how: self.how }
    }

    fn namer(self) -> Namer<'a> {
        Namer::new(&self.found.scene.source, &self.found.scene.program)
    }

    /// The file, the scene and the verdict.
    fn headline(self) -> Text {
        let mut text = self.properties().headed();
        text.append(verdict_text(self.found));
        text
    }
}

/// One line: the file and its verdicts.
#[must_use]
pub fn in_line(found: &Verification, how: &Presentation<'_>) -> Text {
    let telling = Telling { found, how };
    let mut text = telling.headline();
    text.push_str(&telling.properties().in_passing());
    text.append(denied::in_passing(found, how.denied));
    text.push_str("\n");
    text
}

/// What people need to know: headline, run, explanation, properties, what never happened, what the verdict depends on,
/// what to try, summary.
#[must_use]
pub fn in_short(found: &Verification, how: &Presentation<'_>) -> Text {
    Telling { found, how }.in_short()
}

/// Everything: headline, trace, explanation, chart, properties, what never happened, figures, bounds.
#[must_use]
pub fn in_full(found: &Verification, how: &Presentation<'_>) -> Text {
    Telling { found, how }.in_full()
}

/// The run of the verdict as a list of steps, and why it ends as it does; empty if there is none.
#[must_use]
pub fn run_in_words(found: &Verification, how: &Presentation<'_>) -> Text {
    let telling = Telling { found, how };
    let mut namer = telling.namer();
    let mut text = telling.trace(&mut namer);
    text.append(telling.explanation(&namer));
    text
}

/// The verdict with its qualifications: `terminates, within these bounds`.
#[must_use]
pub fn verdict_in_words(found: &Verification) -> String {
    let words = verdict::words(&found.report);
    match (found.report.verdict, bounds::absent_roles(&found.scene.program)) {
        (Verdict::Terminates | Verdict::TerminatesIfFair, Some(roles)) => format!("{words}, without {roles}"),
        _ => words,
    }
}

/// Whether the verdict is good news.
#[must_use]
pub fn tone(found: &Verification) -> Tone {
    match found.report.verdict {
        Verdict::Violated(_) => Tone::Bad,
        Verdict::Inconclusive => Tone::Doubtful,
        Verdict::Terminates | Verdict::TerminatesIfFair => Tone::Good,
    }
}

/// The verdict with its qualifications, and its tone.
#[must_use]
pub fn verdict_text(found: &Verification) -> Text {
    Text::of(Role::Verdict(tone(found)), verdict_in_words(found))
}

/// Whether the scene terminates, at least if fair, all its properties hold, and nothing of these kinds was found.
#[must_use]
pub fn is_well(found: &Verification, kinds: &[DeniedFinding]) -> bool {
    let holds = |answer: PropertyAnswer<'_>| match answer {
        PropertyAnswer::OfOtherScene => true,
        PropertyAnswer::Refused => false,
        PropertyAnswer::Judged(judged, _) => judged.verdict == PropertyVerdict::Holds,
    };
    tone(found) == Tone::Good
        && found.properties.iter().all(|(_, answer)| holds(answer))
        && denied(found, kinds).next().is_none()
}

/// The assumptions behind the verdicts.
#[must_use]
pub fn assumptions(found: &Verification) -> Vec<String> {
    let mut assumptions = properties::assumptions(&found.properties);
    if found.report.verdict == Verdict::TerminatesIfFair && found.report.compared {
        assumptions.push(
            "unknown values that are compared again and again do not come out one way for ever".to_owned(),
        );
    }
    if !found.shortest && found.violation().is_some() {
        assumptions.push(
            "the trace need not be a shortest one; a search of all orders of steps was too large".to_owned(),
        );
    }
    assumptions
}
