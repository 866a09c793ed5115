//! What costs come to, for programs.

use map_explain::verification::costs::{not_bounded, refused};
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
        for (name, why) in refused(found).chain(not_bounded(found)) {
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) => known.reasons.push(why.to_owned()),
                None => all.push(not_added_up(name, why)),
            }
        }
        let measures = &found.scene.properties.costs.measures;
        all.iter_mut().for_each(|it| it.measure = measures.contains(&it.name));
        all
    }
}

fn added_up(namer: &mut Namer<'_>, answers: &CostAnswers, answer: &CostAnswer) -> CostOutput {
    let run = answer.run.as_ref().filter(|_| answer.paid > 0);
    let initial = run.map_or_else(Vec::new, |run| initial_values(namer, &run.initial));
    let (trace, choices) = run.map(|run| steps_output(namer, run)).unzip();
    let searched = answers.report.searched;
    let role = |it: &map_verify::NamedRange| RoleCostOutput {
        role: it.role.clone(),
        range: CostRangeOutput::new(it.range, searched),
    };
    let seen = match answer.bounds.total.most {
        MostCost::Bounded(seen) if !searched => Some(seen),
        _ => None,
    };
    CostOutput {
        name: answer.bounds.name.clone(),
        measure: false,
        total: Some(CostRangeOutput::new(answer.bounds.total, searched)),
        searched,
        seen,
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
        measure: false,
        total: None,
        searched: false,
        seen: None,
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

impl CostRangeOutput {
    /// Of a range that is known if every run was searched.
    pub(super) fn new(CostRange { least, most }: CostRange, searched: bool) -> Self {
        Self {
            least: least.filter(|_| searched),
            most: match most {
                MostCost::Bounded(most) if searched => Some(most),
                _ => None,
            },
            bounded: searched && most != MostCost::Unbounded,
        }
    }
}
