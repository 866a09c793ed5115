//! Patterns: tests before bindings; values and addresses.

use map_ir::{PointKind, Recipient, Slot, Target};

use super::{Compiled, body, compiled, variable};

/// The patterns of the receives of the first clause.
fn receives(compiled: &Compiled) -> Vec<String> {
    let clause = &compiled.program.clauses[0];
    compiled.read(|point| match &point.kind {
        PointKind::Receive { pattern, .. } => Some(compiled.pattern(clause, pattern)),
        _ => None,
    })
}

#[track_caller]
fn assert_receives(op: &str, expected: &[&str]) {
    assert_eq!(receives(&body(op)), expected, "{op}");
}

/// Asserts the head of the second clause; the first is the entry.
#[track_caller]
fn assert_head(who: &str, parameters: &str, expected: &str) {
    let compiled = compiled(&format!(
        "s[ agent({who}, %a) = skip agent({who}, %a, {parameters}) = skip agent(!B, %b) = skip ]"
    ));
    let clause = &compiled.program.clauses[1];
    assert_eq!(compiled.pattern(clause, &clause.head), expected);
}

#[test]
fn constants_are_tested_kind_by_kind() {
    assert_receives(
        r#"m(sold, "sold", 1, -1, %b, !B) <= agent(_, _)"#,
        &[r#"[0]=sold [1]="sold" [2]=1 [3]=-1 [4]=%b [5]=!B"#],
    );
}

#[test]
fn sender_and_role_come_behind_the_arguments() {
    assert_receives("m() <= agent(!B, %b)", &["[0]=!B [1]=%b"]);
    assert_receives("m(_, _) <= agent($who, $role)", &["[2]>$who [3]>$role"]);
}

#[test]
fn a_wildcard_demands_nothing() {
    assert_receives("m(_) <= agent(_, _)", &[""]);
}

#[test]
fn the_first_occurrence_binds_and_the_others_are_compared_with_it() {
    assert_receives("m($x, $y, $x) <= agent($y, %b)", &["[0]=[2] [1]=[3] [4]=%b [0]>$x [1]>$y"]);
    assert_receives("m($x, $x, $x) <= agent(_, _)", &["[0]=[1] [0]=[2] [0]>$x"]);
}

#[test]
fn a_bound_variable_is_tested_wherever_it_occurs() {
    assert_receives("$x = p() then m($x, $y, $x) <= agent(_, _)", &["[0]=$x [2]=$x [1]>$y"]);
}

#[test]
fn alternatives_bind_each_for_itself() {
    assert_receives(
        "(m($x) <= agent(_, _) or n($x) <= agent(_, _)) then m($x) <= agent(_, _)",
        &["[0]>$x", "[0]>$x", "[0]=$x"],
    );
}

#[test]
fn the_own_name_is_a_value_of_its_own() {
    assert_receives("m(!A, !B) <= agent(_, _)", &["[0]=own [1]=!B"]);
}

#[test]
fn the_variable_in_front_is_bound_from_the_beginning() {
    let compiled = compiled("s[ agent($me, %a) = m($me) <= agent($me, _)  agent(!B, %b) = skip ]");
    assert_eq!(receives(&compiled), ["[0]=$me [1]=$me"]);
    let clause = &compiled.program.clauses[0];
    assert_eq!(clause.own_name.map(|slot| variable(clause, slot)), Some("me"));
    assert_eq!(body("skip").program.clauses[0].own_name, None);
}

#[test]
fn heads_are_patterns_over_the_arguments_of_the_call() {
    assert_head("!A", "go, $x, _, 1", "[0]=go [3]=1 [1]>$x");
    assert_head("!A", "$x, $x, $y", "[0]=[1] [0]>$x [2]>$y");
    assert_head("!A", "!A, !B", "[0]=own [1]=!B");
}

#[test]
fn the_variable_in_front_is_compared_in_a_head() {
    assert_head("$me", "$me, $x, $me", "[0]=own [2]=own [1]>$x");
}

#[test]
fn an_answer_is_bound_once_and_then_compared() {
    let compiled = body("$x = p() then $x = p() then ($y = p() or $y = p())");
    let binds = compiled.read(|point| {
        if let PointKind::Ask { target, .. } = point.kind { Some(target.bound().is_some()) } else { None }
    });
    assert_eq!(binds, [true, false, true, true]);
}

#[test]
fn an_ask_without_a_variable_takes_any_answer() {
    let compiled = compiled("s[ agent(!A, %a) = p() then $x = p() ] decision p()");
    let targets = compiled
        .read(|point| if let PointKind::Ask { target, .. } = point.kind { Some(target) } else { None });
    assert_eq!(targets, [Target::Anything, Target::Binds(Slot::new(0))]);
}

#[test]
fn expressions_of_clauses_come_before_those_of_bodies() {
    let text = "memory %a { @n = 1 } procedure p($y) = $y + @n
        s[ agent(!A, %a) = $x = p(1) then m($x + 2, @n) => agent((self), %a) ]";
    let program = compiled(text).program;
    let shown: Vec<String> = program.expressions.iter().map(|it| format!("{:?}", it.kind)).collect();
    let cell = "Cell(CellId(0))";
    assert_eq!(
        shown[..3],
        [
            "Variable(Slot(0))",
            "Constant(Integer(2))",
            "Arithmetic(ExpressionId(0), [(Add, ExpressionId(1))])"
        ]
    );
    assert_eq!(shown[3..5], [cell, "Own"]);
    assert_eq!(shown[5..7], ["Argument(0)", cell]);
    assert_eq!(program.variables_of(map_ir::ExpressionId::new(2)), [Slot::new(0)]);
}

#[test]
fn values_and_addresses() {
    let text =
        "s[ agent($me, %a) = $x = p(1, $me) then m($x, !B, !A) => agent($x, %b) then n() => agent(_, _)
        agent(!B, %b) = o(!B) => agent(!B, %b) ]";
    let compiled = compiled(text);
    let shown = |clause: usize| -> Vec<String> {
        let own = &compiled.program.clauses[clause];
        let operand = |operand: &_| compiled.operand(own, *operand);
        let recipient =
            |it: &Recipient| if let Recipient::Is(it) = it { operand(it) } else { "any".to_owned() };
        let points = compiled.points(clause).into_iter().map(|id| &compiled.program.point(id).kind);
        let lines = points.map(|kind| match kind {
            PointKind::Ask { arguments, .. } => arguments.iter().map(operand).collect::<Vec<_>>(),
            PointKind::Send { arguments, agent, role, .. } => {
                arguments.iter().map(operand).chain([recipient(agent), recipient(role)]).collect()
            }
            _ => Vec::new(),
        });
        lines.map(|line| line.join(" ")).collect()
    };
    assert_eq!(shown(0), ["1 $me", "$x !B !A $x %b", "any any"]);
    assert_eq!(shown(1), ["own own %b"]);
}
