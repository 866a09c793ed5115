//! The names of scenes and clauses.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use map_syntax::{ItemSketch, TokenKind as Kind};

use super::builder::Builder;
use super::items::is_body_word;
use super::{Address, Clause, EntityKind, Part, Scene, Site, SiteKind};
use crate::answers::OccurrenceKind::{Declaration, Read, Write};

/// A scene with its clauses.
pub(super) fn scene(builder: &mut Builder<'_>, scene: &ItemSketch) {
    let number = builder.index.scenes.len();
    let first = scene.tokens.start;
    let name = (builder.kind(first) == Some(Kind::Name)).then_some(first);
    if let Some(name) = name {
        builder.mention(name, EntityKind::Scene, 0, Declaration);
    }
    let start = builder.index.clauses.len();
    let first_part = builder.index.parts.len();
    let mut parts = HashMap::new();
    for tokens in &scene.clauses {
        head(builder, number, &mut parts, tokens.clone());
    }
    let clauses = start..builder.index.clauses.len();
    let parts = first_part..builder.index.parts.len();
    let tokens = scene.tokens.clone();
    builder.index.scenes.push(Scene { name, tokens, clauses: clauses.clone(), parts });
    for clause in clauses.clone() {
        body(builder, clause);
    }
    name_clauses(builder, clauses);
}

/// Reads the head of a clause: `agent(who, %role, parameters..)`.
fn head<'a>(
    builder: &mut Builder<'a>,
    scene: usize,
    parts: &mut HashMap<(&'a str, Option<&'a str>), usize>,
    tokens: Range<usize>,
) {
    let open = tokens.start + 1;
    let is_head =
        builder.kind(tokens.start) == Some(Kind::Agent) && builder.kind(open) == Some(Kind::OpenParen);
    let (terms, end) = match is_head && open < tokens.end {
        true => {
            // The terms of a head end before its `=`, also where the parenthesis is missing.
            let equals = (open..tokens.end).find(|&token| builder.kind(token) == Some(Kind::Equals));
            let (terms, close) = builder.arguments(open, equals.unwrap_or(tokens.end));
            let end = close.map_or(terms.last().map_or(open + 1, |term| term.end), |close| close + 1);
            (terms, end)
        }
        false => (Vec::new(), tokens.start),
    };
    let only = |index: usize, kind: Kind| {
        let term = terms.get(index)?;
        let token = term.start;
        (term.len() == 1 && builder.kind(token) == Some(kind)).then_some(token)
    };
    let literal = only(0, Kind::AgentName);
    let role = only(1, Kind::Role);
    let name = only(2, Kind::Name);
    let key = (role.map_or("", |role| builder.name(role)), literal.map(|literal| builder.name(literal)));
    let part = *parts.entry(key).or_insert_with(|| {
        let (role, literal) = (key.0.to_owned(), key.1.map(str::to_owned));
        builder.index.parts.push(Part { scene, role, literal, clauses: Vec::new() });
        builder.index.parts.len() - 1
    });
    let clause = builder.index.clauses.len();
    builder.index.parts[part].clauses.push(clause);
    for token in tokens.start..end {
        match builder.kind(token) {
            Some(Kind::AgentName) if Some(token) == literal => builder.agent(token, Declaration),
            Some(Kind::Role) if Some(token) == role => {
                builder.mention(token, EntityKind::Role, 0, Declaration);
            }
            Some(Kind::Name) if Some(token) != name => builder.constant(token),
            _ => builder.term(token, tokens.start),
        }
    }
    let parameters = terms.into_iter().skip(2).collect();
    builder.index.clauses.push(Clause { part, head: tokens.start..end, tokens, parameters, name });
}

/// What an open parenthesis belongs to.
enum Frame {
    /// It groups operations.
    Group,
    /// It holds terms.
    Terms,
}

/// Reads the body of a clause.
fn body(builder: &mut Builder<'_>, clause: usize) {
    let tokens = builder.index.clauses[clause].tokens.clone();
    let start = builder.index.clauses[clause].head.end;
    let scope = tokens.start;
    let mut frames: Vec<Frame> = Vec::new();
    let mut token = start;
    while token < tokens.end {
        let kind = builder.kind(token);
        let in_terms = matches!(frames.last(), Some(Frame::Terms));
        let opens = token + 1 < tokens.end && builder.kind(token + 1) == Some(Kind::OpenParen);
        if in_terms && ends_terms(builder, token) {
            while matches!(frames.last(), Some(Frame::Terms)) {
                frames.pop();
            }
            continue;
        }
        match kind {
            Some(Kind::OpenParen) => frames.push(if in_terms { Frame::Terms } else { Frame::Group }),
            Some(Kind::CloseParen) => _ = frames.pop(),
            Some(Kind::Agent) if opens => {
                if !matches!(builder.kind(token - 1), Some(Kind::SendArrow | Kind::ReceiveArrow)) {
                    call(builder, clause, token);
                }
                frames.push(Frame::Terms);
                token += 1;
            }
            Some(Kind::Name) if opens && !in_terms => {
                named(builder, clause, token);
                frames.push(Frame::Terms);
                token += 1;
            }
            Some(Kind::Name) if in_terms && names_clause(builder, token) => {}
            Some(Kind::Name) if !in_terms || is_constant(builder, token) => builder.constant(token),
            Some(Kind::Name) => {}
            _ => builder.term(token, scope),
        }
        token += 1;
    }
}

/// Whether a token cannot stand among terms: a parenthesis before it is missing.
fn ends_terms(builder: &Builder<'_>, token: usize) -> bool {
    let goes_on = || {
        let next = builder.words.tokens.get(token + 1);
        builder.words.tokens[token].first_on_line
            || next.is_some_and(|it| matches!(it.kind, Kind::Agent | Kind::Waitfor))
    };
    match builder.kind(token) {
        Some(
            Kind::Waitfor
            | Kind::Timeout
            | Kind::Par
            | Kind::SendArrow
            | Kind::Agent
            | Kind::Skip
            | Kind::Fail,
        ) => true,
        Some(Kind::Then | Kind::Or) => goes_on(),
        Some(Kind::ReceiveArrow) => builder.kind(token + 1) == Some(Kind::Agent),
        _ => false,
    }
}

/// Whether a name is the first argument of a call: it is noted later.
fn names_clause(builder: &Builder<'_>, token: usize) -> bool {
    let site = builder.index.sites.last();
    site.is_some_and(|site| {
        site.kind == SiteKind::Call
            && site.arguments.first().is_some_and(|first| *first == (token..token + 1))
    })
}

/// Whether a name among terms is a constant, not a word of an expression: words are names where they stand alone.
fn is_constant(builder: &Builder<'_>, token: usize) -> bool {
    let is_alone = |site: &Site| {
        let address = site.address.iter().flat_map(|address| [&address.agent, &address.role]);
        site.arguments.iter().chain(address).any(|term| *term == (token..token + 1))
    };
    !is_body_word(builder.word(token)) || builder.index.sites.last().is_some_and(is_alone)
}

/// `agent(t..)`: its first term is the name of a clause, which is noted once all heads are known.
fn call(builder: &mut Builder<'_>, clause: usize, token: usize) {
    let end = builder.index.clauses[clause].tokens.end;
    let (arguments, close) = builder.arguments(token + 1, limit(builder, token + 1, end));
    let tokens = token..extent(token + 1, &arguments, close);
    builder.index.sites.push(Site {
        kind: SiteKind::Call,
        name: None,
        open: token + 1,
        close,
        arguments,
        clause: Some(clause),
        address: None,
        tokens,
    });
}

/// `m(t..) => ..`, `m(t..) <= ..`, `$x = p(t..)` or `p(t..)`.
fn named(builder: &mut Builder<'_>, clause: usize, name: usize) {
    let end = builder.index.clauses[clause].tokens.end;
    let open = name + 1;
    let (arguments, close) = builder.arguments(open, limit(builder, open, end));
    let mut tokens = name..extent(open, &arguments, close);
    let arrow = tokens.end;
    let asks = builder.kind(name - 1) == Some(Kind::Equals) && builder.kind(name - 2) == Some(Kind::Variable);
    let kind = match builder.kind(arrow).filter(|_| arrow < end) {
        Some(Kind::SendArrow) => SiteKind::Send,
        Some(Kind::ReceiveArrow) => SiteKind::Receive,
        _ if asks => SiteKind::Ask,
        _ => SiteKind::Bare,
    };
    let mut address = None;
    match kind {
        SiteKind::Ask => tokens.start = name - 2,
        SiteKind::Send | SiteKind::Receive => {
            tokens.end = arrow + 1;
            address = address_at(builder, arrow + 1, end);
            tokens.end = address.as_ref().map_or(tokens.end, |address| address.tokens.end);
        }
        _ => {}
    }
    match kind {
        SiteKind::Send => builder.mention(name, EntityKind::Performative, 0, Write),
        SiteKind::Receive => builder.mention(name, EntityKind::Performative, 0, Read),
        SiteKind::Bare => builder.bare(name),
        _ => builder.mention(name, EntityKind::Procedure, 0, Read),
    }
    let clause = Some(clause);
    builder.index.sites.push(Site {
        kind,
        name: Some(name),
        open,
        close,
        arguments,
        clause,
        address,
        tokens,
    });
}

fn address_at(builder: &Builder<'_>, agent: usize, end: usize) -> Option<Address> {
    if agent + 1 >= end
        || builder.kind(agent) != Some(Kind::Agent)
        || builder.kind(agent + 1) != Some(Kind::OpenParen)
    {
        return None;
    }
    let (mut arguments, close) = builder.arguments(agent + 1, limit(builder, agent + 1, end));
    let tokens = agent..extent(agent + 1, &arguments, close);
    let last = tokens.end;
    arguments.resize(2, last..last);
    let role = arguments.pop()?;
    Some(Address { agent: arguments.pop()?, role, tokens })
}

/// Where terms behind a parenthesis must have ended, also if it is not closed.
fn limit(builder: &Builder<'_>, open: usize, end: usize) -> usize {
    let mut depth = 0_usize;
    for token in open + 1..end {
        match builder.kind(token) {
            Some(Kind::OpenParen) => depth += 1,
            Some(Kind::CloseParen) => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return token + 1,
            },
            _ if ends_terms(builder, token) => return token,
            _ => {}
        }
    }
    end
}

fn extent(open: usize, arguments: &[Range<usize>], close: Option<usize>) -> usize {
    close.map_or(arguments.last().map_or(open + 1, |last| last.end), |close| close + 1)
}

/// Notes the names of clauses, in their heads and in calls. Where a call passes on a value, or a head takes any, the
/// name of a clause is a value, too: it is then noted as a constant as well.
fn name_clauses(builder: &mut Builder<'_>, clauses: Range<usize>) {
    let first_name = |builder: &Builder<'_>, site: &Site| {
        let first = site.arguments.first()?;
        (first.len() == 1 && builder.kind(first.start) == Some(Kind::Name)).then_some(first.start)
    };
    let start = builder.index.sites.partition_point(|site| site.clause.is_none_or(|it| it < clauses.start));
    let mut calls = Vec::new();
    let mut passes_values = HashSet::new();
    for site in builder.index.sites[start..].iter().filter(|site| site.kind == SiteKind::Call) {
        let Some(clause) = site.clause else { continue };
        let part = builder.index.clauses[clause].part;
        match (first_name(builder, site), site.arguments.first()) {
            (Some(name), _) => calls.push((name, part)),
            (None, Some(first)) if !is_literal(builder, first) => _ = passes_values.insert(part),
            _ => {}
        }
    }
    let mut heads = Vec::new();
    for clause in &builder.index.clauses[clauses] {
        match (clause.name, clause.parameters.first()) {
            (Some(name), _) => heads.push((name, clause.part)),
            (None, Some(first)) if builder.kind(first.start) == Some(Kind::Variable) => {
                passes_values.insert(clause.part);
            }
            _ => {}
        }
    }
    for (name, part) in heads {
        builder.mention(name, EntityKind::Clause, part, Declaration);
        if passes_values.contains(&part) {
            builder.constant(name);
        }
    }
    for (name, part) in calls {
        builder.mention(name, EntityKind::Clause, part, Read);
        if passes_values.contains(&part) {
            builder.constant(name);
        }
    }
}

/// Whether a term is an integer or a string.
fn is_literal(builder: &Builder<'_>, term: &Range<usize>) -> bool {
    term.len() == 1 && matches!(builder.kind(term.start), Some(Kind::Integer | Kind::Text))
}
