//! Scenes in which integers grow, or do not.

use map_ir::Program;
use map_semantics::SceneState;
use map_testkit::oracle::OracleOptions;

use super::{Growth, Holder, ROUNDS, growing_run};
use crate::fixture::{bounds, program};
use crate::report::Trace;
use crate::witness::replay::replay;

/// A scene in which one agent asks another what comes next, as long as a decision says yes.
fn counting(decision: &str) -> String {
    format!(
        "procedure first() = 7
         {decision}
         counting[ agent(!Asker, %asker) = $n = first() then agent(ask, $n)
                   agent(!Asker, %asker, ask, $n) =
                     tell($n) => agent(!Answerer, %answerer)
                     then waitfor (told($m) <= agent(!Answerer, %answerer) then agent(ask, $m))
                   agent(!Answerer, %answerer) =
                     waitfor (tell($n) <= agent(!Asker, %asker)
                              then $m = next($n) then told($m) => agent(!Asker, %asker) then agent()) ]"
    )
}

/// What is found in a scene, after it was checked that the steps can be repeated so many times and that the integers
/// move as it says.
fn found(text: &str) -> Option<(Program, Growth)> {
    let program = program(text);
    let growth = checked(&program, &OracleOptions::new(0))?;
    Some((program, growth))
}

fn checked(program: &Program, options: &OracleOptions) -> Option<Growth> {
    let bounds = bounds(program, options);
    let growth = growing_run(program, &bounds).unwrap_or_else(|error| panic!("{error}"))?;
    let Growth { replayed, repeated_from, rounds, grown } = &growth;
    let mut steps: Vec<_> = replayed.steps.iter().map(|step| step.step.clone()).collect();
    let round = steps[*repeated_from..].to_vec();
    (1..*rounds).for_each(|_| steps.extend_from_slice(&round));
    let trace = Trace { initial: replayed.initial.clone(), steps };
    let states = replay(program, &bounds, &trace).unwrap_or_else(|error| panic!("{error}")).states;
    for it in grown {
        let all = |state: &SceneState| integers(program, state, it.agent.index(), it.holder);
        for round in states[*repeated_from..].iter().step_by(round.len()).collect::<Vec<_>>().windows(2) {
            let pairs = all(round[0]).into_iter().zip(all(round[1])).collect::<Vec<_>>();
            let moved = pairs.iter().any(|(before, after)| match it.steady {
                true => after - before == it.by,
                false => (after - before).signum() == it.by.signum(),
            });
            assert!(moved, "{it:?}: {pairs:?}");
        }
    }
    assert!(!grown.is_empty() && *rounds == ROUNDS);
    Some(growth)
}

/// All values that are kept there and are integers.
fn integers(program: &Program, state: &SceneState, agent: usize, holder: Holder) -> Vec<i64> {
    let state = &state.agents[agent];
    let values: Vec<map_ir::Value> = match holder {
        Holder::Variable(clause, index) => {
            let nodes = state.control.nodes.iter().filter_map(|node| match &node.kind {
                map_semantics::NodeKind::Activation { clause: its, variables, .. } if *its == clause => {
                    variables[index]
                }
                _ => None,
            });
            nodes.collect()
        }
        Holder::Cell(cell) => {
            let role = program.agents[agent].role;
            program.cell_of(role, cell).map(|index| state.memory[index]).into_iter().collect()
        }
        Holder::Argument(performative, place) => {
            let messages = state.mailbox.iter().filter(|message| message.performative == performative);
            messages.map(|message| message.arguments[place]).collect()
        }
    };
    let integer = |value| if let map_ir::Value::Integer(integer) = value { Some(integer) } else { None };
    values.into_iter().filter_map(integer).collect()
}

/// By how much it moves, and whether by as much each time.
fn movements(text: &str) -> Option<Vec<(i64, bool)>> {
    let (_, growth) = found(text)?;
    Some(growth.grown.iter().map(|it| (it.by, it.steady)).collect())
}

#[test]
fn a_sum_grows_steadily_a_difference_falls_and_a_sum_of_sums_grows_ever_faster() {
    let decision = |body: &str| counting(&format!("decision next($n) | $n != 0 = {body}"));
    assert_eq!(movements(&decision("$n + 5")), Some(vec![(5, true)]));
    assert_eq!(movements(&decision("$n - 3")), Some(vec![(-3, true)]));
    let faster = counting("decision next($n) | $n != 0 = $n + @by with @by := @by + 1");
    let movements = movements(&format!("memory %answerer {{ @by = 1 }} {faster}")).expect("it grows");
    assert!(movements.contains(&(1, true)) && movements.iter().any(|it| it.0 > 0 && !it.1), "{movements:?}");
}

#[test]
fn what_ends_before_so_many_rounds_does_not_count() {
    let up_to = |most: usize| counting(&format!("decision next($n) | $n < {most} = $n + 1"));
    assert!(movements(&up_to(7 + ROUNDS / 2)).is_none());
    assert!(movements(&up_to(7 + 3 * ROUNDS)).is_some());
}

#[test]
fn nothing_grows_where_a_run_comes_back() {
    assert!(movements(&counting("decision next($n) | $n == 7 = 8 | $n == 8 = 7")).is_none());
}

#[test]
fn what_is_repeated_rests_on_no_open_comparison() {
    let unknown = "procedure limit() decision next($n) | $n != $n - 1 = $n + 1";
    assert!(movements(&counting(unknown)).is_some());
    let compared = counting("decision next($n) | $n == $n = $n + 1").replace("first() = 7", "first()");
    assert!(movements(&compared).is_none());
}

#[test]
fn a_cell_grows() {
    let (program, growth) = found(
        "memory %counter { @count = 0 }
         decision next() | @count >= 0 = @count with @count := @count + 2
         counting[ agent(!Counter, %counter) = $n = next() then agent() ]",
    )
    .expect("it grows");
    let named = growth.grown.iter().map(|it| match it.holder {
        Holder::Cell(cell) => program.cell_name(cell).to_owned(),
        other => panic!("{other:?}"),
    });
    assert_eq!(Vec::from_iter(named), ["count"]);
}
