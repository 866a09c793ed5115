//! Random costs of a scene.

use super::Random;
use crate::oracle::Vocabulary;

/// Declarations of a few costs that obey the static rules in the scene with this vocabulary, `cost0` and so on. Equal
/// seeds give equal costs.
#[must_use]
pub fn random_costs(words: &Vocabulary, seed: u64) -> String {
    let mut random = Random::new(seed, 83);
    let mut text = String::new();
    for number in 0..1 + random.below(3) {
        let charges: Vec<String> =
            (0..1 + random.below(3)).filter_map(|_| charge(words, &mut random)).collect();
        if !charges.is_empty() {
            text.push_str(&format!("cost cost{number} {{ {} }}\n", charges.join(", ")));
        }
    }
    text
}

fn charge(words: &Vocabulary, random: &mut Random) -> Option<String> {
    let bearer = somebody(words, random);
    let amount = [0, 1, 1, 2, 3, 7, 1_200][random.below(7)];
    if words.messages.is_empty() || (!words.procedures.is_empty() && random.percent(45)) {
        let procedure = words.procedures.get(random.below(words.procedures.len().max(1)))?;
        return Some(format!("{bearer} asks {procedure} = {amount}"));
    }
    let (performative, arity) = &words.messages[random.below(words.messages.len())];
    let priced = (*arity > 0 && random.percent(40)).then(|| random.below(*arity));
    let arguments: Vec<&str> = (0..*arity).map(|it| if Some(it) == priced { "$n" } else { "_" }).collect();
    let price = priced.map_or(amount.to_string(), |_| "$n".to_owned());
    let (verb, preposition) = if random.percent(60) { ("sends", "to") } else { ("receives", "from") };
    let other = somebody(words, random);
    Some(format!("{bearer} {verb} {performative}({}) {preposition} {other} = {price}", arguments.join(", ")))
}

fn somebody(words: &Vocabulary, random: &mut Random) -> String {
    match random.below(6) {
        0 if !words.agents.is_empty() => format!("!{}", words.agents[random.below(words.agents.len())]),
        1 | 2 if !words.roles.is_empty() => format!("%{}", words.roles[random.below(words.roles.len())].name),
        _ => "_".to_owned(),
    }
}
