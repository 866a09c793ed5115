//! The comment at the top of a model: what it models, what it leaves out, and how to run it.

use map_ir::show_value;
use map_semantics::{Bounds, Network, Timeouts};

use crate::claims::{Claim, Claims};
use crate::moments::Moments;
use crate::source::Source;

const WITHOUT_CLAIMS: &[&str] = &[
    "goes wrong, is not made: the agent passes through the progress label and is where it was.",
    "",
    "  spin -a model.pml && cc -O2 -o pan pan.c && ./pan -m1000000     failures, deadlocks, overflows, ..",
    "  cc -O2 -DNP -o pan pan.c && ./pan -l -m1000000                  runs that never end",
];

const WITH_CLAIMS: &[&str] = &[
    "goes wrong, is not made: the run ends there, and the agent goes round at the progress label.",
    "",
    "  spin -a model.pml && cc -O2 -DNOREDUCE -DNOCLAIM -o pan pan.c && ./pan -m1000000       failures, deadlocks, ..",
    "  cc -O2 -DNOREDUCE -DNOCLAIM -DNP -o pan pan.c && ./pan -l -m1000000                    runs that never end",
    "  spin -Dpassed__over=true -a model.pml && cc -O2 -DNOREDUCE -o pan pan.c",
    "  ./pan -a -N NAME -m1000000                                    the claim NAME, one of those at the end",
    "",
    "The claims are about all runs, as with --fairness none, and look at the dialogue between steps: at the events of",
    "the last step and at where everybody is. What is said to be possible is claimed not to be, and SPIN is to refute it.",
];

pub(crate) fn lines(
    bounds: &Bounds,
    source: &Source<'_>,
    moments: &Moments<'_>,
    claims: &[Claim],
) -> Vec<String> {
    let Moments { program, layout, .. } = *moments;
    let agents: Vec<&str> = program.cast().map(|agent| program.agent_name(agent)).collect();
    // A model is of whole dialogues.
    let Bounds { depth, rounds, rounds_of, mailbox, timeouts, network, after: _ } = bounds;
    let mut limits = vec![format!("--depth {depth}"), format!("--mailbox {mailbox}")];
    limits.extend(rounds.map(|limit| format!("--rounds {limit}")));
    limits.extend(rounds_of.iter().map(|&(constant, limit)| {
        format!("--rounds {}={limit}", show_value(program, constant, &|_| String::new()))
    }));
    match timeouts {
        Timeouts::Quiescent => {}
        Timeouts::Any => limits.push("--timeouts any".to_owned()),
    }
    if *network != Network::INSTANT {
        limits.push(format!("--network {network}"));
    }
    let mut lines = vec![
        format!("The scene {} of {}, for SPIN.", program.scene, source.name),
        format!("Agents: {}.", if agents.is_empty() { "none".to_owned() } else { agents.join(", ") }),
        format!("Bounds: {}.", limits.join(" ")),
        String::new(),
        "One atomic sequence is one step of the dialogue. Its first line is the guard: up to its one ask, send or".to_owned(),
        "receive an act is decided by what the mailbox holds and what is answered. A step that a bound cuts, or that".to_owned(),
    ];
    let rest = if claims.is_empty() { WITHOUT_CLAIMS } else { WITH_CLAIMS };
    lines.extend(rest.iter().map(|&line| line.to_owned()));
    let Claims { properties, unstated, .. } = moments.claims;
    let is_left_out = |name: &&String| {
        let index = properties.list.iter().position(|it| it.name == **name);
        index.is_none_or(|index| unstated.iter().any(|(its, _)| *its == index))
    };
    let left_out: Vec<&str> = source.properties.iter().filter(is_left_out).map(String::as_str).collect();
    if !left_out.is_empty() {
        lines.push(String::new());
        lines.push(format!("Left out: the properties {}.", left_out.join(", ")));
    }
    if layout.integers {
        lines.push(String::new());
        lines.push("Integers have to stay below 10^9; SPIN reports it if one does not.".to_owned());
    }
    lines
}
