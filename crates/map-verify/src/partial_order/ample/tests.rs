//! The conditions for ample sets, one by one; the static facts about messages; and that random scenes meet the
//! conditions.

use map_ir::{Agent, AgentId, PartId, PerformativeId, PointKind, Program};
use map_semantics::{Bounds, StepKind, Timeouts};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::random_asking;

use super::{AmpleSelector, Watched};
use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::fixture::{bounds, made_steps, performative, program};
use crate::footprint::{Messages, Performatives, bit};
use crate::state::Scratch;
use crate::state::space::Space;

/// A scene, its bounds, and whose mailbox is to overflow if it can.
struct Case {
    program: Program,
    bounds: Bounds,
    watched: Watched,
}

impl Case {
    fn new(text: &str) -> Self {
        let program = program(text);
        let bounds = bounds(&program, &OracleOptions::new(0));
        Self { program, bounds, watched: Watched::Nobody }
    }

    fn space(&self) -> Space<'_> {
        let slicer = Slicer::new(&self.program, &self.bounds, &[]);
        Space::up_to(&self.program, &self.bounds, Some(slicer), Symmetry::none(&self.program))
    }

    /// The agent whose steps are chosen after some steps, each the first one of the named agent.
    fn chosen_behind(&self, steps: &[&str]) -> Option<&str> {
        let mut space = self.space();
        let selector = AmpleSelector::new(&space, self.watched);
        let mut state = space.first().expect("nothing goes wrong before the first state");
        let mut scratch = Scratch::default();
        for name in steps {
            let made = made_steps(&mut space, &state);
            let after = made.into_iter().find(|made| self.program.agent_name(made.agent) == *name);
            state = after.unwrap_or_else(|| panic!("{name} has no step")).next;
        }
        while !scratch.locate(&space, &state) {
            std::mem::take(&mut scratch.missing).into_iter().for_each(|it| space.agents.fill(it));
        }
        let slot = selector.choose(&space, &scratch.located, &state)?;
        Some(self.program.agent_name(space.agent_in(&state, slot)))
    }

    fn chosen(&self) -> Option<&str> {
        self.chosen_behind(&[])
    }

    fn messages(&self) -> Messages {
        self.messages_for(Some(&Slicer::new(&self.program, &self.bounds, &[])))
    }

    fn messages_for(&self, slicer: Option<&Slicer<'_>>) -> Messages {
        Messages::new(&self.program, self.bounds.timeouts, slicer)
    }

    /// The performatives of that set, by name, sorted.
    fn names(&self, set: Performatives) -> Vec<&str> {
        let all = self.program.performatives.iter();
        let mut names: Vec<&str> = all
            .map(|it| it.name.as_str())
            .filter(|it| set & bit(performative(&self.program, it)) != 0)
            .collect();
        names.sort_unstable();
        names
    }
}

fn chosen(text: &str) -> Option<String> {
    Case::new(text).chosen().map(str::to_owned)
}

fn some(name: &str) -> Option<String> {
    Some(name.to_owned())
}

#[test]
fn an_ask_is_enough_and_of_a_crowd_the_first_goes_before_the_single() {
    let two = "procedure p() scene [ agent(!A, %a) = $x = p() agent($me, %b) = $x = p() ] cast %b = 2";
    assert_eq!(chosen(two), some("B1"));
    assert_eq!(Case::new(two).chosen_behind(&["B1"]), Some("B2"));
    assert_eq!(Case::new(two).chosen_behind(&["B1", "B2"]), Some("A"));
    assert_eq!(Case::new(two).chosen_behind(&["B1", "B2", "A"]), None);
}

#[test]
fn who_waits_is_not_enough() {
    // A's decision may say "no" for ever, and time runs out once B has ended.
    let text = "decision p() scene [ agent(!A, %a) = waitfor ($x = p()) timeout skip agent(!B, %b) = skip ]";
    assert_eq!(chosen(text), None);
    // The message is waited for, and once it is there nothing else is.
    let text = "scene [ agent(!A, %a) = waitfor (m() <= agent(_, %b)) agent(!B, %b) = m() => agent(!A, %a) ]";
    assert_eq!(chosen(text), some("B"));
    assert_eq!(Case::new(text).chosen_behind(&["B"]), Some("A"));
}

#[test]
fn a_step_that_is_cut_or_goes_wrong_is_not_enough() {
    let other = "agent(!B, %b) = waitfor (m() <= agent(_, %a)) timeout skip";
    let wrong =
        format!("procedure p() = 1 / 0 scene [ agent(!A, %a) = $x = p() then m() => agent(_, %b) {other} ]");
    assert_eq!(chosen(&wrong), None);
    let mut cut = Case::new(&format!(
        "procedure p() scene [ agent(!A, %a) = $x = p() then agent(go) then m() => agent(_, %b)
         agent(!A, %a, go) = $x = p() {other} ]"
    ));
    assert_eq!(cut.chosen(), Some("A"));
    cut.bounds.depth = 1;
    assert_eq!(cut.chosen(), None);
}

#[test]
fn a_message_that_may_still_come_disturbs_who_passes_over_its_receive() {
    let listens = "agent(!A, %a) = m() <= agent(_, %b) or $x = p()";
    let sends = "agent(!B, %b) = $x = p() then m() => agent(!A, %a)";
    assert_eq!(
        chosen(&format!("procedure p() scene [ {listens} {sends} ]")),
        some("B"),
        "its own ask is enough"
    );
    let case = Case::new(&format!("procedure p() scene [ {listens} {sends} ]"));
    // A would take the message if it were there, and something else if not: neither can go first.
    assert_eq!(case.chosen_behind(&["B"]), None);
    assert_eq!(case.chosen_behind(&["B", "B"]), Some("A"), "nothing can come any more");
}

#[test]
fn a_send_is_not_enough_if_its_recipient_may_do_something_else_meanwhile() {
    let sends = "agent(!B, %b) = m() => agent(!A, %a)";
    let scene = |listens: &str| chosen(&format!("decision p() scene [ agent(!A, %a) = {listens} {sends} ]"));
    assert_eq!(scene("waitfor (m() <= agent(_, %b)) timeout skip"), some("B"));
    assert_eq!(scene("waitfor ((m() <= agent(_, %b) then skip) or fail) timeout skip"), some("B"));
    assert_eq!(scene("waitfor (m() <= agent(_, %b) or $x = p())"), None);
    assert_eq!(
        scene("waitfor ($x = p() or m() <= agent(_, %b))"),
        some("B"),
        "an ask is never passed over by it"
    );
    assert_eq!(scene("m() <= agent(_, %b) or skip"), None);
}

#[test]
fn sends_of_what_differs_are_not_enough_if_a_receive_may_choose() {
    let scene = |receive: &str, crowd: &str, others: &str| {
        chosen(&format!(
            "procedure p() procedure v() in {{1, 2}} decision q($x) | $x == 1 = $x
             scene [ agent(!A, %a) = agent(go, 1)
             agent(!A, %a, go, $x) = waitfor ({receive})
             {crowd} {others} ] cast %b = 2"
        ))
    };
    let bidders = "agent($me, %b) = agent(say, 2)
                   agent($me, %b, say, $y) = m($y) => agent(!A, %a)";
    let another = "agent(!C, %c) = m(1) => agent(!A, %a)";
    // The value that is taken matters.
    assert_eq!(scene("m($z) <= agent(_, _) then $w = q($z)", bidders, ""), None);
    assert_eq!(scene("m($z) <= agent(_, _)", bidders, ""), some("B1"), "nobody looks at the value");
    assert_eq!(
        scene("m($x) <= agent(_, _) then $w = q($x)", bidders, ""),
        some("B1"),
        "one value is asked for"
    );
    assert_eq!(
        scene("m(1) <= agent(_, %b) or m(2) <= agent(_, %b)", bidders, ""),
        None,
        "m(1) would be missed"
    );
    assert_eq!(scene("m(1) <= agent(_, %b)", bidders, ""), some("B1"));
    // It matters which role it comes from, and who sends.
    assert_eq!(scene("m($x) <= agent(_, %b)", bidders, another), None);
    assert_eq!(scene("m($x) <= agent(_, %b)", bidders, "agent(!C, %c) = skip"), some("B1"));
    assert_eq!(scene("m($x) <= agent($s, %b) then n() => agent($s, %b)", bidders, ""), None);
    // Whether an abstract value is the one asked for is open.
    let open = "agent($me, %b) = $y = p() then agent(say, $y)
                agent($me, %b, say, $y) = m($y) => agent(!A, %a)";
    let program = |receive: &str, crowd: &str| {
        Case::new(&format!(
            "procedure p() procedure v() in {{1, 2}}
             scene [ agent(!A, %a) = agent(go, 1) agent(!A, %a, go, $x) = waitfor ({receive}) {crowd} ] cast %b = 2"
        ))
    };
    assert_eq!(program("m($x) <= agent(_, %b)", open).chosen_behind(&["B1", "B2"]), None);
    let known = open.replace("p()", "v()");
    assert_eq!(program("m($x) <= agent(_, %b)", &known).chosen_behind(&["B1", "B2"]), Some("B1"));
    // One is left to send: nobody else's message could come before.
    assert_eq!(program("m($x) <= agent(_, %b)", open).chosen_behind(&["B1", "B2", "B1"]), Some("B2"));
}

#[test]
fn a_full_mailbox_makes_a_send_wait_and_a_narrow_one_a_receive() {
    let text = "procedure p() scene [
        agent(!A, %a) = $x = p() then (waitfor (m() <= agent(_, %b)))
        agent(!B, %b) = m() => agent(!A, %a) then $x = p() then m() => agent(!A, %a) ]";
    let mut case = Case::new(text);
    // A takes, while B may still send: that hides an overflow, unless no order of steps leads to one.
    assert_eq!(case.chosen_behind(&["A"]), Some("B"));
    assert_eq!(case.chosen_behind(&["A", "B"]), Some("A"));
    case.watched = Watched::Agent(AgentId::new(1));
    assert_eq!(case.chosen_behind(&["A", "B"]), Some("A"), "another agent takes");
    case.watched = Watched::Agent(AgentId::new(0));
    assert_eq!(case.chosen_behind(&["A", "B"]), Some("B"), "A would take");
    case.bounds.mailbox = 1;
    assert_eq!(case.chosen_behind(&["A", "B", "B"]), None, "B's second message would overflow");
}

#[test]
fn what_may_be_sent_is_read_off_the_text() {
    let case = Case::new(
        "procedure p() scene [
         agent(!A, %a) = one() => agent(!B, %b) then agent(go) then two() => agent(_, %b) or three() => agent(_, _)
         agent(!A, %a, go) = waitfor ($x = p()) timeout (four() => agent(!B, %b) par five() => agent(!C, %c))
         agent(!A, %a, never) = six() => agent(!B, %b)
         agent(!B, %b) = skip agent(!C, %c) = skip ]",
    );
    let messages = case.messages();
    let mut space = case.space();
    let mut state = space.first().expect("there is a first state");
    let may_send = |space: &Space<'_>, state: &[u32]| {
        case.names(messages.may_send(&case.program, &space.agents.state(state[0]))).join(" ")
    };
    assert_eq!(may_send(&space, &state), "five four one three two");
    // After the first send, then after the decision that said yes: what follows calls counts, on success and on
    // failure.
    for (kind, expected) in [(StepKind::Send, "five four three two"), (StepKind::Ask, "three two")] {
        let next = made_steps(&mut space, &state).into_iter().rfind(|made| made.kind == kind);
        state = next.expect("the step is there").next;
        assert_eq!(may_send(&space, &state), expected);
    }
    let sent_to = |part: usize| case.names(messages.sent_to(PartId::new(part))).join(" ");
    assert_eq!([sent_to(0), sent_to(1), sent_to(2)], ["three", "four one six three two", "five three"]);
}

/// What agent A can tell from its first places on not to have come, if others may send those messages.
fn missed(timeouts: Timeouts, body: &str, others: &[&str]) -> String {
    let mut case = Case::new(&format!(
        "procedure p() scene [ agent(!A, %a) = {body}
         agent(!A, %a, other) = n() <= agent(_, %b)
         agent(!B, %b) = m() => agent(!A, %a) then n() => agent(!A, %a) then o() => agent(!A, %a) ]"
    ));
    case.bounds.timeouts = timeouts;
    let (messages, mut space) = (case.messages(), case.space());
    let first = space.first().expect("nothing goes wrong before the first state");
    let missed = messages.missed(&case.program, &space.agents.state(first[0]));
    let set = |name: &str| bit(performative(&case.program, name));
    let others = others.iter().fold(0, |all, name| all | set(name));
    let all: Vec<&str> = ["m", "n", "o"].into_iter().filter(|it| missed.contains(set(it), others)).collect();
    all.join(" ")
}

#[test]
fn a_receive_is_missed_if_something_else_can_be_done_without_its_message() {
    let missed = |body: &str| missed(Timeouts::Quiescent, body, &["m", "n", "o"]);
    assert_eq!(missed("waitfor (m() <= agent(_, %b)) timeout skip"), "");
    assert_eq!(missed("waitfor (m() <= agent(_, %b) or o() <= agent(_, %b))"), "m");
    assert_eq!(missed("waitfor (m() <= agent(_, %b) then o() <= agent(_, %b))"), "o");
    assert_eq!(missed("m() <= agent(_, %b) or skip"), "m");
    // After the answer its thread rests at the receive, and going back to the `waitfor` is a move.
    assert_eq!(missed("waitfor ($x = p() then fail or m() <= agent(_, %b))"), "m");
    assert_eq!(missed("waitfor ($x = p() or m() <= agent(_, %b))"), "");
    assert_eq!(missed("waitfor ((m() <= agent(_, %b) then skip) or fail)"), "");
    assert_eq!(missed("(waitfor (m() <= agent(_, %b))) par (waitfor (o() <= agent(_, %b)))"), "");
    // What is called counts as soon as it may be: its activation would fail.
    assert_eq!(missed("$x = p() then agent(other)"), "n");
    assert_eq!(missed("waitfor (m() <= agent(_, %b) or agent(other))"), "m n");
}

#[test]
fn a_receive_is_not_missed_if_what_else_can_be_done_needs_messages_that_cannot_come() {
    let body = "waitfor (m() <= agent(_, %b) or n() <= agent(_, %b) or o() <= agent(_, %b))";
    let missed = |others: &[&str]| missed(Timeouts::Quiescent, body, others);
    assert_eq!(missed(&[]), "");
    assert_eq!(missed(&["m"]), "", "it comes before the others");
    assert_eq!(missed(&["n"]), "m");
    assert_eq!(missed(&["o"]), "m n");
    assert_eq!(missed(&["m", "o"]), "m n");
}

#[test]
fn where_time_may_run_out_for_anybody_a_receive_is_missed_in_time() {
    let missed = |body: &str| missed(Timeouts::Any, body, &[]);
    assert_eq!(missed("waitfor (m() <= agent(_, %b))"), "");
    assert_eq!(missed("waitfor (m() <= agent(_, %b)) timeout skip"), "m");
    assert_eq!(
        missed("waitfor (m() <= agent(_, %b) or (n() <= agent(_, %b) then skip)) timeout skip"),
        "m n"
    );
    // What follows is judged by itself.
    assert_eq!(missed("waitfor (m() <= agent(_, %b) then (waitfor o() <= agent(_, %b))) timeout skip"), "m");
    assert_eq!(missed("(waitfor m() <= agent(_, %b)) then (waitfor o() <= agent(_, %b) timeout skip)"), "o");
}

#[test]
fn messages_are_uniform_if_nothing_in_them_matters_and_one_role_sends_them() {
    let uniform = |receive: &str, other: &str| {
        let case = Case::new(&format!(
            "decision q($x) | $x == 1 = $x scene [ agent(!A, %a) = waitfor ({receive})
             agent($me, %b) = m(1) => agent(!A, %a) agent(!C, %c) = {other} ]"
        ));
        case.messages().is_uniform(performative(&case.program, "m"))
    };
    assert!(uniform("m($x) <= agent(_, %b)", "skip"));
    assert!(!uniform("m(1) <= agent(_, %b)", "skip"));
    assert!(!uniform("m($x) <= agent(_, %b) then $y = q($x)", "skip"));
    assert!(!uniform("m($x) <= agent($s, %b) then n() => agent($s, %b)", "skip"));
    assert!(!uniform("m($x) <= agent(_, _)", "m(2) => agent(!A, %a)"));
    let case = Case::new(
        "scene [ agent(!A, %a) = waitfor (m(_) <= agent(_, %b)) agent(!B, %b) = m(1) => agent(!A, %a) ]",
    );
    let whole = case.messages_for(None);
    assert!(!whole.is_uniform(performative(&case.program, "m")), "without slicing everything matters");
    assert!(!whole.is_unordered(PartId::new(0), performative(&case.program, "m")));
}

/// Random scenes, made for this, in which several agents send messages that differ to one whose receives ask for one
/// value: how many there are, and how many where something disturbs that.
#[test]
fn random_scenes_have_receives_that_ask_for_one_value() {
    let (mut unordered, mut ordered) = (0, 0);
    for seed in 0..1_000 {
        let (text, options) = random_asking(seed);
        let program = program(&text);
        let bounds = bounds(&program, &options);
        let messages = Messages::new(&program, bounds.timeouts, Some(&Slicer::new(&program, &bounds, &[])));
        let asker = program.cast().find(|&it| program.agent_name(it) == "A").expect("somebody asks");
        let part = program.agent(asker).part;
        let offers = |it: &&Agent| program.part(it.part).role != program.part(part).role;
        if program.agents.iter().filter(offers).count() < 3 {
            // One agent offers, and another of a role of its own may.
            continue;
        }
        let mut space = Space::new(&program, &bounds);
        let Some(first) = space.first() else { continue };
        let missed = messages.missed(&program, &space.agents.state(first[asker.index()]));
        let receives = |sent: PerformativeId| {
            program.points.iter().any(|point| {
                program.clause(point.clause).part == part
                    && matches!(point.kind, PointKind::Receive { performative, .. } if performative == sent)
            })
        };
        for sent in (0..program.performatives.len()).map(PerformativeId::new) {
            if receives(sent) && messages.sent_to(part) & bit(sent) != 0 && !messages.is_uniform(sent) {
                let is_enough =
                    messages.is_unordered(part, sent) && !missed.contains(bit(sent), Performatives::MAX);
                *(if is_enough { &mut unordered } else { &mut ordered }) += 1;
            }
        }
    }
    assert!(unordered > 250 && ordered > 150, "{unordered} unordered, {ordered} ordered");
}
