//! The model of a scene, and diagnostics for what cannot be exported.

use map_diagnostics::{Code, Diagnostic, Span};
use map_export::{Model, OmissionReason, Plain, Reason, Refusal, Source, export};
use map_ir::Properties;
use map_session::{PropertySet, Scene};

/// The model of a scene, without its properties.
///
/// # Errors
/// What cannot be exported.
pub fn model(scene: &Scene) -> Result<Model, Vec<Diagnostic>> {
    exported(scene, &Properties::default()).map_err(|refusals| refusals.iter().map(refused).collect())
}

/// The model of a scene, with claims for its properties, and warnings about those that it does not state. `None` if the
/// scene cannot be exported, with properties or without.
#[must_use]
pub fn model_with_claims(scene: &Scene) -> Option<(Model, Vec<Diagnostic>)> {
    let model = exported(scene, &scene.properties.compiled).ok()?;
    let unstated = unstated(&model, &scene.properties);
    Some((model, unstated))
}

fn exported(scene: &Scene, properties: &Properties) -> Result<Model, Vec<Refusal>> {
    let source = Source { name: scene.source.name(), text: scene.source.text(), properties: &[] };
    export(&scene.program, &scene.bounds, &source, properties)
}

/// The diagnostic for a construct that is not exported.
#[must_use]
pub fn refused(refusal: &Refusal) -> Diagnostic {
    let place = refusal.span.map(|span| Span::new(span.start, span.end));
    let about = |code: Code, text: &str, label: &str| match place {
        Some(span) => Diagnostic::new(code, span, text, label),
        None => Diagnostic::unplaced(code, text),
    };
    match refusal.reason {
        Reason::LargeInteger => about(
            Code::ExportInteger,
            "an integer here is too large for a model in Promela",
            "an integer that does not stay below 1000000000",
        )
        .with_note("Promela's integers have 32 bits, which names and abstract values share with them")
        .with_help("use smaller numbers, such as prices in thousands"),
        Reason::UnknownDivisor => about(
            Code::ExportDivisor,
            "divisions by a value that may be unknown are not exported",
            "the divisor may be the answer of a procedure without a body",
        )
        .with_note("whether it is 0 depends on what was compared before, which a model does not remember")
        .with_help("say what the procedure may answer, such as `procedure share() in 1..4`"),
        Reason::TooManyWays => about(
            Code::ExportTooLarge,
            "this can come out in too many ways to be exported",
            "an act from here, or what is open below it, has thousands of variants",
        )
        .with_note("calls that are not in last place are expanded to the depth of --depth")
        .with_help("give a smaller --depth, such as --depth 5, or make the recursion a last call")
        .with_help("if it is an expression, ask procedures for its parts, one after the other"),
        Reason::LongBody => about(
            Code::ExportTooLarge,
            "this body is too long to be exported",
            "with what follows here there are more than 1,000 alternatives and terms",
        )
        .with_note("each is under conditions on all those before it, so the model grows with their square")
        .with_help(
            "give the values to choose from as a domain, as in `in 1..9000`, or verify with map itself",
        ),
        Reason::ReopenedPar => about(
            Code::ExportReopenedPar,
            "an act from here may come back to where it was, through the `par` that it ends and opens anew",
            "whether that is a step depends on all that its agent is in",
        )
        .with_help("wait for messages with a `waitfor` instead of looking for them again and again"),
        Reason::LongMailbox => about(Code::ExportLimit, "SPIN's channels hold at most 255 messages", "")
            .with_help("give a smaller bound, such as --mailbox 5"),
        Reason::ManyAgents => about(Code::ExportLimit, "SPIN has at most 255 processes", "")
            .with_help("give a smaller cast with --agents"),
        Reason::Delays => about(
            Code::ExportNetwork,
            "dialogues whose messages are under way for a while are not exported",
            "",
        )
        .with_note("in the models messages arrive at once")
        .with_help("leave out `delayed` of --network, or let `map verify` judge the dialogue under it"),
        Reason::Crashes => about(Code::ExportNetwork, "dialogues whose agents crash are not exported", "")
            .with_note("in a model of SPIN's a crash would be a step, and no state with one left a deadlock")
            .with_help("leave out `crash` of --network, or let `map verify` judge the dialogue under it"),
        Reason::Computed => about(
            Code::ExportComputed,
            "this computes with values that may be unknown, and is not exported",
            "what comes out may be unknown, too, and the model tells unknown values apart",
        )
        .with_help(
            "give the procedures that the values come from a domain, as in `procedure price() in 1..9`",
        )
        .with_help("or let a procedure compute the value: `$v = p(..) then ..` with `procedure p($x) = ..`"),
        Reason::InitialValues => about(
            Code::ExportInitial,
            "the cells of an agent may start in more than 1,000 ways, and each would be written out",
            "",
        )
        .with_help("give the cells smaller domains, or let `map verify` judge the dialogue"),
        Reason::Plain(what) => {
            let (text, label) = plain(what);
            about(Code::ExportPlain, text, label)
                .with_note("--style walton writes the plain scheme of the 2004 paper, which knows the core language only")
                .with_help("leave out --style")
        }
        Reason::NoFirstState => about(
            Code::ExportNothing,
            "an agent of this part is cut or goes wrong before its first step",
            "on its way from here to its first place",
        )
        .with_help("`map verify` says what happens"),
    }
}

/// Warnings about the properties that a model does not state.
#[must_use]
pub fn unstated(model: &Model, properties: &PropertySet) -> Vec<Diagnostic> {
    let of = |&(index, reason): &(usize, OmissionReason)| {
        let property = &properties.compiled.list[index];
        // A property from the command line is named by its formula and has no place in the file.
        let place = properties.names.contains(&property.name).then_some(property.span);
        let (text, label, help) = unstatable(reason);
        let diagnostic = match place {
            Some(span) => Diagnostic::new(Code::ExportProperty, Span::new(span.start, span.end), text, label),
            None => Diagnostic::unplaced(Code::ExportProperty, format!("{text}: {}", property.name)),
        };
        diagnostic.with_note("the model leaves this property out, and is right without it").with_help(help)
    };
    model.unstated.iter().map(of).collect()
}

/// Why a property is not stated: the message, the label, and the help.
fn unstatable(reason: OmissionReason) -> (&'static str, &'static str, &'static str) {
    match reason {
        OmissionReason::Next => (
            "SPIN, as it is distributed, has no `next`",
            "this needs one",
            "say it with `eventually`, `until` or `leadsto`, or let `map verify` judge it",
        ),
        OmissionReason::Alternatives => (
            "a claim for SPIN is about all runs or about some run, not about either",
            "this joins what is possible with something else in one alternative",
            "write one property for each side",
        ),
        OmissionReason::Events => (
            "a model tells at most 31 kinds of event apart",
            "with this property there would be more",
            "give a smaller cast with --agents",
        ),
        OmissionReason::Values => (
            "a model states nothing about earlier steps or the values of events",
            "this compares such a value, counts or looks back",
            "let `map verify` judge it",
        ),
        OmissionReason::Integer => (
            "an integer here is too large for a model in Promela",
            "this compares with an integer that does not stay below 1000000000",
            "use smaller numbers, such as prices in thousands",
        ),
    }
}

/// What the plain scheme cannot express: the message and the label.
fn plain(what: Plain) -> (&'static str, &'static str) {
    match what {
        Plain::Par => ("the plain style has no `par`", "its sides would be processes of one agent"),
        Plain::Call => ("the plain style has no call but the last", "something may follow this call"),
        Plain::Definition => {
            ("the plain style has no procedures with definitions", "what this asks is defined")
        }
        Plain::KnownAnswer => ("the plain style compares no answers", "the variable is bound already"),
        Plain::Comparison => ("the plain style compares no abstract values", "this comparison is open"),
        Plain::Poll => (
            "in the plain style a `waitfor` waits for messages only",
            "it may ask a decision, or call, before anything has come",
        ),
        Plain::IdleTimeout => (
            "in the plain style a timeout does something",
            "its timeout may lead back here with nothing done",
        ),
        Plain::Computed => ("the plain style computes no values", "an expression stands among the values"),
        Plain::Rounds => ("the plain style has no bounds on calls", ""),
        Plain::Network => ("the plain style has the instant network only", ""),
        Plain::InitialValues => ("in the plain style a cell starts with one value", ""),
    }
}
