//! The three protocols of `benches/peers` in Stateright: `peers-stateright PROTOCOL N sound|fault` prints the verdict and the
//! number of states.

mod auction;
mod contract_net;
mod two_phase_commit;

use stateright::{Checker, Model, Representative};
use std::hash::Hash;

/// The only property: a state without a next one is one in which everybody has finished.
pub const ENDS_WELL: &str = "every run ends well";

/// Searches everything, with interchangeable agents in order.
fn check<M>(model: M)
where
    M: Model + Send + Sync + 'static,
    M::State: Representative + Hash + PartialEq + Send + Sync + Clone + 'static,
    M::Action: Clone + PartialEq + Send + Sync + 'static,
{
    let checker = model.checker().threads(1).symmetry().spawn_dfs().join();
    let verdict = if checker.discovery(ENDS_WELL).is_some() { "violated" } else { "terminates" };
    println!("{verdict} {}", checker.unique_state_count());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "PROTOCOL N sound|fault, where PROTOCOL is auction, contract-net or two-phase-commit";
    let [protocol, agents, fault] = arguments.as_slice() else {
        eprintln!("{usage}");
        std::process::exit(2);
    };
    let fault = fault == "fault";
    match (protocol.as_str(), agents.parse()) {
        ("auction", Ok(bidders)) => check(auction::Auction { bidders, bids: 5, fault }),
        ("contract-net", Ok(participants)) => check(contract_net::ContractNet { participants, fault }),
        ("two-phase-commit", Ok(voters)) => check(two_phase_commit::Commit { voters, fault }),
        _ => {
            eprintln!("{usage}");
            std::process::exit(2);
        }
    }
}
