//! Scenes in which messages share a performative, as `inform(start, ..)` and `inform(bid, ..)` do: what tells them
//! apart is a constant, or who they are from and for, or nothing.

use super::random::Random;

/// What becomes of the messages of one performative.
#[derive(Clone, Copy)]
enum Spoken {
    AsBefore,
    /// `say(..)`, with the same arguments.
    Shared,
    /// `say(kind, ..)`
    KindFirst,
    /// `say(.., kind)`
    KindLast,
}

/// The same scene with shared performatives. `m1`, `m2`, and so on are replaced, and each in the same way wherever it
/// occurs, but some receives do not ask for the constant.
pub(super) fn share(text: &str, random: &mut Random) -> String {
    let of_each: Vec<(Spoken, usize)> = (0..64)
        .map(|number| {
            let kinds =
                [Spoken::AsBefore, Spoken::Shared, Spoken::KindFirst, Spoken::KindFirst, Spoken::KindLast];
            (*random.pick(&kinds), if random.percent(20) { 1 } else { number })
        })
        .collect();
    let mut shared = String::new();
    let mut rest = text;
    while let Some(Found { before, number, arguments, after }) = next_message(rest) {
        let (spoken, kind) = of_each[number % of_each.len()];
        let receives = after.trim_start().starts_with("<=");
        let kind = if receives && random.percent(12) { "_".to_owned() } else { format!("k{kind}") };
        let both = |one: &str, other: &str| match one.is_empty() || other.is_empty() {
            true => format!("{one}{other}"),
            false => format!("{one}, {other}"),
        };
        shared.push_str(before);
        shared.push_str(&match spoken {
            Spoken::AsBefore => format!("m{number}({arguments})"),
            Spoken::Shared => format!("say({arguments})"),
            Spoken::KindFirst => format!("say({})", both(&kind, arguments)),
            Spoken::KindLast => format!("say({})", both(arguments, &kind)),
        });
        rest = after;
    }
    shared + rest
}

/// A message in a text, with what is before and behind it.
struct Found<'t> {
    before: &'t str,
    /// The 7 of `m7(..)`.
    number: usize,
    arguments: &'t str,
    after: &'t str,
}

/// The first message in a text.
fn next_message(text: &str) -> Option<Found<'_>> {
    let is_part_of_name = |letter: char| letter.is_alphanumeric() || "_$!%@".contains(letter);
    for (start, _) in text.match_indices('m').filter(|&(start, _)| !text[..start].ends_with(is_part_of_name))
    {
        let digits = text[start + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let open = start + 1 + digits;
        if let (Ok(number), Some(inside)) = (text[start + 1..open].parse(), text[open..].strip_prefix('(')) {
            let close = closing(inside)?;
            let (before, arguments, after) = (&text[..start], &inside[..close], &inside[close + 1..]);
            return Some(Found { before, number, arguments, after });
        }
    }
    None
}

/// Where the parenthesis is closed that was opened before the text. No text constant has one in it.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.bytes().position(|letter| {
        depth += match letter {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        depth == 0
    })
}
