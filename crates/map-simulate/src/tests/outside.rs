//! Answers from outside are values like any other, are recorded, and can be replayed.

use std::ops::ControlFlow;

use map_ir::{Foreign, Program, Value};
use map_semantics::{Action, Question, Reply, RunErrorKind, Status, StepError};

use super::{BOUNDS, program};
use crate::{Response, Run, RunEnd, SimulationOptions, simulate_with};

fn run_with(
    program: &Program,
    respondent: &mut dyn FnMut(&Question<'_>) -> Response,
) -> (Run, Vec<Vec<u32>>) {
    let options = SimulationOptions {
        seed: 1,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 1000,
        loss: 0.0,
        crash: 0.0,
    };
    let mut taken = Vec::new();
    let run = simulate_with(program, &BOUNDS, &options, Vec::new(), respondent, &mut |seen| {
        taken.push(seen.step.options.clone());
        ControlFlow::Continue(())
    });
    (run, taken)
}

fn value(value: Value) -> Response {
    Response::Reply(Reply::Value(value))
}

/// A reply of 7 leads to success, any other value to failure.
const FORK: &str = "procedure p()
    s[ agent(!A, %a) = $x = p() then agent(is, $x)
       agent(!A, %a, is, 7) = skip
       agent(!A, %a, is, $other) = fail ]";

#[test]
fn a_value_from_outside_leaves_nothing_open() {
    let program = program(FORK);
    for (answer, status) in [(Value::Integer(7), Status::Done), (Value::Integer(8), Status::Failed)] {
        let (run, taken) = run_with(&program, &mut |_| value(answer));
        assert_eq!(run.state.unwrap().agents[0].status, status);
        // One option, the index of the initial value: there was no comparison to resolve.
        assert_eq!((taken, run.values), (vec![vec![3]], vec![answer]));
    }
}

#[test]
fn constants_and_strings_from_outside_are_values_of_their_kind() {
    let program = program(
        "procedure p() procedure q()
         s[ agent(!A, %a) = $x = p() then $y = q() then agent(same, $x, $y)
            agent(!A, %a, same, $x, $x) = skip
            agent(!A, %a, same, $x, $y) = fail ]",
    );
    let mut foreign = Foreign::default();
    let written = foreign.name(&program, "same");
    assert_eq!(Some(written), program.name_constant("same").map(Value::Name));
    let (name, text) = (foreign.name(&program, "new"), foreign.text(&program, "new"));
    assert_eq!((name, text), (foreign.name(&program, "new"), foreign.text(&program, "new")));
    assert_eq!(foreign.content(&program, name), Some("new"));
    for (second, status) in [(name, Status::Done), (text, Status::Failed), (written, Status::Failed)] {
        let mut answers = [name, second].into_iter();
        let (run, _) = run_with(&program, &mut |_| value(answers.next().unwrap()));
        assert_eq!(run.state.unwrap().agents[0].status, status);
    }
}

#[test]
fn a_question_tells_what_the_agent_knows() {
    let program = program(
        "memory %a { @cell = 3 } procedure peek() = @cell
         s[ agent(!A, %a) = waitfor (m($x) <= agent($b, %b) then agent(think, $x))
            agent(!A, %a, think, $y) = $z = peek() then $w = p($y, other)
            agent(!B, %b) = n() => agent(!A, %a) then m(5) => agent(!A, %a) ]",
    );
    let mut asked = 0;
    run_with(&program, &mut |question| {
        asked += 1;
        assert_eq!(program.agent_name(question.agent), "A");
        assert_eq!(program.procedure(question.procedure).name, "p");
        assert_eq!(question.arguments[0], Value::Integer(5));
        assert!(question.may_refuse);
        let clause = program.clause(program.point(question.point).clause);
        let known = clause.variables.iter().map(String::as_str).zip(question.variables.iter().copied());
        let known: Vec<_> = known.filter_map(|(name, value)| Some((name, value?))).collect();
        assert_eq!(known, [("y", Value::Integer(5)), ("z", Value::Integer(3))]);
        assert_eq!(question.memory, [Value::Integer(3)]);
        assert_eq!(question.mailbox.len(), 1, "n() has not been taken");
        value(Value::Integer(0))
    });
    assert_eq!(asked, 1);
}

#[test]
fn only_what_has_no_body_or_answers_from_a_domain_is_asked_outside() {
    let program = program(
        "procedure a() in 1..6 decision b() fresh decision c() = 3 procedure d()
         s[ agent(!A, %a) = $a = a() then ($b = b() or skip) then $c = c() then $d = d() ]",
    );
    let mut asked = Vec::new();
    run_with(&program, &mut |question| {
        asked.push(program.procedure(question.procedure).name.clone());
        Response::Chance
    });
    assert_eq!(asked, ["a", "d"]);
}

#[test]
fn no_answer_is_a_run_error() {
    let decides = program("s[ agent(!A, %a) = ($x = p() then fail) or skip ]");
    let (run, taken) = run_with(&decides, &mut |_| Response::Reply(Reply::No));
    assert_eq!((run.end, taken), (RunEnd::Ended, vec![vec![0]]));

    let always = program("procedure p() s[ agent(!A, %a) = ($x = p() then fail) or skip ]");
    for (program, reply) in [(&always, Reply::No), (&always, Reply::Missing), (&decides, Reply::Missing)] {
        let (run, _) = run_with(program, &mut |_| Response::Reply(reply));
        let RunEnd::Wrong(_, StepError::RunError(error)) = run.end else { panic!("{:?}", run.end) };
        assert_eq!((error.kind, run.steps), (RunErrorKind::NoAnswer, 1));
    }
}

#[test]
fn whoever_is_asked_may_end_the_run() {
    let program = program("s[ agent(!A, %a) = $x = p() then $y = p() ]");
    let mut asked = 0;
    let (run, _) = run_with(&program, &mut |_| {
        asked += 1;
        if asked == 1 { Response::Reply(Reply::Unknown) } else { Response::Stop }
    });
    assert_eq!((run.end, run.steps), (RunEnd::Stopped, 1));
}

#[test]
fn values_are_listed_once() {
    let program = program(
        "s[ agent(!A, %a) = $x = p() then agent(loop, $x)
            agent(!A, %a, loop, $x) = $y = p() then agent(loop, $y) ]",
    );
    let mut asked = 0;
    let (run, taken) = run_with(&program, &mut |_| {
        asked += 1;
        if asked > 6 { Response::Stop } else { value(Value::Integer(asked % 3)) }
    });
    assert_eq!(run.values, [1, 2, 0].map(Value::Integer));
    assert_eq!(taken, [[3], [4], [5], [3], [4], [5]]);
    assert!(matches!(run.end, RunEnd::Stopped));
}

#[test]
fn chance_is_the_same_with_and_without_a_respondent() {
    let program = program(super::AUCTION);
    let options = SimulationOptions {
        seed: 3,
        yes: 0.7,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 500,
        loss: 0.0,
        crash: 0.0,
    };
    let story = |respondent: &mut dyn FnMut(&Question<'_>) -> Response| {
        let mut asked = Vec::new();
        let run = simulate_with(&program, &BOUNDS, &options, Vec::new(), respondent, &mut |seen| {
            if let Some(Action::Ask { answer, .. }) = &seen.observed.outcome.action {
                asked.push(*answer);
            }
            ControlFlow::Continue(())
        });
        (run.steps, asked)
    };
    let alone = story(&mut |_| Response::Chance);
    let mut questions = 0;
    let watched = story(&mut |_| {
        questions += 1;
        Response::Chance
    });
    assert_eq!(alone, watched);
    assert!(questions >= watched.1.len());
}

#[test]
fn what_is_answered_of_a_domain_is_recorded_as_if_it_had_been_drawn() {
    let program = program(
        "procedure p() in {1, 2, 3} decision q() in {1, 2}
         s[ agent(!A, %a) = $x = p() then $y = q() ]",
    );
    let answering = |first: i64, second: Option<i64>| {
        run_with(&program, &mut |question| {
            let is_first = question.domain.expect("both have one").len() == 3;
            let answer = if is_first { Some(first) } else { second };
            answer.map_or(Response::Reply(Reply::No), |number| value(Value::Integer(number)))
        })
    };
    let (run, taken) = answering(3, Some(2));
    assert_eq!((taken, run.end, run.values), (vec![vec![2], vec![1, 1]], RunEnd::Ended, Vec::new()));
    let (_, taken) = answering(1, None);
    assert_eq!(taken.first(), Some(&vec![0]));
    // What is not among the values is no answer.
    let (run, taken) = answering(4, None);
    assert!(taken.is_empty() && matches!(run.end, RunEnd::Unanswered(..)), "{:?}", run.end);
}
