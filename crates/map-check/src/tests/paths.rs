//! Compares the flow analysis with a naive one that enumerates every path of small random clauses.

use std::collections::{BTreeMap, BTreeSet};

use map_syntax::ast::{Op, OpKind, TermKind};

use crate::Occurrence;

use super::{body, options, parsed, short};

/// The variables bound on one path.
type Path = BTreeSet<String>;

#[derive(Default)]
struct Naive {
    /// For each place: whether it is a pattern, the number of paths through it, and the number of those on which
    /// the variable is bound.
    visits: BTreeMap<u32, (bool, usize, usize)>,
}

impl Naive {
    fn visit(&mut self, paths: &[Path], name: &str, start: u32, pattern: bool) {
        let bound = paths.iter().filter(|path| path.contains(name)).count();
        if !paths.is_empty() {
            self.visits.insert(start, (pattern, paths.len(), bound));
        }
    }

    fn run(&mut self, op: &Op, paths: Vec<Path>) -> Vec<Path> {
        match &op.kind {
            OpKind::Then(ops) => ops.iter().fold(paths, |paths, op| self.run(op, paths)),
            OpKind::Or(ops) => ops.iter().flat_map(|op| self.run(op, paths.clone())).collect(),
            OpKind::Wait { body, timeout } => {
                let branches = std::iter::once(body).chain(timeout);
                branches.flat_map(|op| self.run(op, paths.clone())).collect()
            }
            OpKind::Fail => Vec::new(),
            OpKind::Ask { variable: None, .. } => paths,
            OpKind::Ask { variable: Some(variable), .. } => {
                self.visit(&paths, &variable.text, variable.span.start, true);
                let bind = |mut path: Path| {
                    path.insert(variable.text.clone());
                    path
                };
                paths.into_iter().map(bind).collect()
            }
            OpKind::Send { message, .. } => {
                for term in &message.arguments {
                    let TermKind::Variable(name) = &term.kind else { continue };
                    self.visit(&paths, name, term.span.start, false);
                }
                paths
            }
            _ => paths,
        }
    }

    fn first_error(&self) -> Option<(u32, &'static str)> {
        self.visits.iter().find_map(|(&start, &(pattern, all, bound))| match (pattern, bound) {
            (_, bound) if bound == all => None,
            (true, 0) => None,
            (true, _) => Some((start, "MAP206")),
            (false, 0) => Some((start, "MAP204")),
            (false, _) => Some((start, "MAP205")),
        })
    }
}

/// A small random operation, from a linear congruential generator.
fn random(state: &mut u64, depth: usize) -> String {
    let mut next = |below: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    };
    let variable = ["x", "y", "z"][next(3) as usize];
    let kind = if depth == 0 { next(7) } else { next(14) };
    match kind {
        0..3 => format!("${variable} = p()"),
        3 | 4 => format!("m(${variable}) => agent(_, %b)"),
        5 => "skip".to_owned(),
        6 => "fail".to_owned(),
        13 => format!("(waitfor {} timeout {})", random(state, depth - 1), random(state, depth - 1)),
        _ => {
            let joint = if kind % 2 == 0 { " then " } else { " or " };
            let links: Vec<String> = (0..2 + next(2)).map(|_| random(state, depth - 1)).collect();
            format!("({})", links.join(joint))
        }
    }
}

#[test]
fn the_analysis_agrees_with_all_paths() {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..5000 {
        let text = body(&random(&mut (seed * 7919), 4));
        let (source, file) = parsed(&text);
        let mut naive = Naive::default();
        naive.run(&file.scenes().next().unwrap().clauses[0].body, vec![Path::new()]);
        let (checked, errors) = crate::check(&file, &options(""));
        let found = errors.first().map(|error| (error.span().unwrap().start, error.code.as_str()));
        let shown = || errors.iter().map(|error| short(&source, error)).collect::<Vec<_>>();
        assert_eq!(found, naive.first_error(), "seed {seed}\n{text}\n{:?}", shown());
        let Some(checked) = checked else {
            wrong += 1;
            continue;
        };
        right += 1;
        for (start, (pattern, _, bound)) in naive.visits {
            let expected = match (pattern, bound) {
                (false, _) => Occurrence::Value,
                (true, 0) => Occurrence::Binds,
                (true, _) => Occurrence::Compares,
            };
            assert_eq!(checked.occurrences[&start], expected, "seed {seed}\n{text}");
        }
    }
    assert!(right > 500 && wrong > 500, "one-sided inputs: {right} right, {wrong} wrong");
}
