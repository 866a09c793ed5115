//! `--sweep`: what other flags take, with several values one after the other.

use std::fmt;

use map_ir::Program;

use crate::odds::OddsArgs;
use crate::probability::{parse_probability, parse_yes};
use crate::scene::SceneArgs;
use crate::values::parse_cast_arg;

/// The most flags that are swept at once.
const MAX_SWEEPS: usize = 2;

/// The most points of a sweep.
pub const MAX_POINTS: usize = 1_000;

/// The decimal places of the values of a range.
const PLACES: usize = 9;

/// What is swept, and its values: `bidder=2..10`, `%auctioneer@reserve=0,3,9`, `good=0..1 by 0.25`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepArg {
    /// What is swept, as it was given.
    pub name: String,
    /// Its values in source form, in order; at least one, at most [`MAX_POINTS`].
    pub values: Vec<String>,
    /// The values as they were given.
    given: String,
}

impl fmt::Display for SweepArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.given)
    }
}

/// The flag whose values are swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    /// `--agents NAME=COUNT`
    Agents,
    /// `--set %ROLE@CELL=VALUE`
    Set,
    /// `--yes P`
    Yes,
    /// `--yes DECISION=P`
    YesOf,
    /// `--loss P`
    Loss,
    /// `--crash P`
    Crash,
}

/// Values that are swept, with the flag that takes them.
#[derive(Clone, Debug)]
pub struct Sweep {
    arg: SweepArg,
    flag: Flag,
}

/// A point of a sweep: a value of each.
#[derive(Clone, Debug)]
pub struct SweepPoint {
    /// The values in source form, in the order of the sweeps.
    pub at: Vec<String>,
    /// The flags of the scene there.
    pub scene: SceneArgs,
    /// The odds there.
    pub odds: OddsArgs,
}

/// `NAME=FROM..TO`, `NAME=FROM..TO by STEP` or `NAME=VALUE,VALUE,..`.
///
/// # Errors
/// What is expected.
pub fn parse_sweep(text: &str) -> Result<SweepArg, String> {
    let expected = || {
        "expected a range or a list, such as bidder=2..10, '%auctioneer@reserve=0,3,9' or \
         'keepBidding=0..1 by 0.25'"
            .to_owned()
    };
    let (name, given) = text.split_once('=').ok_or_else(expected)?;
    let (name, given) = (name.trim(), given.trim());
    if name.is_empty() || given.is_empty() {
        return Err(expected());
    }
    let values = match range(given)? {
        Some(values) => values,
        None => given.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if values.iter().any(String::is_empty) {
        return Err(expected());
    }
    if let Some(index) = (1..values.len()).find(|&index| values[..index].contains(&values[index])) {
        return Err(format!("the value {} is given twice", values[index]));
    }
    if values.len() > MAX_POINTS {
        return Err(too_many());
    }
    Ok(SweepArg { name: name.to_owned(), values, given: given.to_owned() })
}

fn too_many() -> String {
    format!("a sweep has at most {MAX_POINTS} points: give fewer values")
}

/// The values of `FROM..TO` and `FROM..TO by STEP`; `None` for a list.
fn range(text: &str) -> Result<Option<Vec<String>>, String> {
    let Some((from, to)) = text.split_once("..") else { return Ok(None) };
    let (to, step) = match to.split_once(" by ") {
        Some((to, step)) => (to, Some(step)),
        None => (to, None),
    };
    let number = |text: &str| {
        decimal(text.trim()).ok_or_else(|| format!("{} is no number, such as 3 or 0.25", text.trim()))
    };
    let (from, to) = (number(from)?, number(to)?);
    let unit = 10_i128.pow(PLACES as u32);
    let step = match step {
        Some(step) => number(step)?,
        None if from % unit == 0 && to % unit == 0 => unit,
        None => return Err(format!("how far apart? give a step, as in '{text} by 0.1', or a list")),
    };
    if from > to {
        return Err(format!("the smaller number comes first: {}..{}", shown(to), shown(from)));
    }
    if step <= 0 {
        return Err("the step of a range is larger than 0".to_owned());
    }
    if (to - from) / step >= MAX_POINTS as i128 {
        return Err(too_many());
    }
    Ok(Some((0..=(to - from) / step).map(|index| shown(from + index * step)).collect()))
}

/// A number in billionths.
fn decimal(text: &str) -> Option<i128> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, places) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(places) || whole.len() > 19 || places.len() > PLACES {
        return None;
    }
    let billionths: i128 = format!("{whole}{places:0<PLACES$}").parse().ok()?;
    Some(if negative { -billionths } else { billionths })
}

/// A number of billionths, with no more places than it needs.
fn shown(billionths: i128) -> String {
    let unit = 10_u128.pow(PLACES as u32);
    let sign = if billionths < 0 { "-" } else { "" };
    let (whole, places) = (billionths.unsigned_abs() / unit, billionths.unsigned_abs() % unit);
    let text = format!("{sign}{whole}.{places:0>PLACES$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Sweep {
    /// What is swept of a scene: the program is the scene as the other flags have it.
    ///
    /// # Errors
    /// If nothing of the scene is called so, or another flag gives it a value.
    pub fn new(
        arg: &SweepArg,
        program: &Program,
        scene: &SceneArgs,
        odds: &OddsArgs,
    ) -> Result<Self, String> {
        let flag = flag(&arg.name, program).ok_or_else(|| {
            let roles = program.roles.iter().map(|role| format!("%{role}"));
            let decisions = program.procedures.iter().filter(|it| it.may_refuse).map(|it| it.name.clone());
            let known: Vec<String> =
                roles.chain(decisions).chain(["yes", "loss", "crash"].map(str::to_owned)).collect();
            format!(
                "--sweep {arg}: there is no {} in the scene {}; there are {}, and cells such as \
                 %role@cell",
                arg.name,
                program.scene,
                known.join(", ")
            )
        })?;
        let sweep = Self { arg: arg.clone(), flag };
        for value in &arg.values {
            // What is wrong with a value is known before the first run.
            let (mut scene, mut odds) = (scene.clone(), odds.clone());
            sweep.put(value, &mut scene, &mut odds).map_err(|why| format!("--sweep {arg}: {why}"))?;
        }
        Ok(sweep)
    }

    /// What is swept, without a sigil in front.
    fn bare(&self) -> &str {
        self.arg.name.trim_start_matches(['%', '!'])
    }

    /// Sets the flags to a value.
    fn put(&self, value: &str, scene: &mut SceneArgs, odds: &mut OddsArgs) -> Result<(), String> {
        let name = &self.arg.name;
        let text = format!("{name}={value}");
        let twice = |flag: &str| Err(format!("{flag} gives {name}, too: leave one of the two out"));
        match self.flag {
            Flag::Agents => {
                let cast = parse_cast_arg(&text)?;
                if scene.agents.iter().any(|it| it.name() == cast.name()) {
                    return twice("--agents");
                }
                scene.agents.push(cast);
            }
            Flag::Set => {
                let first: map_check::FirstValue = text.parse()?;
                if scene.set.iter().any(|it| (&it.role, &it.cell) == (&first.role, &first.cell)) {
                    return twice("--set");
                }
                scene.set.push(first);
            }
            Flag::Yes | Flag::YesOf => {
                let yes = parse_yes(if self.flag == Flag::Yes { value } else { &text })?;
                if odds.yes.iter().any(|it| it.decision == yes.decision) {
                    return twice("--yes");
                }
                odds.yes.push(yes);
            }
            Flag::Loss => odds.loss = parse_probability(value)?,
            Flag::Crash => odds.crash = parse_probability(value)?,
        }
        Ok(())
    }
}

/// The flag that takes what is called so in a scene. What the scene has takes precedence over `yes`, `loss` and
/// `crash`.
fn flag(name: &str, program: &Program) -> Option<Flag> {
    if name.contains('@') {
        return Some(Flag::Set);
    }
    let bare = name.trim_start_matches(['%', '!']);
    let is_agent = |it: &String| it == bare || it.strip_prefix(bare).is_some_and(|number| number == "1");
    if program.roles.iter().any(|role| role == bare) || program.agent_names.iter().any(is_agent) {
        return Some(Flag::Agents);
    }
    if program.procedures.iter().any(|procedure| procedure.name == name) {
        return Some(Flag::YesOf);
    }
    match name {
        "yes" => Some(Flag::Yes),
        "loss" => Some(Flag::Loss),
        "crash" => Some(Flag::Crash),
        _ => None,
    }
}

/// The points of sweeps, those of the last one next to each other.
///
/// # Errors
/// If there are too many sweeps or points, or one thing is swept twice.
pub fn points(sweeps: &[Sweep], scene: &SceneArgs, odds: &OddsArgs) -> Result<Vec<SweepPoint>, String> {
    if sweeps.len() > MAX_SWEEPS {
        return Err(format!("--sweep: at most {MAX_SWEEPS} things are swept at once"));
    }
    let number = sweeps.iter().fold(1_usize, |all, sweep| all.saturating_mul(sweep.arg.values.len()));
    if number > MAX_POINTS {
        return Err(format!("--sweep: these are {number} points; {}", too_many()));
    }
    if let [first, second] = sweeps
        && first.bare() == second.bare()
    {
        return Err(format!("--sweep is given twice for {}: give one list", second.arg.name));
    }
    let mut points = vec![SweepPoint { at: Vec::new(), scene: scene.clone(), odds: odds.clone() }];
    for sweep in sweeps {
        let mut next = Vec::new();
        for point in &points {
            for value in &sweep.arg.values {
                let mut point = point.clone();
                sweep
                    .put(value, &mut point.scene, &mut point.odds)
                    .map_err(|why| format!("--sweep {}: {why}", sweep.arg))?;
                point.at.push(value.clone());
                next.push(point);
            }
        }
        points = next;
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::{MAX_POINTS, parse_sweep};

    #[test]
    fn ranges_and_lists() {
        let values = |text: &str| parse_sweep(text).map(|it| it.values.join(" "));
        assert_eq!(values("bidder=2..5"), Ok("2 3 4 5".to_owned()));
        assert_eq!(values("bidder = 9, 2,4"), Ok("9 2 4".to_owned()));
        assert_eq!(values("%a@b=-2..1"), Ok("-2 -1 0 1".to_owned()));
        assert_eq!(values("good=0..1 by 0.25"), Ok("0 0.25 0.5 0.75 1".to_owned()));
        // What does not end at the end ends before it; tenths are exact.
        assert_eq!(values("good=0.1..0.45 by 0.1"), Ok("0.1 0.2 0.3 0.4".to_owned()));
        assert_eq!(values("%a@b=0..9 by 3"), Ok("0 3 6 9".to_owned()));
        assert_eq!(values("%a@b=none,some"), Ok("none some".to_owned()));
        assert_eq!(parse_sweep("x=0..999").map(|it| it.values.len()), Ok(MAX_POINTS));
        assert_eq!(
            parse_sweep("good=0..1 by 0.5").map(|it| it.to_string()),
            Ok("good=0..1 by 0.5".to_owned())
        );
    }

    #[test]
    fn what_is_neither() {
        for junk in [
            "",
            "bidder",
            "=1..2",
            "bidder=",
            "bidder=2..",
            "bidder=..2",
            "bidder=5..2",
            "bidder=1,,2",
            "bidder=2,2",
            "x=0..1000",
            "x=0..99999999999999999999",
            "x=0..1 by 0",
            "x=0..1 by -1",
            "x=0..1 by 0.0000000001",
            "x=0.1..0.9",
            "x=0..1 by 0.000000001",
            "x=1..2..3",
            "x=1..2 by",
        ] {
            assert!(parse_sweep(junk).is_err(), "{junk}");
        }
    }
}
