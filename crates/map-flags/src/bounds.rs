//! Resolves the flags for bounds against a scene.

use map_check::nearest;
use map_ir::{Operand, PointKind, Program, Test, Value, show_value};
use map_semantics::{Bounds, Timeouts};

use crate::scene::{BoundArgs, TimeoutsArg};
use crate::values::Rounds;

/// The bounds for a scene.
///
/// # Errors
/// What is wrong with the flags.
pub fn resolve(args: &BoundArgs, program: &Program) -> Result<Bounds, String> {
    let BoundArgs { depth, ref rounds, mailbox, timeouts, network } = *args;
    let timeouts = match timeouts {
        TimeoutsArg::Quiescent => Timeouts::Quiescent,
        TimeoutsArg::Any => Timeouts::Any,
    };
    let mut bounds = Bounds { depth, rounds: None, rounds_of: Vec::new(), mailbox, timeouts, network };
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

/// Whether `--rounds` may name the constant: whether some call of the scene has it as first argument.
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
