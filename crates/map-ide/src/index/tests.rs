//! On correct texts the index has the names that the syntax tree has, each of its kind.

use std::collections::BTreeSet;

use map_diagnostics::Span;
use map_syntax::ast::{Address, Expression, ExpressionKind, Op, OpKind, Scene, Term, TermKind, Who};

use super::EntityKind;
use crate::model::Model;

type Found = BTreeSet<(usize, &'static str)>;

fn word(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Scene => "scene",
        EntityKind::Role => "role",
        EntityKind::Agent => "agent",
        // The name of a clause is a name; the tree does not tell what it stands for.
        EntityKind::Clause | EntityKind::Constant => "name",
        EntityKind::Performative => "performative",
        EntityKind::Procedure => "procedure",
        EntityKind::Cell => "cell",
        EntityKind::Variable => "variable",
        EntityKind::Property => "property",
        EntityKind::Cost => "cost",
        EntityKind::Measure => "measure",
    }
}

struct Tree(Found);

impl Tree {
    fn add(&mut self, span: Span, kind: EntityKind) {
        self.0.insert((span.start as usize, word(kind)));
    }

    fn scene(&mut self, scene: &Scene) {
        self.add(scene.name.span, EntityKind::Scene);
        for clause in &scene.clauses {
            match &clause.who {
                Who::Agent(name) => self.add(name.span, EntityKind::Agent),
                Who::Variable(name) => self.add(name.span, EntityKind::Variable),
            }
            self.add(clause.role.span, EntityKind::Role);
            self.terms(&clause.parameters);
            self.operation(&clause.body);
        }
    }

    fn operation(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
                ops.iter().for_each(|op| self.operation(op));
            }
            OpKind::Wait { body, timeout } => {
                self.operation(body);
                timeout.iter().for_each(|op| self.operation(op));
            }
            OpKind::Call { arguments } => self.terms(arguments),
            OpKind::Skip | OpKind::Fail | OpKind::Hole => {}
            OpKind::Ask { variable, procedure, arguments } => {
                variable.iter().for_each(|it| self.add(it.span, EntityKind::Variable));
                self.add(procedure.span, EntityKind::Procedure);
                self.terms(arguments);
            }
            OpKind::Send { message, to: Address { agent, role, .. } }
            | OpKind::Receive { message, from: Address { agent, role, .. } } => {
                self.add(message.performative.span, EntityKind::Performative);
                self.terms(&message.arguments);
                self.terms([agent, role]);
            }
        }
    }

    fn terms<'a>(&mut self, terms: impl IntoIterator<Item = &'a Term>) {
        for term in terms {
            match &term.kind {
                TermKind::Expression(expression) => self.expression(expression),
                kind => self.constant(kind, term.span),
            }
        }
    }

    fn constant(&mut self, kind: &TermKind, span: Span) {
        match kind {
            TermKind::Variable(_) => self.add(span, EntityKind::Variable),
            TermKind::Agent(_) => self.add(span, EntityKind::Agent),
            TermKind::Role(_) => self.add(span, EntityKind::Role),
            TermKind::Name(_) => self.add(span, EntityKind::Constant),
            _ => {}
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Constant(kind) => self.constant(kind, expression.span),
            ExpressionKind::Parameter(_) => self.add(expression.span, EntityKind::Variable),
            ExpressionKind::Cell(_) => self.add(expression.span, EntityKind::Cell),
            ExpressionKind::Own | ExpressionKind::Reading(_) | ExpressionKind::Holds(_) => {}
            ExpressionKind::Arithmetic { first, rest } => {
                self.expression(first);
                rest.iter().for_each(|(_, operand)| self.expression(operand));
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                parts.iter().for_each(|part| self.expression(part));
            }
            ExpressionKind::Not(part) => self.expression(part),
            ExpressionKind::Comparison { left, right, .. }
            | ExpressionKind::Min(left, right)
            | ExpressionKind::Max(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expression(part));
            }
        }
    }
}

/// The names in scenes, by the index.
fn indexed(model: &Model) -> Found {
    let in_scene = model.index.mentions.iter().filter(|it| model.scene_of(it.token).is_some());
    let found =
        in_scene.map(|it| (model.words.range(it.token).start, word(model.index.entities[it.entity].kind)));
    found.collect()
}

fn agree(text: &str) {
    let model = Model::new(text.to_owned());
    let follows_grammar = model.diagnostics.iter().all(|it| it.code.as_str() >= "MAP1");
    assert!(follows_grammar, "{:?}", model.diagnostics);
    let mut tree = Tree(Found::new());
    model.file.scenes().for_each(|scene| tree.scene(scene));
    assert_eq!(indexed(&model), tree.0, "{text}");
}

#[test]
fn the_index_has_the_names_of_the_tree() {
    for protocol in map_library::PROTOCOLS {
        protocol.versions().for_each(|version| agree(version.text));
    }
}

#[test]
fn words_of_expressions_are_told_from_names() {
    agree(
        "memory %a { @n = 0, @who = self }\nprocedure p($x)\n\
         s[ agent(!A, %a, min, $x) = m(self, min, (self), min(self, $x), if $x <= 3 then 1 else or_not) => agent(@who, %b)\n\
            then p(if 1 < 2 and not (3 < 4) then a else b) or p(max) then agent(self, 1) then agent(1 + 1, go)\n\
            agent(!A, %a) = agent(min, mod) or $x = p((then1)) then q($x, x) <= agent(x, y)\n\
            agent($me, %b) = waitfor m(_, _, _, _, _) <= agent($me, %a) ]",
    );
}

#[test]
fn a_cast_has_the_agents_that_the_check_finds() {
    for version in map_library::PROTOCOLS.iter().flat_map(map_library::Protocol::versions) {
        let model = Model::new(version.text.to_owned());
        let options = map_check::CheckOptions::default();
        let (checked, _) = map_check::check(&model.file, &options);
        let checked = checked.expect("the library is correct");
        for (number, part) in checked.parts.iter().enumerate() {
            assert_eq!(model.cast.count(number), part.agents.len(), "{}", version.name);
            let names = checked.agents[part.agents.clone()].iter().map(|agent| format!("!{}", agent.name));
            let first: Vec<String> = names.take(8).collect();
            assert_eq!(model.cast.names(&model.index, number), first, "{}", version.name);
        }
    }
}
