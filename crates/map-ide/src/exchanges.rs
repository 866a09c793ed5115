//! Which sends and receives may meet.

use crate::cast::meant;
use crate::index::{Site, SiteKind};
use crate::model::Model;

/// The other ends of a message: of a send the receives that may take it, of a receive the sends that may reach it, of
/// an event in a property all sends.
pub(crate) fn others<'a>(model: &'a Model, site: &Site) -> Vec<&'a Site> {
    let same = |other: &&Site| {
        other.arguments.len() == site.arguments.len()
            && matches!((site.name, other.name), (Some(one), Some(it)) if model.word(one) == model.word(it))
    };
    let of_kind = |kind: SiteKind| model.index.sites.iter().filter(move |it| it.kind == kind).filter(same);
    match site.kind {
        SiteKind::Send => {
            of_kind(SiteKind::Receive).filter(|receive| may_meet(model, site, receive)).collect()
        }
        SiteKind::Receive => of_kind(SiteKind::Send).filter(|send| may_meet(model, send, site)).collect(),
        SiteKind::Event => of_kind(SiteKind::Send).collect(),
        SiteKind::Ask | SiteKind::Bare | SiteKind::Call => Vec::new(),
    }
}

/// Whether the addresses of a send and a receive allow that one takes what the other sends.
fn may_meet(model: &Model, send: &Site, receive: &Site) -> bool {
    let (Some(sender), Some(receiver)) = (model.part_of(send), model.part_of(receive)) else { return false };
    let includes = |site: &Site, own, part| match &site.address {
        Some(address) => meant(model.text(), &model.words, &model.index, own, address).contains(&part),
        None => true,
    };
    model.index.parts[sender].scene == model.index.parts[receiver].scene
        && includes(send, sender, receiver)
        && includes(receive, receiver, sender)
}
