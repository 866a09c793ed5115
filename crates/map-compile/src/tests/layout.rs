//! The tables: points and regions of clauses, names and constants.

use map_ir::{Goto, PointKind, RegionKind, Value};

use super::{Compiled, compiled, compiled_with};

const MIXED: &str = "cast %b = 2
s[
    agent(!A, %a) =
        (waitfor (m($x) <= agent(_, %b) then (skip or fail)) timeout ($y = p() or skip))
        then (skip par agent(q, 1) or agent(q, 2) par fail)
    agent($me, %b) = m(1) => agent(!A, %a)
    agent(!A, %a, q, _) = skip or (fail or skip)
]";

fn operations(text: &str) -> usize {
    ["skip", "fail", "<=", "=>", "= p()", "waitfor", " par a", "agent(q, 1)", "agent(q, 2)"]
        .iter()
        .map(|word| text.matches(word).count())
        .sum()
}

#[test]
fn every_operation_is_one_point_of_its_clause() {
    let Compiled { program, .. } = compiled(MIXED);
    assert_eq!(program.points.len(), operations(MIXED));
    let mut next = 0;
    for (index, clause) in program.clauses.iter().enumerate() {
        assert_eq!(clause.points.start, next, "the points of clauses follow one another");
        next = clause.points.end;
        assert!(clause.points.contains(&clause.body.index()));
        for point in &program.points[clause.points.clone()] {
            assert_eq!(point.clause.index(), index);
            assert!(clause.span.start <= point.span.start && point.span.end <= clause.span.end);
        }
    }
    assert_eq!(next, program.points.len());
}

#[test]
fn successors_stay_in_the_clause() {
    let Compiled { program, .. } = compiled(MIXED);
    for point in &program.points {
        let clause = program.clause(point.clause);
        let mut targets: Vec<Goto> =
            point.kind.ok().into_iter().chain(point.kind.err().map(|edge| edge.to)).collect();
        match &point.kind {
            PointKind::Wait { body, timeout } => {
                targets.extend([Some(*body), *timeout].into_iter().flatten().map(Goto::Point));
            }
            PointKind::Par { sides, .. } => targets.extend(sides.iter().copied().map(Goto::Point)),
            _ => {}
        }
        assert!(!targets.is_empty());
        for target in targets {
            if let Goto::Point(target) = target {
                assert!(clause.points.contains(&target.index()));
            }
        }
    }
}

#[test]
fn regions_are_alternatives_and_timeouts_with_their_points() {
    let compiled = compiled(MIXED);
    let program = &compiled.program;
    let mut found: Vec<(u32, bool, &str)> = (program.regions.iter())
        .map(|region| (region.span.start, region.kind == RegionKind::Timeout, compiled.slice(region.span)))
        .collect();
    found.sort_unstable();
    let found: Vec<(bool, &str)> = found.into_iter().map(|(_, timeout, text)| (timeout, text)).collect();
    assert_eq!(
        found,
        [
            (false, "skip"),
            (false, "fail"),
            (false, "$y = p()"),
            (true, "$y = p() or skip"),
            (false, "skip"),
            (false, "agent(q, 1)"),
            (false, "agent(q, 2)"),
            (false, "skip"),
            (false, "fail"),
            (false, "fail or skip"),
            (false, "skip"),
        ]
    );
    for region in &program.regions {
        for (index, point) in program.points.iter().enumerate() {
            let inside = region.span.start <= point.span.start && point.span.end <= region.span.end;
            assert_eq!(region.points.contains(&index), inside);
        }
        assert_eq!(program.points[region.points.start].clause, region.clause);
    }
}

#[test]
fn outer_regions_come_before_inner_ones() {
    let Compiled { program, .. } = compiled(MIXED);
    for (index, inner) in program.regions.iter().enumerate() {
        for outer in &program.regions[index + 1..] {
            let contains = outer.points.start <= inner.points.start && inner.points.end <= outer.points.end;
            assert!(!contains || outer.points == inner.points, "{inner:?} comes before {outer:?}");
        }
    }
}

#[test]
fn clauses_know_part_arity_and_head() {
    let compiled = compiled(MIXED);
    let program = &compiled.program;
    let heads: Vec<(usize, usize, &str)> = (program.clauses.iter())
        .map(|clause| (clause.part.index(), clause.arity, compiled.slice(clause.head_span)))
        .collect();
    assert_eq!(heads, [(0, 0, "agent(!A, %a)"), (1, 0, "agent($me, %b)"), (0, 2, "agent(!A, %a, q, _)")]);
    let parts: Vec<(Vec<usize>, usize, Vec<&str>)> = (program.parts.iter())
        .map(|part| {
            let clauses = part.clauses.iter().map(|clause| clause.index()).collect();
            let agents = part.agents.iter().map(|&agent| program.agent_name(agent)).collect();
            (clauses, part.entry.index(), agents)
        })
        .collect();
    assert_eq!(parts, [(vec![0, 2], 0, vec!["A"]), (vec![1], 1, vec!["B1", "B2"])]);
}

#[test]
fn parts_without_agents_keep_their_names_behind_the_cast() {
    let text = "s[ agent(!A, %a) = m() => agent(!B, %b)  agent(!B, %b) = skip  agent(!C, %c) = skip ]";
    let Compiled { program, .. } = compiled_with("B=0", text);
    assert_eq!(program.agents.len(), 2);
    assert_eq!(program.agent_names, ["A", "C", "B"]);
    assert!(program.parts[1].agents.is_empty());
}

#[test]
fn performatives_have_an_arity_and_constants_a_kind() {
    let text = r#"s[ agent(!A, %a) = m() => agent(_, %b) then m(x, "x", 1) => agent(_, %b) then m(y, "x", 1) => agent(_, %b)
        agent(!B, %b) = skip ]"#;
    let Compiled { program, .. } = compiled(text);
    let mut performatives: Vec<(&str, usize)> =
        program.performatives.iter().map(|it| (it.name.as_str(), it.arity)).collect();
    performatives.sort_unstable();
    assert_eq!(performatives, [("m", 0), ("m", 3)]);
    let mut names = program.names.clone();
    names.sort_unstable();
    assert_eq!((names, program.texts.len()), (vec!["x".to_owned(), "y".to_owned()], 1));
    let name = program.name_constant("x").map(Value::Name);
    assert!(name.is_some() && program.name_constant("z").is_none());
}

#[test]
fn procedures_are_decisions_unless_declared_otherwise() {
    let text = "procedure p($a) decision d()  s[ agent(!A, %a) = $x = d() then $y = p($x) then $z = e() ]";
    let Compiled { program, .. } = compiled(text);
    let found: Vec<(&str, usize, bool)> =
        program.procedures.iter().map(|it| (it.name.as_str(), it.arity, it.may_refuse)).collect();
    assert_eq!(found, [("p", 1, false), ("d", 0, true), ("e", 0, true)]);
}
