//! The state chart of a part, built from its control points: states with actions as edges, as protocols are usually
//! drawn.
//!
//! A state is where an agent waits or is about to act; each alternative it has there is an edge. Tail calls are jumps.
//! Other calls are boxes, and the clauses they call are drawn separately, once. Silent operations (`skip`, `fail`,
//! jumps) are not drawn.

mod alternatives;
mod labels;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use map_ir::{
    Candidate, ClauseId, Edge as Failure, Goto, Part, PartId, PointId, PointKind, Program, SourceSpan,
};

use self::labels::Labels;
use super::{Edge, EdgeKind, Graph, Mark, Node, Shape};

/// The most nodes and edges a graph may have.
pub const MAX_SIZE: usize = 10_000;

/// The graph would have more than [`MAX_SIZE`] nodes and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// What happened in some run.
#[derive(Clone, Copy)]
pub struct Occurrences<'a> {
    /// Whether an operation ran.
    pub ran: &'a dyn Fn(PointId) -> bool,
    /// Whether an operation failed.
    pub failed: &'a dyn Fn(PointId) -> bool,
}

/// Builds the graph of a part. If it is known what happened, the edges that were never taken are marked.
///
/// # Errors
/// If the graph would be too large.
pub fn role_graph(
    program: &Program,
    part: PartId,
    happened: Option<Occurrences<'_>>,
) -> Result<Graph, TooLarge> {
    let definition = program.part(part);
    let mut builder = Builder {
        program,
        labels: Labels { program, part: definition },
        part: definition,
        happened,
        pars: enclosing_pars(program),
        graph: Graph { title: title(program, part), ..Graph::default() },
        nodes: BTreeMap::new(),
        edges: BTreeSet::new(),
        drawn: Vec::new(),
        todo: VecDeque::new(),
    };
    builder.component(definition.entry);
    let mut next = 0;
    while let Some(&clause) = builder.drawn.get(next) {
        builder.root(clause, next == 0);
        while let Some((node, spot)) = builder.todo.pop_front() {
            builder.expand(node, spot);
            if builder.is_too_large() {
                return Err(TooLarge);
            }
        }
        next += 1;
    }
    if happened.is_some() {
        mark_behind(&mut builder.graph);
    }
    Ok(builder.graph)
}

/// Marks the edges that leave nodes to which no edge leads that was taken.
fn mark_behind(graph: &mut Graph) {
    let mut is_reached = vec![true; graph.nodes.len()];
    for edge in &graph.edges {
        is_reached[edge.to] = false;
    }
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (index, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| !edge.never) {
        leaving[edge.from].push(index);
    }
    let mut todo: Vec<usize> = (0..is_reached.len()).filter(|&node| is_reached[node]).collect();
    while let Some(node) = todo.pop() {
        for &edge in &leaving[node] {
            if !std::mem::replace(&mut is_reached[graph.edges[edge].to], true) {
                todo.push(graph.edges[edge].to);
            }
        }
    }
    for edge in &mut graph.edges {
        edge.never |= !is_reached[edge.from];
    }
}

/// The title of a part: `%bidder`, or `!Auctioneer (%auctioneer)` if its clauses name a single agent.
fn title(program: &Program, part: PartId) -> String {
    let definition = program.part(part);
    let role = program.role_name(definition.role);
    let by_name = program.clause(definition.entry).own_name.is_none();
    match definition.agents.as_slice() {
        [agent] if by_name => format!("!{} (%{role})", program.agent_name(*agent)),
        _ => format!("%{role}"),
    }
}

/// For each point, the innermost `par` that contains it.
fn enclosing_pars(program: &Program) -> Vec<Option<PointId>> {
    let mut enclosing = vec![None; program.points.len()];
    // An outer `par` has a lower number than those inside it.
    for (index, point) in program.points.iter().enumerate() {
        if !matches!(point.kind, PointKind::Par { .. }) {
            continue;
        }
        let behind = index + 1..program.clause(point.clause).points.end;
        let inside = program.points[behind].iter().take_while(|it| contains(point.span, it.span)).count();
        enclosing[index + 1..=index + inside].fill(Some(PointId::new(index)));
    }
    enclosing
}

fn contains(outer: SourceSpan, inner: SourceSpan) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// What a node stands for. `component` is the first of the clauses that are drawn together because they jump to each
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    component: ClauseId,
    kind: SpotKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SpotKind {
    /// A point that is drawn: an action, a `waitfor`, a `par`, a call.
    Point(PointId),
    /// The sides of this `par` have ended.
    Join(PointId),
    /// The clause, or the agent, ends: with success or not.
    End(bool),
    /// Tail calls that never reach an action.
    Runaway,
}

struct Builder<'p> {
    program: &'p Program,
    labels: Labels<'p>,
    part: &'p Part,
    happened: Option<Occurrences<'p>>,
    pars: Vec<Option<PointId>>,
    graph: Graph,
    nodes: BTreeMap<Spot, usize>,
    edges: BTreeSet<(usize, usize, Vec<String>)>,
    /// The first clause of each component, in the order in which they are drawn.
    drawn: Vec<ClauseId>,
    todo: VecDeque<(usize, Spot)>,
}

/// What shows that an edge was taken.
#[derive(Clone, Copy)]
enum Evidence {
    /// That its source was reached.
    Reached,
    /// That this operation ran.
    Ran(PointId),
    /// That this operation failed.
    Failed(PointId),
}

impl<'p> Builder<'p> {
    fn component(&mut self, clause: ClauseId) {
        if !self.drawn.contains(&clause) {
            self.drawn.push(clause);
        }
    }

    /// Adds the node from which a component is entered: a dot, or a call with the head of its clause.
    fn root(&mut self, clause: ClauseId, is_entry: bool) {
        let node = match is_entry {
            true => Node::new(Shape::Initial, Vec::new()),
            false => Node::new(Shape::Call, vec![self.labels.head(clause)]),
        };
        let root = self.push(node);
        let first = self.resolve(clause, Goto::Point(self.program.clause(clause).body), None);
        self.edge(root, first, EdgeKind::Move, Vec::new(), Evidence::Reached);
    }

    fn push(&mut self, node: Node) -> usize {
        self.graph.nodes.push(node);
        self.graph.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize, kind: EdgeKind, label: Vec<String>, evidence: Evidence) {
        let never = self.happened.is_some_and(|happened| match evidence {
            Evidence::Reached => false,
            Evidence::Ran(point) => !(happened.ran)(point),
            Evidence::Failed(point) => !(happened.failed)(point),
        });
        if self.edges.insert((from, to, label.clone())) {
            self.graph.edges.push(Edge { never, ..Edge::new(from, to, kind, label) });
        }
    }

    fn is_too_large(&self) -> bool {
        self.graph.nodes.len() + self.graph.edges.len() > MAX_SIZE
    }

    /// The node that control reaches first when it follows `goto`, past everything that is not drawn. `from` is a point
    /// of the clause it comes from.
    fn resolve(&mut self, component: ClauseId, goto: Goto, from: Option<PointId>) -> usize {
        let (mut goto, mut from, mut passed) = (goto, from, BTreeSet::new());
        let kind = loop {
            let point = match goto {
                Goto::Return(success) => break SpotKind::End(success),
                Goto::SideEnd(_) => {
                    let par = from.and_then(|from| self.pars[from.index()]);
                    break SpotKind::Join(par.expect("only points in a side lead to its end"));
                }
                Goto::Point(point) => point,
            };
            if !passed.insert(point) {
                break SpotKind::Runaway;
            }
            from = Some(point);
            goto = match &self.program.point(point).kind {
                PointKind::Skip { ok } => *ok,
                PointKind::Fail { err } => err.to,
                PointKind::Call { candidates, ok, err, .. } => match candidates.as_slice() {
                    [only] if only.certain && self.is_jump(candidates, *ok, *err) => {
                        Goto::Point(self.program.clause(only.clause).body)
                    }
                    _ => break SpotKind::Point(point),
                },
                _ => break SpotKind::Point(point),
            };
        };
        self.node(Spot { component, kind })
    }

    fn node(&mut self, spot: Spot) -> usize {
        if let Some(&node) = self.nodes.get(&spot) {
            return node;
        }
        let place = match spot.kind {
            SpotKind::Point(point) => Some(point.index()),
            SpotKind::Join(_) | SpotKind::End(_) | SpotKind::Runaway => None,
        };
        let node = Node { place, ..self.drawn_as(spot) };
        let node = self.push(node);
        self.nodes.insert(spot, node);
        self.todo.push_back((node, spot));
        node
    }

    fn drawn_as(&mut self, spot: Spot) -> Node {
        let point = match spot.kind {
            SpotKind::Point(point) => point,
            SpotKind::Join(_) => return Node::new(Shape::Bar, Vec::new()),
            SpotKind::End(success) => {
                let is_agent = spot.component == self.part.entry;
                let (word, mark) = match (is_agent, success) {
                    (true, true) => ("done", Mark::Good),
                    (true, false) => ("failed", Mark::Failed),
                    (false, true) => ("returns", Mark::Plain),
                    (false, false) => ("returns failure", Mark::Failed),
                };
                return Node { mark, ..Node::new(Shape::End, vec![word.to_owned()]) };
            }
            SpotKind::Runaway => {
                let label = vec!["calls for ever".to_owned()];
                return Node { mark: Mark::Failed, ..Node::new(Shape::State, label) };
            }
        };
        match &self.program.point(point).kind {
            PointKind::Par { .. } => Node::new(Shape::Bar, Vec::new()),
            PointKind::Call { arguments, candidates, ok, err } => {
                if self.is_jump(candidates, *ok, *err) {
                    Node::new(Shape::Choice, Vec::new())
                } else {
                    let clause = self.program.point(point).clause;
                    Node::new(Shape::Call, vec![self.labels.call(clause, arguments)])
                }
            }
            // Its name depends on its alternatives: see `walk`.
            _ => Node::new(Shape::State, Vec::new()),
        }
    }

    /// Whether a call is a tail call: nothing is left to do after it, whether it succeeds or fails.
    fn is_jump(&self, candidates: &[Candidate], ok: Goto, err: Failure) -> bool {
        ok == Goto::Return(true) && (err.to == Goto::Return(false) || !self.call_may_fail(candidates))
    }

    fn call_may_fail(&self, candidates: &[Candidate]) -> bool {
        !candidates.last().is_some_and(|last| last.certain)
            || candidates.iter().any(|it| self.program.clause(it.clause).can_fail)
    }

    fn expand(&mut self, node: usize, spot: Spot) {
        let component = spot.component;
        match spot.kind {
            SpotKind::End(_) | SpotKind::Runaway => {}
            SpotKind::Join(par) => {
                let PointKind::Par { ok, err, .. } = self.program.point(par).kind else { return };
                let after = self.resolve(component, ok, Some(par));
                self.edge(node, after, EdgeKind::Move, Vec::new(), Evidence::Reached);
                if self.side_can_fail(par) {
                    let failed = self.resolve(component, err.to, Some(par));
                    self.edge(
                        node,
                        failed,
                        EdgeKind::Failure,
                        lines(["a side failed"]),
                        Evidence::Failed(par),
                    );
                }
            }
            SpotKind::Point(point) => match &self.program.point(point).kind {
                PointKind::Par { sides, .. } => {
                    for &side in sides {
                        let first = self.resolve(component, Goto::Point(side), Some(point));
                        self.edge(node, first, EdgeKind::Move, Vec::new(), Evidence::Reached);
                    }
                }
                PointKind::Call { .. } => self.expand_call(node, component, point),
                _ => {
                    self.walk(node, component, point);
                }
            },
        }
    }

    /// Whether some side of a `par` can fail.
    fn side_can_fail(&self, par: PointId) -> bool {
        let inside = self.pars.iter().enumerate().filter(|(_, it)| **it == Some(par));
        inside.map(|(index, _)| &self.program.points[index].kind).any(|kind| {
            let ends = kind.err().is_some_and(|err| err.to == Goto::SideEnd(false));
            ends && match kind {
                PointKind::Send { agent, role, .. } => self.may_find_nobody(*agent, *role),
                PointKind::Call { candidates, .. } => self.call_may_fail(candidates),
                PointKind::Ask { procedure, target, .. } => {
                    target.compared().is_some() || self.program.procedure(*procedure).may_refuse
                }
                _ => true,
            }
        })
    }

    fn expand_call(&mut self, node: usize, component: ClauseId, point: PointId) {
        let PointKind::Call { candidates, ok, err, .. } = &self.program.point(point).kind else { return };
        let (ok, err) = (*ok, *err);
        let certain = candidates.last().is_some_and(|last| last.certain);
        if ok == Goto::Return(true) {
            for candidate in candidates {
                let body = Goto::Point(self.program.clause(candidate.clause).body);
                let first = self.resolve(component, body, None);
                let several = candidates.len() > 1 || !certain;
                let label = if several { vec![self.labels.head(candidate.clause)] } else { Vec::new() };
                self.edge(node, first, EdgeKind::Move, label, Evidence::Reached);
            }
            if !certain {
                let failed = self.resolve(component, err.to, Some(point));
                self.edge(
                    node,
                    failed,
                    EdgeKind::Failure,
                    lines(["no clause fits"]),
                    Evidence::Failed(point),
                );
            }
            if !self.is_jump(candidates, ok, err) {
                let failed = self.resolve(component, err.to, Some(point));
                self.edge(node, failed, EdgeKind::Failure, lines(["if that fails"]), Evidence::Failed(point));
            }
            return;
        }
        for candidate in candidates {
            self.component(candidate.clause);
        }
        let after = self.resolve(component, ok, Some(point));
        self.edge(node, after, EdgeKind::Move, lines(["returns"]), Evidence::Ran(point));
        if self.call_may_fail(candidates) {
            let failed = self.resolve(component, err.to, Some(point));
            self.edge(node, failed, EdgeKind::Failure, lines(["fails"]), Evidence::Failed(point));
        }
    }
}

fn lines<const N: usize>(lines: [&str; N]) -> Vec<String> {
    lines.map(str::to_owned).to_vec()
}
