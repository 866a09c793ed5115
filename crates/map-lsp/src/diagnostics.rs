//! Diagnostics in the protocol's terms: those of the text, and those of verdicts that are about it as it is.

use std::ops::Range;

use ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    Uri,
};
use map_ide::{Code, Problem, Severity};

use crate::documents::Analysed;
use crate::search::{Finding, Tone};
use crate::verdicts::{Verdict, Verdicts};

/// All that is to be shown for a text.
pub(crate) fn all(uri: &Uri, analysed: &Analysed, verdicts: &Verdicts) -> Vec<Diagnostic> {
    let problems = analysed.analysis.diagnostics();
    let mut shown: Vec<Diagnostic> = problems.iter().map(|it| of_problem(uri, analysed, it)).collect();
    shown.extend(of_verdicts(uri, analysed, verdicts));
    shown
}

/// A diagnostic of the text.
pub(crate) fn of_problem(uri: &Uri, analysed: &Analysed, problem: &Problem) -> Diagnostic {
    let mut message = problem.message.clone();
    if !problem.label.is_empty() {
        message.push_str(&format!("\n{}", problem.label));
    }
    for (word, lines) in [("note", &problem.notes), ("help", &problem.help)] {
        lines.iter().for_each(|line| message.push_str(&format!("\n{word}: {line}")));
    }
    let related = problem.related.iter().filter(|(_, what)| !what.is_empty());
    let related = related.map(|(range, what)| about(uri, analysed, range, what)).collect();
    Diagnostic {
        range: analysed.text.range(&problem.range),
        severity: Some(match problem.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(problem.code.as_str().to_owned())),
        source: Some("map".to_owned()),
        message,
        related_information: some(related),
        tags: is_unnecessary(problem.code).then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}

/// Whether what is marked could be left out.
const fn is_unnecessary(code: Code) -> bool {
    matches!(
        code,
        Code::UnusedVariable
            | Code::NeverCalled
            | Code::NeverAsked
            | Code::ReceivedAgain
            | Code::NeverRuns
            | Code::UselessAllow
            | Code::AlternativeNeverTaken
            | Code::ShadowedHead
    )
}

/// The verdicts that were found for this very text, at the scenes and properties that they are about. What is well, is
/// said in one place only: a scene may be verified with many casts.
fn of_verdicts(uri: &Uri, analysed: &Analysed, verdicts: &Verdicts) -> Vec<Diagnostic> {
    let mut shown = Vec::new();
    for lens in analysed.analysis.lenses() {
        let scene = lens.scene.iter().flat_map(|scene| verdicts.of_scene(scene));
        let property = lens.property.iter().flat_map(|property| verdicts.of_property(property));
        let (good, others): (Vec<_>, Vec<_>) = scene
            .chain(property)
            .filter(|it| it.is_about(&analysed.text))
            .partition(|it| it.finding.tone == Tone::Good);
        let lines: Vec<String> = good.iter().map(message).collect();
        if !lines.is_empty() {
            shown.push(at(uri, analysed, &lens.range, Tone::Good, lines.join("\n"), &[]));
        }
        for verdict in others {
            let Finding { tone, run, .. } = verdict.finding;
            shown.push(at(uri, analysed, &lens.range, *tone, message(&verdict), run));
        }
    }
    shown
}

/// The verdict, its flags, and why it is so.
fn message(verdict: &Verdict<'_>) -> String {
    let Finding { words, explanation, .. } = verdict.finding;
    let flags = if verdict.flags.is_empty() { String::new() } else { format!(" ({})", verdict.flags) };
    format!("{words}{flags}\n{explanation}").trim_end().to_owned()
}

fn at(
    uri: &Uri,
    analysed: &Analysed,
    range: &Range<usize>,
    tone: Tone,
    message: String,
    run: &[(Range<usize>, String)],
) -> Diagnostic {
    let run = run.iter().map(|(range, what)| about(uri, analysed, range, what)).collect();
    Diagnostic {
        range: analysed.text.range(range),
        severity: Some(match tone {
            Tone::Good => DiagnosticSeverity::HINT,
            Tone::Doubtful => DiagnosticSeverity::INFORMATION,
            Tone::Bad => DiagnosticSeverity::ERROR,
        }),
        source: Some("map verify".to_owned()),
        message,
        related_information: some(run),
        ..Diagnostic::default()
    }
}

fn about(uri: &Uri, analysed: &Analysed, range: &Range<usize>, what: &str) -> DiagnosticRelatedInformation {
    let location = Location { uri: uri.clone(), range: analysed.text.range(range) };
    DiagnosticRelatedInformation { location, message: what.to_owned() }
}

fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    if list.is_empty() { None } else { Some(list) }
}
