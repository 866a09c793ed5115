//! Whether a clause head matches a call, decided from constants and repeated variables alone.

use std::collections::{HashMap, HashSet};

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Clause, OpKind, Scene, Term, TermKind, Who};

use crate::parts::{Meaning, Parts, numbered};
use crate::{CheckedScene, show, suggest, walk};

/// The number of other clauses examined for a suggestion.
const MAX_SEARCHED: usize = 64;

/// Whether a head matches a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeadMatch {
    /// It does not, for any values of the variables.
    Never,
    /// It depends on the values of the variables.
    Maybe,
    /// It does, for all values of the variables.
    Certain,
}

/// How the agents of a part are named, for comparing "this agent" with agent names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnName<'a> {
    /// The name without its number.
    pub base: &'a str,
    /// Whether the heads of the part have this literal name. In its clauses the name then means "this agent".
    pub literal: bool,
    /// The number of agents of the part in the cast.
    pub count: usize,
}

impl OwnName<'_> {
    /// Whether "this agent" has that name.
    fn is(&self, name: &str) -> HeadMatch {
        if self.count <= 1 {
            return if name == self.base { HeadMatch::Certain } else { HeadMatch::Never };
        }
        // The name without a number is ambiguous, which is reported elsewhere.
        let is_instance = name == self.base
            || numbered(name).any(|(base, number)| base == self.base && number <= self.count);
        if is_instance { HeadMatch::Maybe } else { HeadMatch::Never }
    }
}

impl Parts<'_> {
    /// How the agents of a part are named, for [`match_head`].
    pub(crate) fn own_name(&self, part: usize) -> OwnName<'_> {
        let part = &self.list[part];
        OwnName { base: &part.base, literal: part.literal.is_some(), count: part.count }
    }
}

/// Whether the clause head `agent(who, %role, parameters..)` matches the call `agent(arguments..)` made by an agent
/// of its part.
///
/// Variables of the call stand for unknown values, equal if they have the same name. Variables of the head are
/// bound from left to right, a variable `who` to the agent itself first.
#[must_use]
pub fn match_head(who: &Who, parameters: &[Term], arguments: &[Term], own: OwnName<'_>) -> HeadMatch {
    if parameters.len() != arguments.len() {
        return HeadMatch::Never;
    }
    let mut classes = Classes::default();
    if let Who::Variable(name) = who {
        classes.equal(Node::Bound(&name.text), Node::This);
    }
    classes.pass(parameters, arguments, own, Node::Unknown);
    classes.judge(own)
}

/// Whether the head of `clause` matches every call that the head of `other` matches.
fn covers(clause: &Clause, other: &Clause, own: OwnName<'_>) -> bool {
    if clause.parameters.len() != other.parameters.len() {
        return false;
    }
    let mut classes = Classes::default();
    if let Who::Variable(name) = &clause.who {
        classes.equal(Node::Bound(&name.text), Node::This);
    }
    let own_variable = match &other.who {
        Who::Variable(name) => Some(&*name.text),
        Who::Agent(_) => None,
    };
    classes.pass(&clause.parameters, &other.parameters, own, |name| {
        if own_variable == Some(name) { Node::This } else { Node::Unknown(name) }
    });
    classes.judge(own) == HeadMatch::Certain
}

impl CheckedScene<'_> {
    /// Whether the head of a clause matches a call made by an agent of its part (see [`match_head`]).
    #[must_use]
    pub fn match_clause(&self, clause: usize, arguments: &[Term]) -> HeadMatch {
        let head = &self.scene.clauses[clause];
        self.with_own_name(clause, |own| match_head(&head.who, &head.parameters, arguments, own))
    }

    /// Whether the head of `clause` matches every call that the head of `other`, a clause of the same part,
    /// matches.
    pub(crate) fn takes_all_of(&self, clause: usize, other: usize) -> bool {
        let (clause_head, other_head) = (&self.scene.clauses[clause], &self.scene.clauses[other]);
        self.with_own_name(clause, |own| covers(clause_head, other_head, own))
    }

    fn with_own_name<T>(&self, clause: usize, read: impl FnOnce(OwnName<'_>) -> T) -> T {
        let part = &self.parts[self.clauses[clause].part];
        let role = || self.roles.get_index(part.role).map_or("", String::as_str);
        let default = if part.literal.is_none() { crate::parts::capitalised(role()) } else { String::new() };
        read(OwnName {
            base: part.literal.as_deref().unwrap_or(&default),
            literal: part.literal.is_some(),
            count: part.agents.len(),
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node<'a> {
    /// This agent.
    This,
    Constant(&'a TermKind),
    /// A variable of the call.
    Unknown(&'a str),
    /// A variable of the head.
    Bound(&'a str),
}

fn node<'a>(term: &'a Term, own: OwnName<'_>, variable: impl Fn(&'a str) -> Node<'a>) -> Option<Node<'a>> {
    Some(match &term.kind {
        // An expression may have any value.
        TermKind::Wildcard | TermKind::Expression(_) => return None,
        TermKind::Variable(name) => variable(name),
        TermKind::Agent(name) if own.literal && name == own.base => Node::This,
        constant => Node::Constant(constant),
    })
}

/// Terms that must be equal for the head to match, as a union-find forest with path halving (Tarjan and van Leeuwen
/// 1984).
#[derive(Default)]
struct Classes<'a> {
    indices: HashMap<Node<'a>, usize>,
    /// `None` for a value about which nothing is known.
    nodes: Vec<Option<Node<'a>>>,
    parents: Vec<usize>,
}

impl<'a> Classes<'a> {
    /// Equates the parameters of a head with the arguments of a call; `variable` maps a variable of the call to its
    /// node.
    fn pass(
        &mut self,
        parameters: &'a [Term],
        arguments: &'a [Term],
        own: OwnName<'_>,
        variable: impl Fn(&'a str) -> Node<'a>,
    ) {
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let Some(parameter) = node(parameter, own, Node::Bound) else { continue };
            let parameter = self.node(parameter);
            // A wildcard in a call is reported elsewhere; here it counts as an unknown value.
            let argument = match node(argument, own, &variable) {
                Some(argument) => self.node(argument),
                None => self.unknown(),
            };
            self.unite(parameter, argument);
        }
    }

    fn equal(&mut self, a: Node<'a>, b: Node<'a>) {
        let (a, b) = (self.node(a), self.node(b));
        self.unite(a, b);
    }

    fn node(&mut self, node: Node<'a>) -> usize {
        if let Some(&index) = self.indices.get(&node) {
            return index;
        }
        let index = self.add(Some(node));
        self.indices.insert(node, index);
        index
    }

    fn unknown(&mut self) -> usize {
        self.add(None)
    }

    fn add(&mut self, node: Option<Node<'a>>) -> usize {
        self.nodes.push(node);
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a] = b;
    }

    /// Certain if no class imposes a condition: each has at most one value, known or unknown, besides variables of
    /// the head.
    fn judge(&mut self, own: OwnName<'_>) -> HeadMatch {
        #[derive(Clone, Copy, Default)]
        struct Class<'a> {
            this: bool,
            constant: Option<&'a TermKind>,
            unknowns: usize,
        }
        let mut classes = vec![Class::default(); self.nodes.len()];
        for index in 0..self.nodes.len() {
            let class = self.root(index);
            let class = &mut classes[class];
            match self.nodes[index] {
                Some(Node::Bound(_)) => {}
                Some(Node::This) => class.this = true,
                Some(Node::Unknown(_)) | None => class.unknowns += 1,
                // Equal constants share a node, so these two differ.
                Some(Node::Constant(_)) if class.constant.is_some() => return HeadMatch::Never,
                Some(Node::Constant(constant)) => class.constant = Some(constant),
            }
        }
        let mut result = HeadMatch::Certain;
        for class in classes {
            let known = match class.constant {
                Some(TermKind::Agent(name)) if class.this => own.is(name),
                Some(_) if class.this => HeadMatch::Never,
                _ => HeadMatch::Certain,
            };
            let values = usize::from(class.this || class.constant.is_some()) + class.unknowns;
            result = result.min(if values > 1 { known.min(HeadMatch::Maybe) } else { known });
        }
        result
    }
}

/// Reports calls that no head of their part can match.
pub(crate) fn check_calls(parts: &Parts<'_>, errors: &mut Vec<Diagnostic>) {
    let heads = HeadIndex::new(parts.scene, parts.of_clause.iter().copied());
    // A role that is misspelt in a head has been reported: the clause that a call lacks may be the one below that head.
    let misspelt: HashSet<usize> = (0..parts.list.len()).filter_map(|part| parts.meant_for(part)).collect();
    for (clause, &part) in parts.scene.clauses.iter().zip(&parts.of_clause) {
        walk::operations(&clause.body, &mut |op| {
            let OpKind::Call { arguments } = &op.kind else { return };
            let takes = |clause: usize| {
                let head = &parts.scene.clauses[clause];
                match_head(&head.who, &head.parameters, arguments, parts.own_name(part)) != HeadMatch::Never
            };
            // The missing entry clause has been reported.
            let no_entry = arguments.is_empty();
            // So have unknown names: with the intended name the call might match.
            let unknown = arguments.iter().any(|term| match &term.kind {
                TermKind::Role(role) => !parts.roles.contains(role),
                TermKind::Agent(name) => {
                    parts.list[part].literal != Some(name) && parts.meaning(name) == Meaning::Unknown
                }
                _ => false,
            });
            let elsewhere = misspelt.contains(&parts.list[part].role);
            if no_entry || unknown || elsewhere || heads.of(part, arguments).any(takes) {
                return;
            }
            errors.push(matches_nothing(parts, &heads, part, arguments, op.span));
        });
    }
}

/// Clause heads indexed by part, arity and the constant they begin with, which tells most clauses apart.
pub(crate) struct HeadIndex<'a> {
    heads: HashMap<(usize, usize, Option<&'a TermKind>), Vec<usize>>,
    by_arity: HashMap<(usize, usize), Vec<usize>>,
}

impl<'a> HeadIndex<'a> {
    /// Indexes the heads of a scene; `parts` is parallel to its clauses.
    pub(crate) fn new(scene: &'a Scene, parts: impl IntoIterator<Item = usize>) -> Self {
        let mut new = Self { heads: HashMap::new(), by_arity: HashMap::new() };
        for (index, (clause, part)) in scene.clauses.iter().zip(parts).enumerate() {
            let arity = clause.parameters.len();
            let first = clause.parameters.first().and_then(plain_constant);
            new.heads.entry((part, arity, first)).or_default().push(index);
            new.by_arity.entry((part, arity)).or_default().push(index);
        }
        new
    }

    /// A superset of the clauses of a part whose heads may match a call, in no particular order.
    pub(crate) fn of<'s>(
        &'s self,
        part: usize,
        arguments: &'a [Term],
    ) -> impl Iterator<Item = usize> + use<'s> {
        let arity = arguments.len();
        let (some, rest) = match arguments.first().and_then(plain_constant) {
            Some(first) => {
                (self.heads.get(&(part, arity, Some(first))), self.heads.get(&(part, arity, None)))
            }
            None => (self.by_arity.get(&(part, arity)), None),
        };
        some.into_iter().chain(rest).flatten().copied()
    }
}

/// The constant of a term that equals only itself; expressions are no constants, and agent names are excluded as they
/// may mean "this agent".
pub(crate) fn plain_constant(term: &Term) -> Option<&TermKind> {
    match &term.kind {
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Agent(_) | TermKind::Expression(_) => None,
        constant => Some(constant),
    }
}

fn matches_nothing(
    parts: &Parts<'_>,
    heads: &HeadIndex<'_>,
    part: usize,
    arguments: &[Term],
    span: Span,
) -> Diagnostic {
    let title = parts.title(part);
    let parameters = |clause: &usize| &*parts.scene.clauses[*clause].parameters;
    let alike = heads.by_arity.get(&(part, arguments.len())).map_or(&[][..], Vec::as_slice);
    let text = format!("no clause of `{title}` takes the call `{}`", show::call(arguments));
    let label = if alike.is_empty() {
        format!("no head takes {}", show::arguments(arguments.len()))
    } else {
        "no head can match this".to_owned()
    };
    let calls = parts.list[part].clauses.iter().map(|clause| show::call(parameters(clause)));
    let error = Diagnostic::new(Code::CallMatchesNothing, span, text, label)
        .with_note(format!("The clauses of `{title}` are called as {}", show::list(calls)));

    let takes = |clause: &usize| {
        let own = parts.own_name(parts.of_clause[*clause]);
        match_head(&parts.scene.clauses[*clause].who, parameters(clause), arguments, own) != HeadMatch::Never
    };
    // Written like a head, with the agent's name and role in front.
    if let [
        who @ Term { kind: TermKind::Variable(_) | TermKind::Agent(_), .. },
        Term { kind: TermKind::Role(_), .. },
        rest @ ..,
    ] = arguments
        && alike.is_empty()
    {
        let call = show::call(rest);
        let error =
            error.with_help(format!("A call repeats neither name nor role, unlike a head: write `{call}`"));
        return match rest {
            [next, ..] => error.with_fix(
                format!("Write `{call}`"),
                vec![(Span::new(who.span.start, next.span.start), String::new())],
            ),
            [] => error,
        };
    }
    // With the agent's own name alone in front.
    if let [Term { kind: TermKind::Variable(_) | TermKind::Agent(_), .. }, rest @ ..] = arguments
        && alike.is_empty()
        && heads.of(part, rest).take(MAX_SEARCHED).any(|clause| {
            let own = parts.own_name(part);
            match_head(&parts.scene.clauses[clause].who, parameters(&clause), rest, own) != HeadMatch::Never
        })
    {
        let call = show::call(rest);
        return error
            .with_help(format!("A call does not repeat the agent's name, unlike a head: write `{call}`"));
    }
    let mut siblings =
        parts.of_role[parts.list[part].role].iter().filter(|&&other| other != part).take(MAX_SEARCHED);
    if let Some(clause) =
        siblings.find_map(|&other| heads.of(other, arguments).take(MAX_SEARCHED).find(takes))
    {
        return error
            .with_label(parts.scene.clauses[clause].head_span, format!("not a clause of `{title}`"))
            .with_help("A call stays within its part: begin the heads of both clauses with the same term");
    }
    match misspelt(arguments, alike.iter().take(MAX_SEARCHED).map(parameters)) {
        Some((name, near)) => {
            error.with_help(format!("Did you mean `{near}`?")).with_replacement(name.span, near)
        }
        None => error.with_help("Change the arguments to those of a head, or add a clause that takes them"),
    }
}

/// The first argument, and the name that it may be a misspelling of.
fn misspelt<'a, 't>(
    arguments: &'t [Term],
    heads: impl Iterator<Item = &'a [Term]>,
) -> Option<(&'t Term, &'a str)> {
    let name = |terms: &'a [Term]| match &terms.first()?.kind {
        TermKind::Name(name) => Some(&**name),
        _ => None,
    };
    let argument = arguments.first()?;
    let TermKind::Name(first) = &argument.kind else { return None };
    Some((argument, suggest::nearest(first, heads.filter_map(name))?))
}
