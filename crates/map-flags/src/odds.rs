//! `--yes`, `--truthful`, `--loss`, `--crash`: how decisions are answered, and how likely messages are to be lost and
//! agents to crash.

use map_ir::{Body, ProcedureId, Program};
use map_simulate::SimulationOptions;

use crate::probability::{Yes, parse_probability, parse_yes};

/// The default probability of a "yes".
const YES: f64 = 0.5;

/// Default of `--loss`.
pub const LOSS: f64 = 0.1;

/// Default of `--crash`.
pub const CRASH: f64 = 0.02;

/// How likely decisions are to answer, messages to be lost, and agents to crash.
#[derive(clap::Args, Clone, Debug)]
pub struct OddsArgs {
    /// The probability that a decision does not say no, 0.5 unless given; for one of them DECISION=P; may be repeated
    #[arg(long, value_name = "P|DECISION=P", value_delimiter = ',', value_parser = parse_yes)]
    pub yes: Vec<Yes>,

    /// Agents are honest: they answer what the truths of the file say, not what chance draws
    #[arg(long)]
    pub truthful: bool,

    /// The probability that a copy of a message is lost, as long as --network lets more be lost
    #[arg(long, value_name = "P", default_value_t = LOSS, value_parser = parse_probability)]
    pub loss: f64,

    /// The probability that the next thing to happen is a crash, as long as --network lets more agents crash
    #[arg(long, value_name = "P", default_value_t = CRASH, value_parser = parse_probability)]
    pub crash: f64,
}

impl OddsArgs {
    /// The options for the simulator, or what is wrong with the flags.
    pub fn resolve(&self, program: &Program, seed: u64, max_steps: u64) -> Result<SimulationOptions, String> {
        let mut yes = None;
        let mut yes_of: Vec<(ProcedureId, f64)> = Vec::new();
        for Yes { decision, probability } in &self.yes {
            match decision {
                None if yes.is_some() => {
                    return Err("--yes is given twice for all decisions: give one number".to_owned());
                }
                None => yes = Some(*probability),
                Some(name) => {
                    let decision = decision_named(program, name)?;
                    if yes_of.iter().any(|&(known, _)| known == decision) {
                        return Err(format!("--yes is given twice for {name}: give one number"));
                    }
                    yes_of.push((decision, *probability));
                }
            }
        }
        if self.truthful && program.truths.is_empty() {
            return Err(format!(
                "--truthful: nothing that the scene {} asks has a truth; write `truth DECISION(..) = ..`",
                program.scene
            ));
        }
        Ok(SimulationOptions {
            seed,
            yes: yes.unwrap_or(YES),
            yes_of,
            truthful: self.truthful,
            max_steps,
            loss: self.loss,
            crash: self.crash,
        })
    }
}

/// The decision of that name, if its answer is random; otherwise an error that lists those whose answers are.
fn decision_named(program: &Program, name: &str) -> Result<ProcedureId, String> {
    let procedures = program.procedures.iter();
    let chance = |it: &&map_ir::Procedure| it.may_refuse && !matches!(it.body, Body::Alternatives(_));
    let known: Vec<&str> = procedures.clone().filter(chance).map(|it| it.name.as_str()).collect();
    let known = match known.as_slice() {
        [] => "none of its decisions is a matter of chance".to_owned(),
        known => format!("there are: {}", known.join(", ")),
    };
    let wrong = |why: &str| Err(format!("--yes {name}=..: {why}; {known}"));
    let scene = &program.scene;
    match procedures.enumerate().find(|(_, it)| it.name == name) {
        None => wrong(&format!("nothing in the scene {scene} asks it")),
        Some((_, it)) if !it.may_refuse => wrong("it is a procedure, which never says no"),
        Some((_, it)) if matches!(it.body, Body::Alternatives(_)) => {
            wrong("its alternatives decide whether it says no")
        }
        Some((index, _)) => Ok(ProcedureId::new(index)),
    }
}
