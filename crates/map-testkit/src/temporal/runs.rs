//! Whether some fair run satisfies a formula: the tableau of all truth assignments (Lichtenstein and Pnueli, "Checking
//! that finite state concurrent programs satisfy their linear specification", POPL 1985).
//!
//! A node is the move just made and a guess: for every `next f`, whether `f` holds at the next moment, and for every `f
//! until g`, whether the until itself does. Edges respect the guesses. A run satisfies its guesses if every until that
//! holds infinitely often is fulfilled infinitely often.

use std::collections::BTreeMap;

use super::{Formula, Graph, Letter};

/// Whether some infinite run satisfies a formula; with `fair`, some run that is weakly fair to each agent.
///
/// # Panics
/// If the formula has more than twelve different temporal parts.
#[must_use]
pub fn some_run_satisfies(graph: &Graph, formula: &Formula, fair: bool) -> bool {
    let mut closure = Vec::new();
    list(formula, &mut closure);
    let tableau = Tableau { graph, closure, fair };
    assert!(tableau.temporal().count() <= 12, "a small formula");
    let nodes = tableau.reachable(formula);
    tableau.components(&nodes).iter().any(|component| tableau.accepts(&nodes, component))
}

/// Collects the subformulas of a formula, each after its own subformulas.
fn list(formula: &Formula, closure: &mut Vec<Formula>) {
    match formula {
        Formula::True | Formula::Atom(_) => {}
        Formula::Not(f) | Formula::Next(f) => list(f, closure),
        Formula::And(f, g) | Formula::Until(f, g) => {
            list(f, closure);
            list(g, closure);
        }
    }
    if !closure.contains(formula) {
        closure.push(formula.clone());
    }
}

struct Tableau<'a> {
    graph: &'a Graph,
    closure: Vec<Formula>,
    fair: bool,
}

/// A state with the turn that led to it, the truth of each part of the formula, and the guesses made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    turn: Option<usize>,
    state: usize,
    /// Whether the run has decided to stay where it is.
    stays: bool,
    /// For each part of the closure, whether it holds.
    truth: Vec<bool>,
    /// For each part of the closure that is a next or an until, what was guessed.
    guess: Vec<bool>,
}

/// Nodes with their successors.
type Nodes = Vec<(Node, Vec<usize>)>;

impl Tableau<'_> {
    fn temporal(&self) -> impl Iterator<Item = usize> {
        let is_temporal = |part: &Formula| matches!(part, Formula::Next(_) | Formula::Until(..));
        (0..self.closure.len()).filter(move |&index| is_temporal(&self.closure[index]))
    }

    fn index(&self, part: &Formula) -> usize {
        self.closure.iter().position(|it| it == part).expect("the closure has all parts")
    }

    /// All nodes that a move may lead to.
    fn nodes(&self, turn: Option<usize>, state: usize, stays: bool, letter: &Letter) -> Vec<Node> {
        let temporal: Vec<usize> = self.temporal().collect();
        let guesses = (0..1_usize << temporal.len()).map(|bits| {
            let mut guess = vec![false; self.closure.len()];
            for (bit, &part) in temporal.iter().enumerate() {
                guess[part] = bits >> bit & 1 == 1;
            }
            guess
        });
        guesses
            .map(|guess| {
                let mut truth: Vec<bool> = Vec::new();
                for (index, part) in self.closure.iter().enumerate() {
                    let holds = |part: &Formula| truth[self.index(part)];
                    let value = match part {
                        Formula::True => true,
                        Formula::Atom(atom) => letter.contains(atom),
                        Formula::Not(f) => !holds(f),
                        Formula::And(f, g) => holds(f) && holds(g),
                        Formula::Next(_) => guess[index],
                        Formula::Until(f, g) => holds(g) || holds(f) && guess[index],
                    };
                    truth.push(value);
                }
                Node { turn, state, stays, truth, guess }
            })
            .collect()
    }

    /// Whether one moment respects what was guessed at the one before.
    fn follows(&self, before: &Node, after: &Node) -> bool {
        self.temporal().all(|part| {
            let came = match &self.closure[part] {
                Formula::Next(f) => after.truth[self.index(f)],
                _ => after.truth[part],
            };
            before.guess[part] == came
        })
    }

    fn reachable(&self, formula: &Formula) -> Nodes {
        let root = self.index(formula);
        let first = self.nodes(None, 0, false, &self.graph.first);
        let mut todo: Vec<Node> = first.into_iter().filter(|node| node.truth[root]).collect();
        let mut numbers: BTreeMap<Node, usize> =
            todo.iter().enumerate().map(|(index, node)| (node.clone(), index)).collect();
        let mut nodes: Nodes = Vec::new();
        while nodes.len() < todo.len() {
            let node = todo[nodes.len()].clone();
            let mut successors = Vec::new();
            let moves = &self.graph.states[node.state].moves;
            // A run that stays where it is does so for ever.
            for made in moves.iter().filter(|made| !node.stays || made.agent.is_none()) {
                let turn = made.agent.filter(|_| !made.poll);
                for next in self.nodes(turn, made.target, made.agent.is_none(), &made.letter) {
                    if self.follows(&node, &next) {
                        let number = *numbers.entry(next.clone()).or_insert_with(|| {
                            todo.push(next);
                            todo.len() - 1
                        });
                        successors.push(number);
                    }
                }
            }
            nodes.push((node, successors));
        }
        nodes
    }

    /// The strongly connected components (Kosaraju's algorithm: depth-first search, then the reversed graph in order of
    /// decreasing finishing times).
    fn components(&self, nodes: &Nodes) -> Vec<Vec<usize>> {
        let mut left = Vec::new();
        let mut seen = vec![false; nodes.len()];
        for root in 0..nodes.len() {
            let mut path = vec![(root, false)];
            while let Some((node, leaving)) = path.pop() {
                if leaving {
                    left.push(node);
                } else if !std::mem::replace(&mut seen[node], true) {
                    path.push((node, true));
                    path.extend(nodes[node].1.iter().map(|&next| (next, false)));
                }
            }
        }
        let mut sources = vec![Vec::new(); nodes.len()];
        for (node, (_, successors)) in nodes.iter().enumerate() {
            successors.iter().for_each(|&next| sources[next].push(node));
        }
        let mut taken = vec![false; nodes.len()];
        let mut components = Vec::new();
        for &root in left.iter().rev() {
            let (mut component, mut path) = (Vec::new(), vec![root]);
            while let Some(node) = path.pop() {
                if !std::mem::replace(&mut taken[node], true) {
                    component.push(node);
                    path.extend(&sources[node]);
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }

    /// Whether a run that visits all of the component for ever fulfils every until and is fair.
    fn accepts(&self, nodes: &Nodes, component: &[usize]) -> bool {
        let member = |node: &usize| component.contains(node);
        if !component.iter().any(|&node| nodes[node].1.iter().any(member)) {
            return false;
        }
        let some = |wanted: &dyn Fn(&Node) -> bool| component.iter().any(|&node| wanted(&nodes[node].0));
        let kept = self.temporal().all(|part| match &self.closure[part] {
            Formula::Until(_, g) => {
                let goal = self.index(g);
                some(&|node| !node.truth[part] || node.truth[goal])
            }
            _ => true,
        });
        // A node records the move that entered it; in a component with a cycle, some such move comes from within.
        let entered = |agent: usize| {
            component.iter().any(|&node| {
                nodes[node].1.iter().any(|next| member(next) && nodes[*next].0.turn == Some(agent))
            })
        };
        let fair_to = |agent: usize| {
            entered(agent) || some(&|node| !self.graph.states[node.state].enabled.contains(&agent))
        };
        kept && (!self.fair || (0..self.graph.agents).all(fair_to))
    }
}
