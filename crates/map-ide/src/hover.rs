//! What is shown about the word under the cursor.

mod message;

use std::fmt::Write as _;

use map_diagnostics::Code;
use map_syntax::TokenKind as Kind;

use crate::answers::{Hover, OccurrenceKind};
use crate::definition::candidates;
use crate::docs;
use crate::index::{Declaration, Entity, EntityKind, Mention, SiteKind};
use crate::model::Model;
use crate::weights::is_weight_word;

/// How many entries a list shows.
const SHOWN: usize = 10;

/// What is known about the word at an offset.
pub(crate) fn hover(model: &Model, at: usize) -> Option<Hover> {
    if let Some(code) = code_at(model, at) {
        return Some(code);
    }
    if let Some(token) = model.named_at(at) {
        let mention = model.index.mentions_of(token).first()?;
        return Some(Hover { range: model.words.range(token), markdown: about(model, mention)? });
    }
    let token = model.words.at(at)?;
    let markdown = match model.words.kind(token)? {
        Kind::Agent => agent_word(model, token)?,
        _ => keyword(model, token)?.to_owned(),
    };
    Some(Hover { range: model.words.range(token), markdown })
}

/// The page of a diagnostic code in a comment.
fn code_at(model: &Model, at: usize) -> Option<Hover> {
    let comment = model.words.comment_at(model.text(), at)?;
    let text = model.text();
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let start = text[comment.start..at]
        .rfind(|c: char| !is_word(c))
        .map_or(comment.start, |it| comment.start + it + 1);
    let start = (start..=at).find(|&it| text.is_char_boundary(it))?;
    let end = at + text[at..comment.end].find(|c: char| !is_word(c)).unwrap_or(comment.end - at);
    let code = Code::from_text(&text[start..end])?;
    Some(Hover { range: start..end, markdown: code.explanation().to_owned() })
}

fn about(model: &Model, mention: &Mention) -> Option<String> {
    let entity = &model.index.entities[mention.entity];
    let name = &entity.name;
    let text = match entity.kind {
        EntityKind::Performative => message::about(model, mention.token),
        EntityKind::Clause => clauses(model, mention.token, entity),
        EntityKind::Procedure => procedure(model, entity),
        EntityKind::Role => role(model, mention.token, name),
        EntityKind::Agent => agent(model, mention, name)?,
        EntityKind::Variable => variable(model, mention, entity),
        EntityKind::Cell => cell(model, entity),
        EntityKind::Property => item(model, entity, "property"),
        EntityKind::Cost => item(model, entity, "cost"),
        EntityKind::Measure => item(model, entity, "measure"),
        EntityKind::Scene => scene(model, mention.token, entity),
        EntityKind::Constant => format!("`{name}`: a constant"),
    };
    Some(text)
}

/// A piece of MAP.
pub(crate) fn code_block(text: &str) -> String {
    format!("```map\n{text}\n```\n")
}

/// The first entries, one a line, and how many more there are.
pub(crate) fn list(entries: &[String]) -> String {
    let mut text = String::new();
    for entry in entries.iter().take(SHOWN) {
        let _ = writeln!(text, "- {entry}");
    }
    if entries.len() > SHOWN {
        let _ = writeln!(text, "- and {} more", entries.len() - SHOWN);
    }
    text
}

fn comment(model: &Model, at: usize) -> String {
    docs::above(model, at).map(|text| format!("\n---\n\n{text}\n")).unwrap_or_default()
}

/// The clauses that a name or a call means.
fn clauses(model: &Model, token: usize, entity: &Entity) -> String {
    let index = &model.index;
    let all = &index.parts[entity.scope].clauses;
    let here = index.clause_of(token).filter(|&clause| index.clauses[clause].head.contains(&token));
    let call = index.sites.iter().find(|it| {
        it.kind == SiteKind::Call && it.arguments.first().is_some_and(|first| first.start == token)
    });
    let named = |clause: &usize| index.clauses[*clause].name.is_some_and(|it| model.word(it) == entity.name);
    let meant: Vec<usize> = match (here, call) {
        (Some(clause), _) => vec![clause],
        (None, Some(call)) => candidates(model, call),
        (None, None) => all.iter().copied().filter(named).collect(),
    };
    let mut text = String::new();
    for clause in meant.into_iter().take(SHOWN) {
        text.push_str(&clause_text(model, clause));
    }
    if text.is_empty() {
        text = format!("No clause of `{}` is called `{}`.\n", index.parts[entity.scope].title(), entity.name);
    }
    let calls = index.occurrences(index.entity(EntityKind::Clause, entity.scope, &entity.name).unwrap_or(0));
    let calls = calls.filter(|it| it.kind == OccurrenceKind::Read).count();
    let _ = write!(text, "\nCalled or mentioned in {}.", counted(calls, "place"));
    text
}

/// A clause by its head.
pub(crate) fn clause_text(model: &Model, clause: usize) -> String {
    let it = &model.index.clauses[clause];
    let head = &model.text()[model.words.extent(&it.head)];
    let part = &model.index.parts[it.part];
    let what = match it.parameters.len() {
        0 => format!("The entry of `{}`: its agents begin here.", part.title()),
        count => format!("A clause of `{}` with {}.", part.title(), counted(count, "parameter")),
    };
    format!("{}\n{what}\n{}", code_block(head), comment(model, model.words.range(it.tokens.start).start))
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The word `agent`: a clause, a call or an address.
fn agent_word(model: &Model, token: usize) -> Option<String> {
    let index = &model.index;
    if let Some(clause) = index.clause_of(token).filter(|&it| index.clauses[it].tokens.start == token) {
        return Some(clause_text(model, clause));
    }
    if let Some(call) = index.sites.iter().find(|it| it.kind == SiteKind::Call && it.tokens.start == token) {
        let texts: Vec<String> =
            candidates(model, call).into_iter().take(SHOWN).map(|it| clause_text(model, it)).collect();
        return Some(match texts.is_empty() {
            true => "A call that no head of the part matches.".to_owned(),
            false => texts.concat(),
        });
    }
    message::address(model, token)
}

/// A procedure: its declaration, and who asks it.
fn procedure(model: &Model, entity: &Entity) -> String {
    let declared = model.index.declaration(model.text(), &model.words, &entity.name);
    let mut text = match declared {
        Some(it) => {
            let written = &model.text()[model.words.extent(&it.tokens)];
            format!(
                "{}\n{}\n{}",
                code_block(written),
                answers(model, it),
                comment(model, model.words.range(it.tokens.start).start)
            )
        }
        None => {
            let what = "A decision that is not declared: any value, or \"no\".";
            format!("{}\n{what}\n", code_block(&format!("decision {}(..)", entity.name)))
        }
    };
    if let Some(truth) = model.file.truths().find(|it| it.procedure().text == entity.name) {
        let span = truth.span();
        let written = &model.text()[span.start as usize..span.end as usize];
        let _ = write!(text, "\nAn honest agent answers\n\n{}", code_block(written));
    }
    let mut askers: Vec<String> = Vec::new();
    for mention in entity.mentions.iter().map(|&it| &model.index.mentions[it]) {
        if let Some(clause) = model.index.clause_of(mention.token) {
            let head = &model.text()[model.words.extent(&model.index.clauses[clause].head)];
            let asker = format!("`{head}`");
            if !askers.contains(&asker) {
                askers.push(asker);
            }
        }
    }
    match askers.is_empty() {
        true => text.push_str("\nNobody asks it.\n"),
        false => _ = write!(text, "\nAsked by\n\n{}", list(&askers)),
    }
    text
}

/// What a declared procedure answers.
fn answers(model: &Model, declared: &Declaration) -> String {
    let no = match may_say_no(model, declared) {
        true => "It may answer \"no\".",
        false => "It always answers.",
    };
    let body = model.file.procedures().find(|it| it.name.text == model.word(declared.name));
    let open = body.is_some_and(|it| it.body.is_none());
    let any =
        if open { " Its answers are left open in a verification, and drawn at random in a run." } else { "" };
    format!("{no}{any}")
}

/// Whether a declared procedure may answer "no": a decision whose last alternative has a guard, or that has none.
pub(crate) fn may_say_no(model: &Model, declared: &Declaration) -> bool {
    use map_syntax::ast::Body;
    let name = model.word(declared.name);
    let body = model.file.procedures().find(|it| it.name.text == name).and_then(|it| it.body.as_ref());
    declared.may_refuse
        && !matches!(body, Some(Body::Alternatives(all)) if all.last().is_some_and(|last| last.guard.is_none()))
}

/// A role: its parts and their agents under the cast of the file.
fn role(model: &Model, token: usize, name: &str) -> String {
    let mut text = code_block(&format!("%{name}"));
    let scene = model.scene_of(token);
    let parts = model.index.parts.iter().enumerate();
    let meant = parts.filter(|(_, part)| part.role == name && scene.is_none_or(|scene| part.scene == scene));
    let lines: Vec<String> = meant.map(|(number, _)| part_line(model, number, scene.is_none())).collect();
    match lines.is_empty() {
        true => text.push_str("\nNo clause defines this role.\n"),
        false => _ = write!(text, "\nRole\n\n{}", list(&lines)),
    }
    text
}

/// A part with its agents.
fn part_line(model: &Model, number: usize, with_scene: bool) -> String {
    let part = &model.index.parts[number];
    let names = model.cast.names(&model.index, number);
    let count = model.cast.count(number);
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let more = if count > names.len() { ", .." } else { "" };
    let agents = match count {
        0 => "no agents in the cast".to_owned(),
        1 => format!("1 agent, {}", shown.join(", ")),
        _ => format!("{count} agents, {}{more}", shown.join(", ")),
    };
    let scene = model.index.scenes[part.scene].name.filter(|_| with_scene);
    let of_scene = scene.map(|name| format!("in `{}`: ", model.word(name))).unwrap_or_default();
    format!("{of_scene}`{}`: {agents}, {}", part.title(), counted(part.clauses.len(), "clause"))
}

fn agent(model: &Model, mention: &Mention, name: &str) -> Option<String> {
    let scene = model.scene_of(mention.token);
    let parts = model.index.parts.iter().enumerate();
    let meant =
        parts.filter(|(_, part)| part.base() == name && scene.is_none_or(|scene| part.scene == scene));
    let lines: Vec<String> = meant
        .map(|(number, part)| {
            format!("of the role `%{}`; {}", part.role, part_line(model, number, scene.is_none()))
        })
        .collect();
    let own = model.index.clause_of(mention.token).is_some_and(|clause| {
        let part = &model.index.parts[model.index.clauses[clause].part];
        part.literal.as_deref() == Some(name)
    });
    let mut text = code_block(model.word(mention.token));
    match lines.is_empty() {
        true => text.push_str("\nNo clause defines this agent.\n"),
        false => _ = write!(text, "\nAgent\n\n{}", list(&lines)),
    }
    if own {
        text.push_str("\nHere it means the agent itself, the one that follows the clause.\n");
    }
    Some(text)
}

fn variable(model: &Model, mention: &Mention, entity: &Entity) -> String {
    let what = match model.words.item_of(entity.scope).map(|item| model.words.items[item].kind) {
        Some(map_syntax::ItemKind::Procedure | map_syntax::ItemKind::Truth) => "A parameter of the procedure",
        Some(map_syntax::ItemKind::Property) => "A variable of the property",
        Some(map_syntax::ItemKind::Cost) => "The price that the message names",
        Some(map_syntax::ItemKind::Measure) => "A variable of the measure",
        _ if mention.kind == OccurrenceKind::Declaration => "A variable of the clause, bound here",
        _ => "A variable of the clause",
    };
    let uses = counted(entity.mentions.len(), "occurrence");
    format!("{}\n{what}; {uses}.\n", code_block(model.word(mention.token)))
}

/// A cell: the memories that have it, and the procedures that change it.
fn cell(model: &Model, entity: &Entity) -> String {
    let mut text = code_block(&format!("@{}", entity.name));
    for memory in model.file.memories() {
        for cell in memory.cells.iter().filter(|it| it.cell.text == entity.name) {
            let value = model.text()[cell.cell.span.end as usize..cell.span.end as usize].trim();
            let value = value.strip_prefix('=').map_or(value, str::trim_start);
            let _ = writeln!(text, "\nA memory cell of `%{}`, at first `{value}`.", memory.role.text);
        }
    }
    let mut changing: Vec<String> = Vec::new();
    for mention in entity.mentions.iter().map(|&it| &model.index.mentions[it]) {
        let inside = model.index.declarations.iter().find(|it| it.tokens.contains(&mention.token));
        if let Some(it) = inside.filter(|_| mention.kind == OccurrenceKind::Write) {
            let name = format!("`{}`", model.word(it.name));
            if !changing.contains(&name) {
                changing.push(name);
            }
        }
    }
    match changing.is_empty() {
        true => text.push_str("\nNo procedure changes it.\n"),
        false => _ = write!(text, "\nChanged by\n\n{}", list(&changing)),
    }
    text
}

/// An item that is shown as it is written.
fn item(model: &Model, entity: &Entity, what: &str) -> String {
    let token = model.index.mentions[entity.mentions[0]].token;
    match model.words.item_of(token).map(|item| &model.words.items[item].tokens) {
        Some(tokens) => {
            let range = model.words.extent(tokens);
            format!("{}{}", code_block(&model.text()[range.clone()]), comment(model, range.start))
        }
        None => code_block(&format!("{what} {}", entity.name)),
    }
}

fn scene(model: &Model, token: usize, entity: &Entity) -> String {
    let mut text = code_block(&format!("{}[ .. ]", entity.name));
    if let Some(scene) = model.scene_of(token).map(|scene| &model.index.scenes[scene]) {
        let lines: Vec<String> = scene.parts.clone().map(|part| part_line(model, part, false)).collect();
        let _ = write!(text, "\nScene\n\n{}", list(&lines));
        text.push_str(&comment(model, model.words.range(token).start));
    }
    text
}

/// What a reserved word does.
fn keyword(model: &Model, token: usize) -> Option<&'static str> {
    Some(match model.words.kind(token)? {
        Kind::Then => {
            "`A then B`: `B` runs after `A` has succeeded. If one of the two fails, the sequence fails."
        }
        Kind::Or => "`A or B`: `A` runs. If it fails, what it has bound is unbound again and `B` runs.",
        Kind::Par => {
            "`A par B`: both run, in turns as it happens, with the same variables and the same mailbox."
        }
        Kind::Waitfor => {
            "`waitfor A timeout B`: `A` is tried until it succeeds. While the agent waits its time may run out; then `B` \
             runs instead. Without `timeout` it waits as long as it takes. A `waitfor` takes in as much as it can."
        }
        Kind::Timeout => {
            "What is done when time runs out at the `waitfor` before it: a single unit, so a sequence needs parentheses."
        }
        Kind::Skip => "Succeeds and does nothing.",
        Kind::Fail => "Fails: the next alternative of an `or` runs, or a `waitfor` waits on.",
        Kind::SendArrow => {
            "`m(..) => agent(a, r)`: the message goes into the mailbox of every agent, other than the sender, that has \
             this name and this role. If there is none, the send fails."
        }
        Kind::ReceiveArrow if model.words.kind(token + 1) == Some(Kind::Agent) => {
            "`m(..) <= agent(a, r)`: takes the oldest message in the mailbox that matches. If none does, the receive \
             fails at once: only a `waitfor` waits."
        }
        Kind::Name if is_weight_word(model.text(), &model.words, token) => match model.word(token) {
            "by" => {
                "`0..3 by 4 - value`: how likely each value is when chance picks one, in proportion to the others. A weight \
                 of 0 takes a value out of the domain. A verification tries all values, whatever their weights."
            }
            "probability" => {
                "How likely the decision is not to say \"no\" in a run that chance decides; `--yes` takes precedence. A \
                 verification tries both."
            }
            "geometric" => "`geometric(p)`: the k-th value, from 0 on, has the weight p to the power of k.",
            "binomial" => {
                "`binomial(p)`: the k-th value, from 0 on, is as likely as k successes with probability p in one trial \
                 less than there are values."
            }
            _ => "In a weight: the integer of the range whose weight it is.",
        },
        Kind::Wildcard => "Accepts anything. In the address of a send it means anybody, or any role.",
        _ => return None,
    })
}
