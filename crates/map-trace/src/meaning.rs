//! What a trace means in its scene, and what is wrong with it there.

use map_diagnostics::{Code, Diagnostic};
use map_explain::{Namer, initial_value};
use map_ir::{Program, Value};
use map_json::BoundsOutput;
use map_semantics::{Bounds, open_cells};
use map_session::{BoundSpec, Rounds};
use map_simulate::Impossible;
use map_verify::{Trace, leads_back, replay_with};

use crate::TraceFile;
use crate::refused::contradiction;
use crate::values::from_text;

impl TraceFile {
    /// The bounds in its scene.
    ///
    /// # Errors
    /// If they, or the agents, are not those of the scene.
    pub fn bounds(&self, program: &Program) -> Result<Bounds, Diagnostic> {
        let BoundsOutput { ref agents, depth, rounds, ref rounds_of, mailbox, timeouts, network } =
            self.bounds;
        let names = program.cast().map(|agent| program.agent_name(agent));
        if !names.eq(agents.iter().map(|player| player.name.as_str())) {
            return Err(contradiction("its agents are not those of its `cast`"));
        }
        let all = rounds.map(|limit| Rounds { constant: None, limit });
        let some = rounds_of.iter().map(|of| Rounds { constant: Some(of.constant.clone()), limit: of.limit });
        let rounds = all.into_iter().chain(some).collect();
        BoundSpec { depth, rounds, mailbox, timeouts: timeouts.0, network }
            .resolve(program)
            .map_err(contradiction)
    }

    /// The values that the steps refer to.
    ///
    /// # Errors
    /// If a text is none.
    pub fn values(&self, namer: &mut Namer<'_>) -> Result<Vec<Value>, Diagnostic> {
        let values: Result<Vec<Value>, String> =
            self.values.iter().map(|text| from_text(namer, text)).collect();
        values.map_err(|why| contradiction(format!("`values`: {why}")))
    }

    /// The initial values, as options of [`map_semantics::open_cells`].
    ///
    /// # Errors
    /// If they are not those of the scene.
    pub fn initial(&self, namer: &Namer<'_>) -> Result<Vec<u32>, Diagnostic> {
        options_of(namer, &self.initial).map_err(|why| contradiction(format!("`initial`: {why}")))
    }

    /// Whether the steps that are said to be repeated for ever lead back to where they begin. A step that cannot be
    /// taken is left to the replay.
    ///
    /// # Errors
    /// If they do not.
    pub fn check_return(
        &self,
        program: &Program,
        bounds: &Bounds,
        initial: &[u32],
        values: &[Value],
    ) -> Result<(), Diagnostic> {
        let Some(from) = self.repeated_from else { return Ok(()) };
        let steps = Trace { initial: initial.to_vec(), steps: self.steps.clone() };
        match replay_with(program, bounds, &steps, values) {
            Ok(replayed) if !leads_back(program, bounds, &replayed, from) => Err(Diagnostic::new(
                Code::TraceStep,
                self.spans.last().copied().unwrap_or_default(),
                format!("the steps from {} on are said to be repeated for ever", from + 1),
                "this one does not lead back to where they begin",
            )),
            _ => Ok(()),
        }
    }

    /// Why the step at `index` cannot be taken.
    #[must_use]
    pub fn impossible(&self, index: u64, why: &Impossible) -> Diagnostic {
        let span = self.spans.get(index as usize).copied().unwrap_or_default();
        let what = format!("step {} of the trace cannot be made", index + 1);
        let mut diagnostic = Diagnostic::new(Code::TraceStep, span, what, why.to_string());
        let (theirs, ours) = (&self.version, env!("CARGO_PKG_VERSION"));
        if theirs != ours {
            diagnostic =
                diagnostic.with_note(format!("the trace was saved by map {theirs}, and this is map {ours}"));
        }
        diagnostic.with_help("make the trace anew, or step through the dialogue with `map step`")
    }
}

fn options_of(namer: &Namer<'_>, initial: &[String]) -> Result<Vec<u32>, String> {
    let mut given = initial.iter();
    let mut options = Vec::new();
    for cell in open_cells(namer.program) {
        let (agent, name) = (namer.agent(cell.agent), namer.program.cell_name(cell.cell));
        let Some(text) = given.next() else {
            return Err(format!("the initial value of {agent}@{name} is missing"));
        };
        let mut texts = cell.values.iter().map(|&value| initial_value(namer, &cell, value));
        let Some(option) = texts.position(|shown| shown == *text) else {
            return Err(format!("{text:?} is no initial value of {agent}@{name}"));
        };
        options.push(option as u32);
    }
    match given.next() {
        Some(text) => Err(format!("{text:?} is one too many")),
        None => Ok(options),
    }
}
