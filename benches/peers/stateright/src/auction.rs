//! The bounded auction. Nobody looks at prices or at who has bid: a mailbox is a number of messages.

use crate::ENDS_WELL;
use stateright::{Model, Property, Representative};

pub struct Auction {
    pub bidders: usize,
    pub bids: u16,
    /// Nobody is told that the auction is over.
    pub fault: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bidder {
    /// In, with so many calls for bids in the mailbox.
    In(u16),
    Gone,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// How many more bids are accepted.
    left: u16,
    /// In the auctioneer's mailbox.
    bids: u16,
    over: bool,
    bidders: Vec<Bidder>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Bid(usize),
    Pass(usize),
    Leave(usize),
    Accept,
    Decline,
    TimeOut,
}

impl State {
    fn close(&mut self) {
        self.over = true;
        self.bids = 0;
        self.left = 0;
    }
}

impl Representative for State {
    fn representative(&self) -> Self {
        let mut state = self.clone();
        state.bidders.sort_unstable();
        state
    }
}

impl Model for Auction {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { left: self.bids, bids: 0, over: false, bidders: vec![Bidder::In(1); self.bidders] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (at, bidder) in state.bidders.iter().enumerate() {
            match bidder {
                Bidder::In(0) if state.over && !self.fault => actions.push(Action::Leave(at)),
                Bidder::In(0) | Bidder::Gone => {}
                Bidder::In(_) => actions.extend([Action::Bid(at), Action::Pass(at)]),
            }
        }
        if !state.over && state.bids > 0 {
            actions.extend([Action::Accept, Action::Decline]);
        } else if !state.over && actions.is_empty() {
            actions.push(Action::TimeOut);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Bid(at) | Action::Pass(at) => {
                if let Bidder::In(calls) = &mut state.bidders[at] {
                    *calls -= 1;
                }
                // Nobody reads a bid after the end.
                if action == Action::Bid(at) && !state.over {
                    state.bids += 1;
                }
            }
            Action::Leave(at) => state.bidders[at] = Bidder::Gone,
            Action::Decline => state.bids -= 1,
            Action::Accept => {
                state.bids -= 1;
                state.left -= 1;
                if state.left == 0 {
                    state.close();
                } else {
                    for bidder in &mut state.bidders {
                        if let Bidder::In(calls) = bidder {
                            *calls += 1;
                        }
                    }
                }
            }
            Action::TimeOut => state.close(),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(ENDS_WELL, |model: &Self, state: &State| {
            let mut actions = Vec::new();
            model.actions(state, &mut actions);
            !actions.is_empty() || state.bidders.iter().all(|bidder| *bidder == Bidder::Gone)
        })]
    }
}
