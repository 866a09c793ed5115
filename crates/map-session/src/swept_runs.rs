//! Many runs at each point of a sweep.

use map_simulate::Distribution;

use crate::many_runs::ManyRuns;

/// Many runs at each point of a sweep.
pub struct SweptRuns {
    /// What was swept, as it was given; one or two.
    pub names: Vec<String>,
    /// How many points there are; fewer were reached if it was interrupted.
    pub wanted: usize,
    /// The points that were reached, in order; at least one.
    pub points: Vec<SweptPoint>,
}

/// A point of a sweep.
pub struct SweptPoint {
    /// The value of each thing that is swept, in source form.
    pub at: Vec<String>,
    /// By measure the name of the [column](swept_columns) that its values belong to.
    pub columns: Vec<String>,
    /// The runs.
    pub played: ManyRuns,
}

impl SweptRuns {
    /// The names of what was collected at some point, in order: where there are more agents, more of them have a
    /// measure.
    #[must_use]
    pub fn measures(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.points.iter().flat_map(|point| &point.columns) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

impl SweptPoint {
    /// The values of a measure, if it was collected at this point.
    #[must_use]
    pub fn measure(&self, name: &str) -> Option<&Distribution> {
        let mut all = self.columns.iter().zip(self.played.measures());
        all.find(|(column, _)| *column == name).map(|(_, (_, found))| found)
    }
}

/// The columns of what is collected at the points of a sweep, given its names at each. An agent that is alone in its
/// role has no number: `gain(Bidder)` belongs to the column of the first of several, `gain(Bidder1)`.
#[must_use]
pub fn swept_columns(points: &[Vec<String>]) -> Vec<Vec<String>> {
    let column = |name: &String| {
        let first = format!("{}1)", name.strip_suffix(')')?);
        let has = |point: &&Vec<String>, name: &String| point.contains(name);
        let elsewhere = points.iter().filter(|point| has(point, &first)).collect::<Vec<_>>();
        (!elsewhere.is_empty() && !elsewhere.iter().any(|point| has(point, name))).then_some(first)
    };
    let of_point =
        |names: &Vec<String>| names.iter().map(|name| column(name).unwrap_or_else(|| name.clone())).collect();
    points.iter().map(of_point).collect()
}

#[cfg(test)]
mod tests {
    use super::swept_columns;

    fn columns(points: &[&[&str]]) -> Vec<Vec<String>> {
        let owned = |names: &&[&str]| names.iter().map(|&name| name.to_owned()).collect();
        swept_columns(&points.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn an_agent_alone_is_the_first_of_several() {
        let alone = ["price", "gain(Bidder)"];
        let several = ["price", "gain(Bidder1)", "gain(Bidder2)"];
        assert_eq!(columns(&[&alone, &several]), [&["price", "gain(Bidder1)"][..], &several]);
        assert_eq!(columns(&[&alone]), [alone]);
        // Two agents that have these names.
        let both = ["gain(Bidder)", "gain(Bidder1)"];
        assert_eq!(columns(&[&alone, &both]), [&alone[..], &both]);
    }
}
