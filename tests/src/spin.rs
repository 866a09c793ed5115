//! SPIN's translation of LTL, as a reference: writes formulas in its syntax, and parses its never claims.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use map_ltl::{FormulaId, Formulas, Operator};

/// A formula in SPIN's syntax; proposition `i` is called `pi`. For small formulas: it recurses.
#[must_use]
pub fn to_spin(formulas: &Formulas, id: FormulaId) -> String {
    let part = |id: FormulaId| to_spin(formulas, id);
    match formulas.operator(id) {
        Operator::Truth => "true".to_owned(),
        Operator::Falsity => "false".to_owned(),
        Operator::Atom(atom) => format!("p{atom}"),
        Operator::Not(f) => format!("(!{})", part(f)),
        Operator::And(f, g) => format!("({} && {})", part(f), part(g)),
        Operator::Or(f, g) => format!("({} || {})", part(f), part(g)),
        Operator::Implies(f, g) => format!("({} -> {})", part(f), part(g)),
        Operator::Next(f) => format!("(X {})", part(f)),
        Operator::Until(f, g) => format!("({} U {})", part(f), part(g)),
        Operator::Release(f, g) => format!("({} V {})", part(f), part(g)),
        Operator::Always(f) => format!("([] {})", part(f)),
        Operator::Eventually(f) => format!("(<> {})", part(f)),
    }
}

/// Whether SPIN is installed.
#[must_use]
pub fn is_installed() -> bool {
    Command::new("spin").arg("-V").output().is_ok_and(|output| output.status.success())
}

/// How long SPIN may take for one formula before it is killed: its translation is exponential, in memory too.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The never claim that `spin -f` generates for a formula; `None` if that takes too long.
///
/// # Errors
/// If SPIN cannot be started or refuses the formula, or its output cannot be parsed.
pub fn never_claim(formula: &str) -> Result<Option<NeverClaim>, String> {
    let failed = |error: std::io::Error| error.to_string();
    let started = Instant::now();
    let mut child = Command::new("spin")
        .args(["-f", formula])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    // A claim that fills the pipe blocks SPIN, and so counts as taking too long.
    while child.try_wait().map_err(failed)?.is_none() {
        if started.elapsed() > TIME_LIMIT {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_micros(300));
    }
    let output = child.wait_with_output().map_err(failed)?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("spin refuses: {text}"));
    }
    NeverClaim::read(&text).map(Some).map_err(|line| format!("not understood: {line:?} in\n{text}"))
}

/// A condition on one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// `1`, `true`, `0`, `false`.
    Constant(bool),
    /// `pi`.
    Atom(u32),
    /// `!`.
    Not(Box<Guard>),
    /// `&&`.
    And(Box<Guard>, Box<Guard>),
    /// `||`.
    Or(Box<Guard>, Box<Guard>),
}

impl Guard {
    /// Whether it holds at a moment, given as the set of the propositions that hold.
    #[must_use]
    pub fn holds_at(&self, moment: u64) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Atom(atom) => moment >> atom & 1 == 1,
            Self::Not(guard) => !guard.holds_at(moment),
            Self::And(left, right) => left.holds_at(moment) && right.holds_at(moment),
            Self::Or(left, right) => left.holds_at(moment) || right.holds_at(moment),
        }
    }
}

/// A state of a never claim.
#[derive(Clone, Debug, Default)]
pub struct ClaimState {
    /// One of its labels begins with `accept`.
    pub accepting: bool,
    /// Guards and target states.
    pub edges: Vec<(Guard, usize)>,
}

/// A never claim: a Büchi automaton that starts in its first state.
#[derive(Clone, Debug)]
pub struct NeverClaim {
    /// The states, in the order of the text.
    pub states: Vec<ClaimState>,
}

impl NeverClaim {
    /// Parses the text that SPIN prints.
    ///
    /// # Errors
    /// The first line that cannot be parsed.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut states: Vec<ClaimState> = Vec::new();
        let mut edges: Vec<(usize, Guard, &str)> = Vec::new();
        let mut after_label = false;
        for line in text.lines().map(str::trim) {
            if let Some(label) = line.strip_suffix(':') {
                if !after_label {
                    states.push(ClaimState::default());
                }
                after_label = true;
                let state = states.len() - 1;
                states[state].accepting |= label.starts_with("accept");
                numbers.insert(label, state);
                continue;
            }
            after_label = false;
            let state = states.len().wrapping_sub(1);
            if line == ":: false" {
                // No edge.
            } else if let Some(choice) = line.strip_prefix(":: ") {
                let (guard, target) = edge(choice).ok_or(line)?;
                edges.push((state, guard, target));
            } else if line == "skip" {
                edges.push((state, Guard::Constant(true), "accept_all"));
            } else if !(matches!(line, "do" | "od;" | "}" | "") || line.starts_with("never")) {
                return Err(line.to_owned());
            }
        }
        for (state, guard, target) in edges {
            states[state].edges.push((guard, *numbers.get(target).ok_or(target)?));
        }
        Ok(Self { states })
    }
}

/// The guard and the target of one choice.
fn edge(choice: &str) -> Option<(Guard, &str)> {
    if let Some(atomic) = choice.strip_prefix("atomic { ") {
        // SPIN would report a match here: every continuation is accepted.
        let (guard, _) = atomic.split_once(" -> assert(")?;
        return Some((read_guard(guard)?, "accept_all"));
    }
    let (guard, target) = choice.rsplit_once(" -> goto ")?;
    Some((read_guard(guard)?, target))
}

fn read_guard(text: &str) -> Option<Guard> {
    let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    let mut rest = text.as_str();
    let guard = implication(&mut rest)?;
    if rest.is_empty() { Some(guard) } else { None }
}

fn implication(rest: &mut &str) -> Option<Guard> {
    let left = disjunction(rest)?;
    if !eat(rest, "->") {
        return Some(left);
    }
    let right = implication(rest)?;
    Some(Guard::Or(Box::new(Guard::Not(Box::new(left))), Box::new(right)))
}

fn disjunction(rest: &mut &str) -> Option<Guard> {
    let mut guard = conjunction(rest)?;
    while eat(rest, "||") {
        guard = Guard::Or(Box::new(guard), Box::new(conjunction(rest)?));
    }
    Some(guard)
}

fn conjunction(rest: &mut &str) -> Option<Guard> {
    let mut guard = unit(rest)?;
    while eat(rest, "&&") {
        guard = Guard::And(Box::new(guard), Box::new(unit(rest)?));
    }
    Some(guard)
}

fn unit(rest: &mut &str) -> Option<Guard> {
    if eat(rest, "!") {
        return Some(Guard::Not(Box::new(unit(rest)?)));
    }
    if eat(rest, "(") {
        let guard = implication(rest)?;
        return if eat(rest, ")") { Some(guard) } else { None };
    }
    let end = rest.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    match word {
        "1" | "true" => Some(Guard::Constant(true)),
        "0" | "false" => Some(Guard::Constant(false)),
        _ => Some(Guard::Atom(word.strip_prefix('p')?.parse().ok()?)),
    }
}

fn eat(rest: &mut &str, token: &str) -> bool {
    let after = rest.strip_prefix(token);
    if let Some(after) = after {
        *rest = after;
    }
    after.is_some()
}
