//! What costs come to, for programs.

use map_explain::verification::costs::refused;
use map_explain::{Namer, initial_values};
use map_session::{CostAnswer, CostAnswers, Verification};
use map_verify::{CostRange, MostCost};

use super::steps_output;
use crate::{CostOutput, CostRangeOutput, RoleCostOutput};

impl CostOutput {
    /// What the costs of a scene come to, in order; then those that cannot be added up.
    #[must_use]
    pub fn all(found: &Verification) -> Vec<Self> {
        let namer = &mut Namer::new(&found.scene.source, &found.scene.program);
        let mut all: Vec<Self> = Vec::new();
        if let Some(answers) = &found.costs {
            all.extend(answers.costs.iter().map(|answer| added_up(namer, answers, answer)));
        }
        for (name, why) in refused(found) {
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) => known.reasons.push(why.to_owned()),
                None => all.push(not_added_up(name, why)),
            }
        }
        all
    }
}

fn added_up(namer: &mut Namer<'_>, answers: &CostAnswers, answer: &CostAnswer) -> CostOutput {
    let run = answer.run.as_ref().filter(|_| answer.paid > 0);
    let initial = run.map_or_else(Vec::new, |run| initial_values(namer, &run.initial));
    let (trace, choices) = run.map(|run| steps_output(namer, run)).unzip();
    let role = |it: &map_verify::NamedRange| RoleCostOutput { role: it.role.clone(), range: it.range.into() };
    CostOutput {
        name: answer.bounds.name.clone(),
        total: Some(answer.bounds.total.into()),
        searched: answers.report.searched,
        cut: !answers.report.cut_by.is_empty(),
        possible: answer.bounds.possible,
        roles: answer.bounds.by_role.iter().map(role).collect(),
        trace,
        initial,
        choices,
        repeated_from: answer.repeated_from,
        each_time: answer.repeated_from.map(|_| answer.paid),
        reasons: Vec::new(),
    }
}

fn not_added_up(name: &str, why: &str) -> CostOutput {
    CostOutput {
        name: name.to_owned(),
        total: None,
        searched: false,
        cut: false,
        possible: false,
        roles: Vec::new(),
        trace: None,
        initial: Vec::new(),
        choices: None,
        repeated_from: None,
        each_time: None,
        reasons: vec![why.to_owned()],
    }
}

impl From<CostRange> for CostRangeOutput {
    fn from(CostRange { least, most }: CostRange) -> Self {
        Self {
            least,
            most: if let MostCost::Bounded(most) = most { Some(most) } else { None },
            bounded: most != MostCost::Unbounded,
        }
    }
}
