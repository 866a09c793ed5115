//! Properties that are enforced: what would violate them is refused and not offered.
use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_compile::PropertyCompiler;
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{
    Acceptance, ArgumentText, Budgets, Denial, Draft, Guard, Left, LeftOut, Policy, Record, RefusalKind,
    Rules,
};
use serde_json::json;

const NOW: u64 = 1_000_000_000;

fn rules_of(text: &str, wanted: impl Fn(&str) -> bool) -> Rules {
    let source = SourceFile::new("scene.map", text);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let checked = checked.expect("the file is correct");
    let mut program = map_compile::compile(&checked);
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    for property in parsed.file.properties() {
        let added = compiler.add(&property.name.text, &property.formula);
        assert!(added.is_ok(), "{added:?}");
    }
    let budgets = Budgets::new(compiler.finish(), wanted);
    let observed = budgets.observed(&program);
    let settings = Settings { observed, ..Settings::default() };
    let scene = Arc::new(Scene::new(Arc::new(program), settings));
    let (roles, policy) = (Roles::new(scene.program()), Policy::new(scene.program()));
    Rules::new(scene, roles, policy).with_budgets(budgets)
}

/// Two agents have one task; whoever has it may hand it over to the other one, for ever.
const HANDOFF: &str = r"
memory %planner { @spent = 0 }
decision tired()
procedure spend($amount) = @spent with @spent := @spent + $amount
procedure price() in 1..6

handoff[
    agent(!Planner, %planner) =
        $amount = price() then $before = spend($amount)
        then handover($amount) => agent(!Coder, %coder) then agent(wait)

    agent(!Planner, %planner, wait) =
        waitfor (
            (handover(_) <= agent(!Coder, %coder) then agent(hold))
            or done() <= agent(!Coder, %coder)
        )

    agent(!Planner, %planner, hold) =
        ($why = tired() then done() => agent(!Coder, %coder))
        or agent()

    agent(!Coder, %coder) =
        waitfor (
            (handover($amount) <= agent(!Planner, %planner) then agent(hold, $amount))
            or done() <= agent(!Planner, %planner)
        )

    agent(!Coder, %coder, hold, $amount) =
        ($why = tired() then done() => agent(!Planner, %planner))
        or (handover($amount) => agent(!Planner, %planner) then agent())
]

property few : always count(_ sends handover(_) to _) <= 3
property cheap : always total($amount : !Planner sends handover($amount) to _) <= 7
property coder_answers : !Planner sends handover(_) to _ precedes !Coder sends handover(_) to _
property spending : always !Planner sends handover(_) to _ implies !Planner@spent <= 5
property no_sixes : never _ sends handover(6) to _
property ends : eventually ended
property may_end : possible ended
property as_received : always !Coder sends handover(_) to _ implies before !Coder receives handover(_) from _
property something_is_said : always count(_ sends handover(_) to _) >= 1
";

fn guard_with(wanted: &[&str]) -> Guard {
    Guard::new(rules_of(HANDOFF, |name| wanted.contains(&name)))
}

fn draft(performative: &str, args: &[i64]) -> Draft {
    Draft {
        performative: performative.to_owned(),
        args: args.iter().map(|arg| json!(arg)).collect(),
        ..Draft::default()
    }
}

fn send(guard: &mut Guard, agent: &str, performative: &str, args: &[i64]) -> Result<Acceptance, Denial> {
    guard.send(NOW, "c", agent, &draft(performative, args))
}

fn hand_over(guard: &mut Guard, agent: &str, amount: i64) {
    let sent = send(guard, agent, "handover", &[amount]);
    assert!(sent.is_ok(), "{sent:?}");
}

fn is_over_budget(result: Result<Acceptance, Denial>, property: &str) {
    match result {
        Err(Denial::Refused(refusal)) if refusal.kind == RefusalKind::Budget => {
            assert!(refusal.text.contains(property), "{}", refusal.text);
        }
        other => panic!("{property} is not enforced: {other:?}"),
    }
}

/// The performatives that an agent is offered.
fn offered(guard: &mut Guard, agent: &str) -> Vec<String> {
    let offer = guard.offer(NOW, "c", agent).expect("it is an agent");
    offer.may.into_iter().map(|suggestion| suggestion.performative).collect()
}

#[test]
fn a_legal_loop_ends_when_the_budget_is_spent() {
    let mut guard = guard_with(&["few"]);
    hand_over(&mut guard, "Planner", 1);
    hand_over(&mut guard, "Coder", 1);
    let left = |property: &str, left| vec![Left { property: property.to_owned(), left }];
    assert_eq!(guard.offer(NOW, "c", "Planner").expect("it is an agent").budgets, left("few", 1));
    hand_over(&mut guard, "Planner", 6);
    assert_eq!(guard.offer(NOW, "c", "Coder").expect("it is an agent").budgets, left("few", 0));
    assert_eq!(offered(&mut guard, "Coder"), ["done"]);
    is_over_budget(send(&mut guard, "Coder", "handover", &[6]), "few");
    assert!(send(&mut guard, "Coder", "done", &[]).is_ok());
}

#[test]
fn an_offer_leaves_out_the_arguments_that_would_be_refused() {
    let mut guard = guard_with(&["cheap", "no_sixes"]);
    let arguments = |guard: &mut Guard, agent: &str| {
        let offer = guard.offer(NOW, "c", agent).expect("it is an agent");
        let handover = offer.may.into_iter().find(|it| it.performative == "handover");
        handover.map(|handover| (handover.arguments, handover.exact))
    };
    assert_eq!(arguments(&mut guard, "Planner"), Some((vec![ArgumentText::In(1, 5)], true)));
    is_over_budget(send(&mut guard, "Planner", "handover", &[6]), "no_sixes");
    hand_over(&mut guard, "Planner", 5);
    hand_over(&mut guard, "Coder", 5);
    let two = vec![ArgumentText::OneOf(vec![json!(1), json!(2)])];
    assert_eq!(arguments(&mut guard, "Planner"), Some((two, true)));
    is_over_budget(send(&mut guard, "Planner", "handover", &[3]), "cheap");
    hand_over(&mut guard, "Planner", 2);
}

#[test]
fn a_property_about_the_memory_of_the_sender_is_enforced() {
    let mut guard = guard_with(&["spending"]);
    hand_over(&mut guard, "Planner", 4);
    hand_over(&mut guard, "Coder", 4);
    is_over_budget(send(&mut guard, "Planner", "handover", &[2]), "spending");
    hand_over(&mut guard, "Planner", 1);
}

#[test]
fn what_is_spent_survives_a_restart() {
    let mut guard = guard_with(&["few"]);
    hand_over(&mut guard, "Planner", 1);
    hand_over(&mut guard, "Coder", 1);
    hand_over(&mut guard, "Planner", 2);
    let records: Vec<Record> = guard.take_records();
    let mut again = guard_with(&["few"]);
    for record in &records {
        again.replay(record, "this file").expect("it follows");
    }
    is_over_budget(send(&mut again, "Coder", "handover", &[2]), "few");
}

#[test]
fn what_is_not_enforced_is_told() {
    let rules = rules_of(HANDOFF, |_| true);
    assert_eq!(rules.budgets.enforced(), ["few", "cheap", "coder_answers", "spending", "no_sixes"]);
    let left_out: Vec<(&str, LeftOut)> =
        rules.budgets.left_out().iter().map(|(name, why)| (name.as_str(), *why)).collect();
    let expected = [
        ("ends", LeftOut::Promise),
        ("may_end", LeftOut::AllRuns),
        ("as_received", LeftOut::Unseen),
        ("something_is_said", LeftOut::Broken),
    ];
    assert_eq!(left_out, expected);
}
