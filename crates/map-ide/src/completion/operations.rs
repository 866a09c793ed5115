//! Proposals within scenes: heads, operations, addresses.

use std::ops::Range;

use map_syntax::{ItemSketch, TokenKind as Kind};

use super::Cursor;
use super::proposals::{Proposals, escaped, places};
use super::terms::{Around, Wanted, around, named, terms};
use crate::answers::CompletionKind;
use crate::cast::meant;
use crate::hover::may_say_no;
use crate::index::{EntityKind, Site, SiteKind};
use crate::model::Model;

/// Proposes what can be written in a scene.
pub(super) fn in_scene(model: &Model, cursor: Cursor, scene: &ItemSketch, proposals: &mut Proposals) {
    let last = cursor.before - 1;
    let Some(clause) = scene.clauses.iter().find(|clause| clause.contains(&last)) else {
        return heads(model, last, proposals);
    };
    let all = Wanted {
        variables: Some(clause.start),
        agents: true,
        roles: true,
        cells: true,
        constants: true,
        wildcard: true,
    };
    let part = model.index.clause_of(last).map(|clause| model.index.clauses[clause].part);
    match around(model, clause.start, cursor) {
        Around::Agent(agent, number) => {
            match (is_head(model, clause, agent), behind_arrow(model, agent), number) {
                (true, _, 0) => {
                    proposals.word(0, CompletionKind::Variable, "$me", "every agent of the role");
                    terms(model, cursor, Wanted { agents: true, ..Wanted::default() }, proposals);
                }
                (true, _, 1) | (_, true, 1) => {
                    let wildcard = behind_arrow(model, agent);
                    let wanted = Wanted { roles: true, wildcard, ..Wanted::default() };
                    terms(model, cursor, wanted, proposals);
                }
                (true, ..) => {
                    terms(model, cursor, Wanted { constants: true, wildcard: true, ..all }, proposals);
                }
                (_, true, _) => {
                    terms(model, cursor, Wanted { roles: false, constants: false, ..all }, proposals);
                }
                (_, false, 0) => {
                    calls_by_name(model, part, proposals);
                    terms(model, cursor, Wanted { wildcard: false, constants: false, ..all }, proposals);
                }
                (_, false, _) => terms(model, cursor, Wanted { wildcard: false, ..all }, proposals),
            }
        }
        Around::Message(_) => terms(model, cursor, all, proposals),
        Around::Group => {
            operation(model, cursor, part, proposals);
            let ends = matches!(cursor.kind(model, 1), Some(Kind::CloseParen | Kind::Skip | Kind::Fail));
            if ends && cursor.first_on_line {
                heads(model, last, proposals);
            }
        }
    }
}

/// Whether a head begins at a token `agent`: where the clause does, or on a new line behind a complete operation.
fn is_head(model: &Model, clause: &Range<usize>, agent: usize) -> bool {
    let before = agent.checked_sub(1).and_then(|before| model.words.kind(before));
    agent == clause.start
        || (model.words.tokens[agent].first_on_line
            && matches!(before, Some(Kind::CloseParen | Kind::Skip | Kind::Fail)))
}

fn behind_arrow(model: &Model, agent: usize) -> bool {
    let before = agent.checked_sub(1).and_then(|before| model.words.kind(before));
    matches!(before, Some(Kind::SendArrow | Kind::ReceiveArrow))
}

/// Heads of further clauses.
fn heads(model: &Model, last: usize, proposals: &mut Proposals) {
    let parts = model.scene_of(last).map_or(0..0, |scene| model.index.scenes[scene].parts.clone());
    for part in parts.map(|part| &model.index.parts[part]) {
        let who = part.literal.as_ref().map_or("$me".to_owned(), |name| format!("!{name}"));
        let head = format!("agent({who}, %{}, ", part.role);
        let label = format!("{head}..) = ..");
        let insert = format!("{}${{1:name}}) =\n\t$0", escaped(&head));
        proposals.snippet(3, CompletionKind::Snippet, label, "a further clause", insert);
    }
    let insert = "agent(${1:!Name}, %${2:role}) =\n\t$0".to_owned();
    proposals.snippet(4, CompletionKind::Snippet, "agent(.., %role) = ..", "a clause", insert);
}

/// An operation, or what may follow one.
fn operation(model: &Model, cursor: Cursor, part: Option<usize>, proposals: &mut Proposals) {
    match cursor.kind(model, 1) {
        Some(Kind::SendArrow | Kind::ReceiveArrow) => addresses(model, cursor, part, proposals),
        Some(Kind::Equals) if cursor.kind(model, 2) == Some(Kind::Variable) => {
            procedures(model, cursor, false, proposals);
        }
        Some(
            Kind::Equals
            | Kind::Then
            | Kind::Or
            | Kind::Par
            | Kind::Waitfor
            | Kind::Timeout
            | Kind::OpenParen,
        ) => {
            let sigil = cursor.word.is_some_and(|word| model.word(word).starts_with('$'));
            if !sigil {
                messages(model, cursor, part, proposals);
                calls(model, part, proposals);
                for word in ["waitfor", "skip", "fail"] {
                    proposals.word(5, CompletionKind::Keyword, word, "");
                }
                named(model, cursor, EntityKind::Performative, CompletionKind::Send, "", proposals);
            }
            procedures(model, cursor, true, proposals);
        }
        Some(Kind::CloseParen | Kind::Skip | Kind::Fail) => {
            let site = model.index.sites.iter().rev().find(|site| site.close == Some(cursor.before - 1));
            if site.is_some_and(|site| site.kind == SiteKind::Bare) {
                arrows(model, cursor, part, proposals);
            }
            for (word, detail) in [
                ("then", "and go on"),
                ("or", "or else, if that fails"),
                ("par", "and at the same time"),
                ("timeout", "when time runs out"),
            ] {
                proposals.word(1, CompletionKind::Keyword, word, detail);
            }
        }
        _ => {}
    }
}

/// A message that another part can take or sends, with the address on the other side.
struct Exchange {
    name: String,
    terms: Vec<String>,
    other: usize,
}

impl Exchange {
    fn new(model: &Model, site: &Site, other: usize) -> Option<Self> {
        let term = |term: &Range<usize>| model.text()[model.words.extent(term)].to_owned();
        let name = model.word(site.name?).to_owned();
        Some(Self { name, terms: site.arguments.iter().map(term).collect(), other })
    }

    fn label(&self) -> String {
        format!("{}({})", self.name, self.terms.join(", "))
    }
}

/// The messages that other parts receive from a part (`SiteKind::Receive`) or send to it (`SiteKind::Send`).
fn exchanges(model: &Model, part: usize, at_other_end: SiteKind) -> Vec<Exchange> {
    let index = &model.index;
    let scene = &index.scenes[index.parts[part].scene];
    let reaches = |site: &&Site| {
        let (Some(other), Some(address)) = (model.part_of(site), &site.address) else { return false };
        other != part && meant(model.text(), &model.words, index, other, address).contains(&part)
    };
    let in_scene =
        index.sites.iter().filter(|site| site.clause.is_some_and(|it| scene.clauses.contains(&it)));
    let sites = in_scene.filter(|site| site.kind == at_other_end).filter(reaches);
    sites.filter_map(|site| Exchange::new(model, site, model.part_of(site)?)).collect()
}

/// An address for the agents of a part: by name if there is one, else anybody of the role.
fn address_of(model: &Model, part: usize) -> String {
    let it = &model.index.parts[part];
    match &it.literal {
        Some(name) if model.cast.count(part) == 1 => format!("agent(!{name}, %{})", it.role),
        _ => format!("agent(_, %{})", it.role),
    }
}

/// Whether the operation at the cursor is the first of what a `waitfor` waits for, or of an alternative of that.
fn is_waited_for(model: &Model, cursor: Cursor) -> bool {
    if cursor.kind(model, 1) != Some(Kind::Or) {
        return cursor.kind(model, 1) == Some(Kind::Waitfor)
            || (cursor.kind(model, 1) == Some(Kind::OpenParen)
                && cursor.kind(model, 2) == Some(Kind::Waitfor));
    }
    let mut depth = 0_usize;
    for token in (0..cursor.before).rev() {
        match model.words.kind(token) {
            Some(Kind::CloseParen) => depth += 1,
            Some(Kind::OpenParen) if depth > 0 => depth -= 1,
            Some(Kind::OpenParen) => {
                return token.checked_sub(1).and_then(|before| model.words.kind(before))
                    == Some(Kind::Waitfor);
            }
            Some(Kind::Waitfor) if depth == 0 => return true,
            // The clause begins: this is not the `=` of an ask.
            Some(Kind::Equals)
                if depth == 0 && token > 0 && model.words.kind(token - 1) != Some(Kind::Variable) =>
            {
                return false;
            }
            _ => {}
        }
    }
    false
}

fn messages(model: &Model, cursor: Cursor, part: Option<usize>, proposals: &mut Proposals) {
    let Some(part) = part else { return };
    let waits = is_waited_for(model, cursor);
    let (to_send, to_receive) = if waits { (2, 0) } else { (0, 2) };
    for (kind, rank, at_other_end, arrow, preposition) in [
        (CompletionKind::Send, to_send, SiteKind::Receive, "=>", "to"),
        (CompletionKind::Receive, to_receive, SiteKind::Send, "<=", "from"),
    ] {
        for exchange in exchanges(model, part, at_other_end) {
            let address = address_of(model, exchange.other);
            let label = format!("{} {arrow} {address}", exchange.label());
            let insert =
                format!("{}{} {arrow} {}$0", exchange.name, places(&exchange.terms, 1), escaped(&address));
            let detail = format!("{preposition} {}", model.index.parts[exchange.other].title());
            proposals.snippet(rank, kind, label, &detail, insert);
        }
    }
}

/// The arrow behind a message without one, with the parts that take it or send it.
fn arrows(model: &Model, cursor: Cursor, part: Option<usize>, proposals: &mut Proposals) {
    let site = model.index.sites.iter().rev().find(|site| site.close == Some(cursor.before - 1));
    let Some(name) = site.and_then(|site| site.name).map(|name| model.word(name)) else { return };
    let Some(part) = part else { return };
    for (at_other_end, arrow, what) in
        [(SiteKind::Receive, "=>", "received by"), (SiteKind::Send, "<=", "sent by")]
    {
        for exchange in exchanges(model, part, at_other_end).into_iter().filter(|it| it.name == name) {
            let text = format!("{arrow} {}", address_of(model, exchange.other));
            let detail = format!("{what} {}", model.index.parts[exchange.other].title());
            proposals.word(0, CompletionKind::Address, text, &detail);
        }
    }
    for (arrow, detail) in [("=>", "send it"), ("<=", "receive it")] {
        let insert = format!("{arrow} agent(${{1:_}}, %${{2:role}})");
        proposals.snippet(1, CompletionKind::Address, format!("{arrow} agent(.., %role)"), detail, insert);
    }
}

/// Addresses, first those on the other side of the message before the arrow.
fn addresses(model: &Model, cursor: Cursor, part: Option<usize>, proposals: &mut Proposals) {
    let arrow = cursor.before - 1;
    let Some(part) = part else { return };
    let site = model.index.sites.iter().rev().find(|site| site.close.is_some_and(|close| close + 1 == arrow));
    let name = site.and_then(|site| site.name).map(|name| model.word(name));
    let at_other_end = match model.words.kind(arrow) {
        Some(Kind::SendArrow) => SiteKind::Receive,
        _ => SiteKind::Send,
    };
    for exchange in exchanges(model, part, at_other_end) {
        if Some(&*exchange.name) == name {
            proposals.word(0, CompletionKind::Address, address_of(model, exchange.other), "takes part in it");
        }
    }
    let scene = &model.index.scenes[model.index.parts[part].scene];
    for other in scene.parts.clone() {
        let of_other = &model.index.parts[other];
        if of_other.role.is_empty() {
            continue;
        }
        if other != part {
            proposals.word(1, CompletionKind::Address, address_of(model, other), "");
        }
        proposals.word(
            2,
            CompletionKind::Address,
            format!("agent(_, %{})", of_other.role),
            "anybody of the role",
        );
        let insert = format!("agent(\\$${{1:who}}, %{})", of_other.role);
        let label = format!("agent($.., %{})", of_other.role);
        proposals.snippet(3, CompletionKind::Address, label, "one of the role", insert);
    }
}

/// Calls of the clauses of a part.
fn calls(model: &Model, part: Option<usize>, proposals: &mut Proposals) {
    let clauses = part.map_or(&[][..], |part| &model.index.parts[part].clauses);
    for clause in clauses.iter().map(|&clause| &model.index.clauses[clause]) {
        if clause.parameters.is_empty() {
            continue;
        }
        let texts: Vec<String> =
            clause.parameters.iter().map(|it| model.text()[model.words.extent(it)].to_owned()).collect();
        let label = format!("agent({})", texts.join(", "));
        let insert = match clause.name {
            Some(name) => {
                let rest = places(&texts[1..], 1);
                let rest = rest.trim_start_matches('(');
                let comma = if texts.len() > 1 { ", " } else { "" };
                format!("agent({}{comma}{rest}", model.word(name))
            }
            None => format!("agent{}", places(&texts, 1)),
        };
        proposals.snippet(3, CompletionKind::Clause, label, "call", insert);
    }
}

/// The names of the clauses of a part, for the first argument of a call.
fn calls_by_name(model: &Model, part: Option<usize>, proposals: &mut Proposals) {
    let clauses = part.map_or(&[][..], |part| &model.index.parts[part].clauses);
    for name in clauses.iter().filter_map(|&clause| model.index.clauses[clause].name) {
        proposals.word(0, CompletionKind::Clause, model.word(name), "");
    }
}

/// Asks; `whole` if the variable is yet to be written.
fn procedures(model: &Model, cursor: Cursor, whole: bool, proposals: &mut Proposals) {
    let (before, first) = if whole { ("\\$${1:answer} = ", 2) } else { ("", 1) };
    for declared in &model.index.declarations {
        let name = model.word(declared.name);
        let texts: Vec<String> =
            declared.parameters.iter().map(|it| model.text()[model.words.extent(it)].to_owned()).collect();
        let detail = if may_say_no(model, declared) { "may say no" } else { "always answers" };
        let label = format!("{name}({})", texts.join(", "));
        let insert = format!("{before}{name}{}", places(&texts, first));
        proposals.snippet(3, CompletionKind::Procedure, label, detail, insert);
    }
    for entity in model.index.of_kind(EntityKind::Procedure) {
        let mut mentions = entity.mentions.iter().map(|&it| model.index.mentions[it].token);
        let declared = model.index.declaration(model.text(), &model.words, &entity.name).is_some();
        if !declared && mentions.any(|token| Some(token) != cursor.word) {
            let insert = format!("{before}{}(${first})", entity.name);
            let label = format!("{}(..)", entity.name);
            proposals.snippet(4, CompletionKind::Procedure, label, "not declared", insert);
        }
    }
}
