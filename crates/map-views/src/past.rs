//! What has happened so far, said of what comes.

use crate::safety::{Happened, NoJudgement, Safety};

/// How often something may have to happen to be followed.
const MOST_TIMES: usize = 32;

/// The same formula without looking back; it begins at the first moment of a run. `always (f or count(e) < 2)` says
/// that from the second `e` on `f` always holds; `always (f or count(e) >= 2)` says that `f` holds until the second `e`
/// happens.
///
/// # Errors
/// If it looks back in another way.
pub(crate) fn looking_ahead(formula: Safety) -> Result<Safety, NoJudgement> {
    if !looks_back(&formula) {
        return Ok(formula);
    }
    let Safety::Unless(clause, released) = formula else { return Err(NoJudgement::LooksBack) };
    if *released != Safety::FALSE {
        return Err(NoJudgement::LooksBack);
    }
    let parts = if let Safety::Or(parts) = *clause { parts } else { vec![*clause] };
    let (mut past, mut present): (Vec<Safety>, Vec<Safety>) = parts.into_iter().partition(looks_back);
    let (Some(Safety::Past { happened, holds }), true) = (past.pop(), past.is_empty()) else {
        return Err(NoJudgement::LooksBack);
    };
    let Happened { what, times, now_counts } = happened;
    if times > MOST_TIMES || looks_back(&what) {
        return Err(NoJudgement::LooksBack);
    }
    let present = match present.len() {
        1 => present.remove(0),
        _ => Safety::Or(present),
    };
    let last = match (holds, now_counts) {
        (true, true) => present.clone().unless((*what).clone()),
        (true, false) => present.clone().unless(Safety::And(vec![(*what).clone(), present.clone()])),
        (false, true) => what.denied().unless(present.clone().always()),
        (false, false) => what.denied().unless(present.clone().always().next()),
    };
    Ok((1..times).fold(last, |later, _| match holds {
        true => {
            let first = Safety::And(vec![(*what).clone(), present.clone(), later.next()]);
            present.clone().unless(first)
        }
        false => what.denied().unless(later.next()),
    }))
}

fn looks_back(formula: &Safety) -> bool {
    match formula {
        Safety::Past { .. } => true,
        Safety::Now(..) | Safety::Liveness(_) => false,
        Safety::And(parts) | Safety::Or(parts) => parts.iter().any(looks_back),
        Safety::Next(inner) | Safety::Every(inner) => looks_back(inner),
        Safety::Unless(left, right) => looks_back(left) || looks_back(right),
    }
}
