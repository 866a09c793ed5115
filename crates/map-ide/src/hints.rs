//! Notes within the lines: whom an address means, and which asks may fail.

use std::ops::Range;

use map_syntax::TokenKind as Kind;

use crate::answers::{Inlay, InlayKind};
use crate::cast::{meant, only};
use crate::hover::may_say_no;
use crate::index::{Site, SiteKind};
use crate::model::Model;

/// How many names are shown.
const SHOWN: usize = 4;

/// The notes within a range.
pub(crate) fn inlay_hints(model: &Model, within: &Range<usize>) -> Vec<Inlay> {
    let words = &model.words;
    let first = model.index.sites.partition_point(|site| words.extent(&site.tokens).end < within.start);
    let sites = model.index.sites[first..].iter();
    let sites = sites.take_while(|site| words.range(site.open).start <= within.end);
    let notes = sites.filter_map(|site| match site.kind {
        SiteKind::Send => recipients(model, site),
        SiteKind::Ask | SiteKind::Bare => may_refuse(model, site),
        SiteKind::Receive | SiteKind::Call | SiteKind::Event => None,
    });
    notes.filter(|note| within.start <= note.at && note.at <= within.end).collect()
}

/// Whom a send to anybody of a role means under the cast of the file.
fn recipients(model: &Model, send: &Site) -> Option<Inlay> {
    let address = send.address.as_ref()?;
    only(&model.words, &address.agent, Kind::Wildcard)?;
    let own = model.part_of(send)?;
    let parts = meant(model.text(), &model.words, &model.index, own, address);
    let mut names = Vec::new();
    let mut count = 0;
    let mut others = false;
    for part in parts {
        let agents = model.cast.count(part);
        match (part == own, agents) {
            (true, 0 | 1) => {}
            (true, _) => {
                count += agents - 1;
                others = true;
            }
            (false, _) => {
                count += agents;
                names.extend(model.cast.names(&model.index, part));
            }
        }
    }
    let label = match (count, names.len()) {
        (0, _) => "nobody".to_owned(),
        (1, _) if others => "1 other agent".to_owned(),
        (_, _) if others => format!("{count} other agents"),
        (_, shown) if shown == count && shown <= SHOWN => names.join(", "),
        _ => format!("{count} agents"),
    };
    let tooltip = match count {
        0 => "Under the cast of the file there is no such agent other than the sender: the send fails."
            .to_owned(),
        _ => "The recipients under the cast of the file.".to_owned(),
    };
    let at = model.words.extent(&address.tokens).end;
    Some(Inlay { at, label, tooltip, kind: InlayKind::Recipients })
}

fn may_refuse(model: &Model, ask: &Site) -> Option<Inlay> {
    let name = model.word(ask.name?);
    let declared = model.index.declaration(model.text(), &model.words, name);
    let refuses = declared.map_or(ask.kind == SiteKind::Ask, |declared| may_say_no(model, declared));
    refuses.then(|| Inlay {
        at: model.words.extent(&ask.tokens).end,
        label: "may say no".to_owned(),
        tooltip: format!("`{name}` may answer \"no\"; the ask then fails."),
        kind: InlayKind::MaySayNo,
    })
}
