//! What an answer may refer to: each door has ways of its own to learn more, and answers name no others.

/// The ways to learn more than an answer says, in the words of the door through which it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Offers {
    /// To look at a run more closely, as a sentence.
    pub run: &'static str,
    /// The same where only properties were judged.
    pub run_of_property: &'static str,
    /// What asks for everything.
    pub everything: &'static str,
    /// What asks for a list of everything that never happens.
    pub never: &'static str,
    /// What asks for every step of a run.
    pub every_step: &'static str,
    /// What shows all warnings.
    pub warnings: &'static str,
    /// What makes an error of a run that may go on for ever, as a sentence, if anything does.
    pub fairness: Option<&'static str>,
}

impl Offers {
    /// Those of the command line.
    pub const COMMAND_LINE: Self = Self {
        run: "--report run.html shows it step by step in a browser, -v says everything",
        run_of_property: "--save-trace run.json keeps the run for map replay, -v says everything",
        everything: "-v",
        never: "--format json",
        every_step: "--full-trace",
        warnings: "map check",
        fairness: Some("--deny if-fair, if a run that goes on for ever is an error (exit code 1)"),
    };
}
