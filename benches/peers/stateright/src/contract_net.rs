//! The contract net. There is at most one message between the initiator and each participant at a time, so where a
//! participant is also says what is in the mailboxes, and who is best is said by the participant.

use crate::ENDS_WELL;
use stateright::{Model, Property, Representative};

pub struct ContractNet {
    pub participants: usize,
    /// Who was best before is not rejected.
    pub fault: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Participant {
    Called,
    /// Its proposal is in the initiator's mailbox.
    Proposed,
    /// Its proposal is the best so far.
    Best,
    /// A rejection is in its mailbox.
    Rejected,
    /// An award is in its mailbox.
    Accepted,
    /// Its proposal was beaten, and nobody tells it: the fault.
    Forgotten,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Initiator {
    Open,
    /// Waits for what comes of the award.
    Awarded,
    /// The report is in its mailbox.
    Reported,
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    initiator: Initiator,
    awaited: usize,
    /// Refusals in the initiator's mailbox.
    refusals: usize,
    participants: Vec<Participant>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Propose(usize),
    Refuse(usize),
    StaySilent(usize),
    /// The initiator takes a proposal, as the best one or not.
    TakeBetter(usize),
    TakeWorse(usize),
    TakeRefusal,
    HearRejection(usize),
    Perform(usize),
    TakeReport,
    TimeOut,
}

impl State {
    fn best(&self) -> Option<usize> {
        self.participants.iter().position(|&participant| participant == Participant::Best)
    }

    fn count(&mut self) {
        self.awaited -= 1;
        if self.awaited == 0 {
            self.award();
        }
    }

    fn award(&mut self) {
        (self.awaited, self.refusals) = (0, 0);
        self.initiator = match self.best() {
            Some(best) => {
                self.participants[best] = Participant::Accepted;
                Initiator::Awarded
            }
            None => Initiator::Done,
        };
    }
}

impl Representative for State {
    fn representative(&self) -> Self {
        let mut state = self.clone();
        state.participants.sort_unstable();
        state
    }
}

impl Model for ContractNet {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            initiator: Initiator::Open,
            awaited: self.participants,
            refusals: 0,
            participants: vec![Participant::Called; self.participants],
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let open = state.initiator == Initiator::Open;
        let first = state.best().is_none();
        for (at, participant) in state.participants.iter().enumerate() {
            match participant {
                Participant::Called => {
                    actions.extend([Action::Propose(at), Action::Refuse(at), Action::StaySilent(at)])
                }
                Participant::Proposed if open => {
                    actions.push(Action::TakeBetter(at));
                    if !first {
                        actions.push(Action::TakeWorse(at));
                    }
                }
                Participant::Rejected => actions.push(Action::HearRejection(at)),
                // Done or failed: the initiator does the same after either.
                Participant::Accepted => actions.push(Action::Perform(at)),
                Participant::Proposed | Participant::Best | Participant::Forgotten | Participant::Done => {}
            }
        }
        if open && state.refusals > 0 {
            actions.push(Action::TakeRefusal);
        }
        if state.initiator == Initiator::Reported {
            actions.push(Action::TakeReport);
        }
        if open && actions.is_empty() {
            actions.push(Action::TimeOut);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        let beaten = if self.fault { Participant::Forgotten } else { Participant::Rejected };
        match action {
            Action::Propose(at) => state.participants[at] = Participant::Proposed,
            Action::Refuse(at) => {
                state.participants[at] = Participant::Done;
                state.refusals += 1;
            }
            Action::StaySilent(at) | Action::HearRejection(at) => state.participants[at] = Participant::Done,
            Action::TakeBetter(at) => {
                if let Some(former) = state.best() {
                    state.participants[former] = beaten;
                }
                state.participants[at] = Participant::Best;
                state.count();
            }
            Action::TakeWorse(at) => {
                state.participants[at] = Participant::Rejected;
                state.count();
            }
            Action::TakeRefusal => {
                state.refusals -= 1;
                state.count();
            }
            Action::Perform(at) => {
                state.participants[at] = Participant::Done;
                state.initiator = Initiator::Reported;
            }
            Action::TakeReport => state.initiator = Initiator::Done,
            Action::TimeOut => state.award(),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(ENDS_WELL, |model: &Self, state: &State| {
            let mut actions = Vec::new();
            model.actions(state, &mut actions);
            let done = state.participants.iter().all(|participant| *participant == Participant::Done);
            !actions.is_empty() || (done && state.initiator == Initiator::Done)
        })]
    }
}
