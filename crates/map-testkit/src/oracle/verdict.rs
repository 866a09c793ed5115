//! The termination verdict, from the graph of states.

use super::OracleReport;
use super::search::{Found, Node, Violation};

impl Violation {
    /// The words of the reference.
    fn words(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Deadlock => "deadlock",
            Self::Overflow => "mailbox overflow",
            Self::Runaway => "runaway recursion",
            Self::RunError => "run error",
            Self::Livelock => "livelock",
        }
    }
}

/// "Termination verdicts, best first", and the lists that go with them.
pub(super) fn judge(mut found: Found) -> OracleReport {
    if found.complete {
        note_livelocks(&mut found);
    }
    let mut violations: Vec<_> =
        found.violations.iter().map(|(&kind, &(length, possible))| (length, kind, possible)).collect();
    violations.sort_unstable();
    let worst = violations.first().copied();
    let verdict = match worst {
        Some((_, kind, _)) => kind.words(),
        // Cut on the way to the first places: there are no states.
        None if !found.complete || (found.nodes.is_empty() && found.cut) => "inconclusive",
        None if has_infinite_run(&found.nodes) => "terminates if fair",
        None => "terminates",
    };
    OracleReport {
        verdict: verdict.to_owned(),
        complete: found.complete,
        cut: found.cut,
        possible: worst.is_some_and(|(_, _, possible)| possible),
        steps: worst.map(|(length, ..)| length),
        states: found.nodes.len(),
        transitions: found.transitions,
        violations: violations
            .into_iter()
            .map(|(length, kind, possible)| (kind.words().to_owned(), length, possible))
            .collect(),
        operations_run: found.operations,
        clauses_entered: found.clauses,
        agents_acted: found.acted,
        unread: found.unread,
    }
}

/// "A state from which neither the good end nor another violation nor a cut can be reached in any way."
fn note_livelocks(found: &mut Found) {
    let mut predecessors = vec![Vec::new(); found.nodes.len()];
    for (number, node) in found.nodes.iter().enumerate() {
        for &next in &node.successors {
            predecessors[next].push(number);
        }
    }
    let other_end =
        |node: &Node| node.all_done || node.some_failed || node.deadlock.is_some() || node.wrong || node.cut;
    let mut hopeful: Vec<bool> = found.nodes.iter().map(other_end).collect();
    let mut todo: Vec<usize> = (0..hopeful.len()).filter(|&number| hopeful[number]).collect();
    while let Some(number) = todo.pop() {
        for &before in &predecessors[number] {
            if !hopeful[before] {
                hopeful[before] = true;
                todo.push(before);
            }
        }
    }
    for number in (0..hopeful.len()).filter(|&number| !hopeful[number]) {
        let Node { distance, clean, .. } = found.nodes[number];
        found.violation(Violation::Livelock, distance, !clean);
    }
}

/// Whether there is a cycle, or a state whose polls may be refused for ever.
fn has_infinite_run(nodes: &[Node]) -> bool {
    let mut incoming = vec![0_usize; nodes.len()];
    for &next in nodes.iter().flat_map(|node| &node.successors) {
        incoming[next] += 1;
    }
    // Kahn's algorithm (1962): remove states without predecessors until only cycles and what follows them are left.
    let mut todo: Vec<usize> = (0..nodes.len()).filter(|&number| incoming[number] == 0).collect();
    let mut taken = 0;
    while let Some(number) = todo.pop() {
        taken += 1;
        for &next in &nodes[number].successors {
            incoming[next] -= 1;
            if incoming[next] == 0 {
                todo.push(next);
            }
        }
    }
    taken < nodes.len() || nodes.iter().any(|node| node.polls)
}
