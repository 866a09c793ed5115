//! Weights and probabilities, which leave the values of a domain as they are: what can happen stays the same, and so do
//! all draws but those of a generator that is a copy.

use super::random::Random;

/// The body of a procedure, perhaps with weights, or with a probability before it.
pub(super) fn weighed_body(body: &str, may_refuse: bool, random: &mut Random) -> String {
    let mut body = body.to_owned();
    if let Some((before, domain)) = body.split_once("in ")
        && matches!(before, "" | "= ")
    {
        body = format!("{before}in {}", weighed(domain, random));
    }
    let is_open = body.is_empty() || body.starts_with("in ") || body == "fresh";
    if may_refuse && is_open && random.percent(20) {
        let probability = *random.pick(&["0.5", "0.25", "0.999999999", "1.0", "00.70"]);
        body = format!("with probability {probability} {body}");
    }
    body
}

/// A domain, perhaps with weights. Further values have the weight 0.
pub(super) fn weighed(domain: &str, random: &mut Random) -> String {
    if !random.percent(25) {
        return domain.to_owned();
    }
    if let Some(values) = domain.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        let is_twice = |(at, value): (usize, &&str)| values[..at].contains(value);
        if values.iter().enumerate().any(is_twice) {
            return domain.to_owned();
        }
        let weigh = |value: &str| match random.below(3) {
            0 => value.to_owned(),
            weight => format!("{value} : {}", weight * 3),
        };
        let mut weighed: Vec<String> = values.iter().copied().map(weigh).collect();
        if !values.contains(&"none") {
            weighed.push("none : 0".to_owned());
        }
        return format!("{{{}}}", weighed.join(", "));
    }
    let bounds = domain.split_once("..").map(|(first, last)| (first.trim(), last.trim()));
    let Some((Ok(first), Ok(last))) = bounds.map(|(first, last)| (first.parse::<i64>(), last.parse::<i64>()))
    else {
        return domain.to_owned();
    };
    let beyond = last + 1;
    match random.below(5) {
        0 => format!("{first}..{beyond} by {beyond} - value"),
        1 => format!("{first}..{beyond} by max(0, {beyond} - value) * 2"),
        2 => format!("{first}..{last} by (value - {}) * 3", first - 1),
        3 => format!("{first}..{last} by geometric(0.25)"),
        _ => format!("{first}..{last} by binomial(0.5)"),
    }
}
