//! Bounds in the words of a text, before its program is known.

use map_check::nearest;
use map_ir::{Operand, PointKind, Program, Test, Value, show_value};
use map_semantics::{Bounds, Network, Timeouts};

/// The bounds within which a scene is explored, and the network. Unlike [`Bounds`] it names constants as the text does.
#[derive(Clone, Debug)]
pub struct BoundSpec {
    /// The most calls that a thread may have open.
    pub depth: u32,
    /// The most calls that each agent makes.
    pub rounds: Vec<Rounds>,
    /// The most messages in a mailbox.
    pub mailbox: u32,
    /// When the time of a waiting agent can run out.
    pub timeouts: Timeouts,
    /// What the network does.
    pub network: Network,
}

/// A bound on the calls of each agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The first argument of the calls that count, in source form; `None` for all calls.
    pub constant: Option<String>,
    /// The most calls.
    pub limit: u32,
}

impl Default for BoundSpec {
    /// [`Bounds::USUAL`].
    fn default() -> Self {
        let Bounds { depth, rounds: _, rounds_of: _, mailbox, timeouts, network, after: _ } = Bounds::USUAL;
        Self { depth, rounds: Vec::new(), mailbox, timeouts, network }
    }
}

impl BoundSpec {
    /// The bounds for a scene.
    ///
    /// # Errors
    /// What is wrong with them, in terms of the flag `--rounds`.
    pub fn resolve(&self, program: &Program) -> Result<Bounds, String> {
        let Self { depth, ref rounds, mailbox, timeouts, network } = *self;
        let (rounds_of, after) = (Vec::new(), None);
        let mut bounds = Bounds { depth, rounds: None, rounds_of, mailbox, timeouts, network, after };
        for Rounds { constant, limit } in rounds {
            match constant {
                None if bounds.rounds.is_some() => {
                    return Err("--rounds is given twice for all calls: give one number".to_owned());
                }
                None => bounds.rounds = Some(*limit),
                Some(text) => {
                    let value = constant_named(program, text)?;
                    if bounds.rounds_of.iter().any(|&(known, _)| known == value) {
                        return Err(format!("--rounds is given twice for {text}: give one number"));
                    }
                    bounds.rounds_of.push((value, *limit));
                }
            }
        }
        Ok(bounds)
    }
}

/// Whether [`Rounds`] may name this constant: whether some call of the scene has it as first argument.
#[must_use]
pub fn is_called_with(program: &Program, constant: &str) -> bool {
    constant_named(program, constant).is_ok()
}

fn constant_named(program: &Program, text: &str) -> Result<Value, String> {
    let constants = first_arguments(program);
    let shown = |value: &Value| show_value(program, *value, &|_| String::new());
    constants.iter().find(|value| shown(value) == text).copied().ok_or_else(|| {
        let scene = &program.scene;
        let known: Vec<String> = constants.iter().map(shown).collect();
        let known = match (known.as_slice(), nearest(text, known.iter().map(String::as_str))) {
            ([], _) => "its calls have none".to_owned(),
            (_, Some(near)) => format!("did you mean {near}?"),
            _ => format!("there are: {}", known.join(", ")),
        };
        format!("--rounds {text}=..: no call of the scene {scene} has the first argument {text}; {known}")
    })
}

/// The constants that clause heads, then calls, have as first argument, each once.
fn first_arguments(program: &Program) -> Vec<Value> {
    let mut found = Vec::new();
    let mut see = |operand: Operand| {
        if let Operand::Constant(value) = operand
            && !found.contains(&value)
        {
            found.push(value);
        }
    };
    for clause in &program.clauses {
        for test in &clause.head.tests {
            if let Test::Operand(0, operand) = *test {
                see(operand);
            }
        }
    }
    for point in &program.points {
        if let PointKind::Call { arguments, .. } = &point.kind {
            arguments.first().copied().into_iter().for_each(&mut see);
        }
    }
    found
}
