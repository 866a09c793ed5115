//! The comment at the top of a model: what it is of, what it leaves out, how to run it.

use map_ir::{Program, show_value};
use map_semantics::{Bounds, Timeouts};

use crate::layout::Layout;
use crate::source::Source;

pub(crate) fn lines(program: &Program, bounds: &Bounds, source: &Source<'_>, layout: &Layout) -> Vec<String> {
    let agents: Vec<&str> = program.cast().map(|agent| program.agent_name(agent)).collect();
    let mut limits = vec![format!("--depth {}", bounds.depth), format!("--mailbox {}", bounds.mailbox)];
    limits.extend(bounds.rounds.map(|limit| format!("--rounds {limit}")));
    limits.extend(bounds.rounds_of.iter().map(|&(constant, limit)| {
        format!("--rounds {}={limit}", show_value(program, constant, &|_| String::new()))
    }));
    if bounds.timeouts == Timeouts::Any {
        limits.push("--timeouts any".to_owned());
    }
    let mut lines = vec![
        format!("The scene {} of {}, for SPIN.", program.scene, source.name),
        format!("Agents: {}.", if agents.is_empty() { "none".to_owned() } else { agents.join(", ") }),
        format!("Bounds: {}.", limits.join(" ")),
        String::new(),
        "One atomic sequence is one step of the dialogue. Its first line is the guard: up to its one ask, send or".to_owned(),
        "receive an act is decided by what the mailbox holds and what is answered. A step that a bound cuts, or that".to_owned(),
        "goes wrong, is not made: the agent passes through the progress label and is where it was.".to_owned(),
        String::new(),
        "  spin -a model.pml && cc -O2 -o pan pan.c && ./pan -m1000000     failures, deadlocks, overflows, ..".to_owned(),
        "  cc -O2 -DNP -o pan pan.c && ./pan -l -m1000000                  runs that never end".to_owned(),
    ];
    if !source.properties.is_empty() {
        lines.push(String::new());
        lines.push(format!("Left out: the properties {}.", source.properties.join(", ")));
    }
    if layout.integers {
        lines.push(String::new());
        lines.push("Integers have to stay below 10^9; SPIN reports it if one does not.".to_owned());
    }
    lines
}
