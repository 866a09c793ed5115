//! What the declared costs come to, in words.

use std::fmt::Write as _;

use map_render::chart::evidence::of_evidence;
use map_session::{CostAnswer, CostAnswers, NotAdditive, Verification};
use map_verify::{CostRange, MostCost};

use super::Telling;
use crate::{Role, Text, Tone, counted, grouped};

/// The most lines for steps that cost something again and again.
const MAX_LOOP: usize = 6;

/// The most that something costs, and the least of a dialogue that ends well: `at most 4,200; at least 2,200 if it ends
/// well`.
#[must_use]
pub fn range_in_words(answers: &CostAnswers, range: CostRange) -> String {
    let searched = answers.report.searched;
    let amount = |amount: i64| grouped(amount.unsigned_abs());
    let most = match range.most {
        MostCost::Bounded(most) if searched => format!("at most {}", amount(most)),
        MostCost::Bounded(most) => return format!("{} or more; not every run was searched", amount(most)),
        MostCost::Unbounded => "without bound".to_owned(),
        MostCost::TooMuch => format!("{} or more, too much to add up", amount(i64::MAX)),
    };
    if !searched {
        return most;
    }
    let within = if answers.report.cut_by.is_empty() { "" } else { ", within these bounds" };
    if range.most == MostCost::Unbounded {
        return match range.least {
            None => format!("{most}; no dialogue ends well{within}"),
            Some(least) => format!("{most}; at least {} if it ends well{within}", amount(least)),
        };
    }
    match range.least {
        None => format!("{most}{within}; no dialogue ends well"),
        Some(least) if range.most == MostCost::Bounded(least) => {
            format!("{most}{within}; as much in each dialogue that ends well")
        }
        Some(least) => format!("{most}{within}; at least {} if it ends well", amount(least)),
    }
}

/// What the agents of each role pay at most, as a sentence; `None` if only one role pays, or if that is not known.
#[must_use]
pub fn roles_in_words(answers: &CostAnswers, answer: &CostAnswer) -> Option<String> {
    if !answers.report.searched {
        return None;
    }
    let role = |it: &map_verify::NamedRange| match it.range.most {
        MostCost::Bounded(most) => format!("%{} at most {}", it.role, grouped(most.unsigned_abs())),
        MostCost::Unbounded => format!("%{} without bound", it.role),
        MostCost::TooMuch => format!("%{} too much to add up", it.role),
    };
    let roles: Vec<String> = answer.bounds.by_role.iter().map(role).collect();
    (!roles.is_empty()).then(|| roles.join(", "))
}

/// The names of costs that cannot be added up, each with a reason.
pub fn refused(found: &Verification) -> impl Iterator<Item = (&str, &str)> {
    let refused = &found.scene.properties.costs.refused;
    refused.iter().flat_map(|(name, why)| why.iter().map(|it| (name.as_str(), it.text.as_str())))
}

/// The names of measures of which no bound is looked for, each with the reason.
pub fn not_bounded(found: &Verification) -> impl Iterator<Item = (&str, &str)> {
    found.scene.properties.costs.not_additive.iter().map(|(name, why)| (name.as_str(), no_sum(*why)))
}

fn no_sum(why: NotAdditive) -> &'static str {
    match why {
        NotAdditive::Moment => "it is the first or last value of an event, which may be any of them",
        NotAdditive::AtTheEnd => "it is what something is at the end, which may be more or less than before",
        NotAdditive::Moments => {
            "it counts moments at which something holds that is no single send or receive; a cost has a price for each \
             time that something is asked"
        }
        NotAdditive::Negative => "it adds up what may be negative",
        NotAdditive::Computed => {
            "it is computed; what is bounded are sums of costs, counts and totals, also with factors from 0 on"
        }
    }
}

impl Telling<'_> {
    /// A line or more for each cost; a loop without bound by its steps.
    pub(super) fn costs_in_short(self) -> Text {
        self.costs(|answers, answer| {
            let mut text = Text::default();
            let everything = self.how.offers.everything;
            match (&answer.run, answer.repeated_from) {
                (Some(_), Some(_)) => text.append(self.costly_loop(answer)),
                (Some(run), None) if answer.paid > 0 && answers.report.searched => {
                    let steps = counted(run.steps.len() as u64, "step");
                    let may = if answer.bounds.possible { " that is possible" } else { "" };
                    let _ = writeln!(
                        text,
                        "  the shortest run{may} that costs as much: {steps} ({everything} shows it)"
                    );
                }
                _ => {}
            }
            text
        })
    }

    /// The same, with the runs.
    pub(super) fn costs_in_full(self) -> Text {
        self.costs(|_, answer| {
            let mut text = Text::default();
            let Some(run) = answer.evidence().filter(|_| answer.paid > 0) else { return text };
            let what = match answer.repeated_from {
                Some(_) => format!(
                    "each round of the steps at its end costs {}",
                    grouped(answer.paid.unsigned_abs())
                ),
                None => "the shortest run that costs as much".to_owned(),
            };
            let may = if answer.bounds.possible { ", if open comparisons come out so" } else { "" };
            let _ = writeln!(text, "  {what}{may}:\n");
            text.append(self.properties().story(&mut self.namer(), run, &[]));
            let chart = of_evidence(&self.found.scene.program, run, &[]);
            text.push_str(&self.how.drawing.below(&chart));
            text
        })
    }

    fn costs(self, shown: impl Fn(&CostAnswers, &CostAnswer) -> Text) -> Text {
        let mut text = Text::default();
        for (name, why) in refused(self.found) {
            text.append(self.headed(name));
            text.push(Role::Verdict(Tone::Doubtful), "refused");
            let _ = writeln!(text, "\n  {why}");
        }
        for (name, why) in not_bounded(self.found) {
            text.append(self.headed(name));
            let _ = writeln!(text, "no bound is looked for: {why}");
        }
        let Some(answers) = &self.found.costs else { return text };
        for answer in &answers.costs {
            text.append(self.headed(&answer.bounds.name));
            let _ = writeln!(text, "{}", range_in_words(answers, answer.bounds.total));
            if answers.report.searched && answer.bounds.total.most == MostCost::Bounded(0) {
                text.push_str("  nothing that has a price happens in any run\n");
            }
            if let Some(roles) = roles_in_words(answers, answer) {
                let _ = writeln!(text, "  {roles}");
            }
            text.append(shown(answers, answer));
        }
        let missing = self.found.scene.properties.costs.compiled.list.iter().skip(answers.costs.len());
        let missing: Vec<&str> = missing.map(|cost| cost.name.as_str()).collect();
        if !missing.is_empty() {
            let why = match answers.report.limit {
                Some(_) => "before that limit",
                None => "as there is no first state",
            };
            let _ = writeln!(text, "Not added up {why}: {}", missing.join(", "));
        }
        text
    }

    fn headed(self, name: &str) -> Text {
        let is_measure = self.found.scene.properties.costs.measures.iter().any(|it| it == name);
        let mut text = Text::plain(if is_measure { "measure " } else { "cost " });
        text.push(Role::Heading, name);
        text.push_str("  ");
        text
    }

    /// The steps that cost something each time.
    fn costly_loop(self, answer: &CostAnswer) -> Text {
        let (Some(run), Some(from)) = (&answer.run, answer.repeated_from) else { return Text::default() };
        let paid = grouped(answer.paid.unsigned_abs());
        let may = if answer.bounds.possible { "may be" } else { "can be" };
        let mut text =
            Text::plain(format!("  these steps {may} repeated without end and cost {paid} each time:\n"));
        text.append(self.properties().loop_of(run, from, MAX_LOOP));
        text
    }
}
