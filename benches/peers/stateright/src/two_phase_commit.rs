//! Two-phase commit. What the coordinator sends goes to all, so one value says what is in the voters' mailboxes.

use crate::ENDS_WELL;
use stateright::{Model, Property, Representative};

pub struct Commit {
    pub voters: usize,
    /// The coordinator whose time runs out tells nobody.
    pub fault: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Voter {
    Asked,
    /// Has voted yes: hears any decision.
    Uncertain,
    /// Has voted no or crashed: only hears an abort.
    Against,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decision {
    Open,
    Commit,
    Abort,
    /// The fault: there is none, and there will be none.
    Untold,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    decision: Decision,
    /// Votes that the coordinator waits for.
    awaited: usize,
    /// In its mailbox.
    yes: usize,
    no: usize,
    voters: Vec<Voter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Yes(usize),
    No(usize),
    Crash(usize),
    Hear(usize),
    CountYes,
    CountNo,
    TimeOut,
}

impl State {
    fn decide(&mut self, decision: Decision) {
        self.decision = decision;
        (self.awaited, self.yes, self.no) = (0, 0, 0);
    }

    fn hears(&self, voter: Voter) -> bool {
        match voter {
            Voter::Uncertain => matches!(self.decision, Decision::Commit | Decision::Abort),
            Voter::Against => self.decision == Decision::Abort,
            Voter::Asked | Voter::Done => false,
        }
    }
}

impl Representative for State {
    fn representative(&self) -> Self {
        let mut state = self.clone();
        state.voters.sort_unstable();
        state
    }
}

impl Model for Commit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            decision: Decision::Open,
            awaited: self.voters,
            yes: 0,
            no: 0,
            voters: vec![Voter::Asked; self.voters],
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (at, &voter) in state.voters.iter().enumerate() {
            if voter == Voter::Asked {
                actions.extend([Action::Yes(at), Action::No(at), Action::Crash(at)]);
            } else if state.hears(voter) {
                actions.push(Action::Hear(at));
            }
        }
        if state.decision == Decision::Open {
            if state.yes > 0 {
                actions.push(Action::CountYes);
            }
            if state.no > 0 {
                actions.push(Action::CountNo);
            }
            if actions.is_empty() {
                actions.push(Action::TimeOut);
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        let open = state.decision == Decision::Open;
        match action {
            Action::Yes(at) => {
                state.voters[at] = Voter::Uncertain;
                state.yes += usize::from(open);
            }
            Action::No(at) => {
                state.voters[at] = Voter::Against;
                state.no += usize::from(open);
            }
            Action::Crash(at) => state.voters[at] = Voter::Against,
            Action::Hear(at) => state.voters[at] = Voter::Done,
            Action::CountYes => {
                state.yes -= 1;
                state.awaited -= 1;
                if state.awaited == 0 {
                    state.decide(Decision::Commit);
                }
            }
            Action::CountNo => state.decide(Decision::Abort),
            Action::TimeOut => state.decide(if self.fault { Decision::Untold } else { Decision::Abort }),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(ENDS_WELL, |model: &Self, state: &State| {
            let mut actions = Vec::new();
            model.actions(state, &mut actions);
            !actions.is_empty() || state.voters.iter().all(|voter| *voter == Voter::Done)
        })]
    }
}
