//! The cast, the bounds and the assumptions of a verdict, in words.

use map_ir::{Body, Program, RoleId};
use map_semantics::{Bounds, Network, Timeouts};

use crate::{Namer, counted, grouped};

/// The maximum number of agents of one part that are listed by name.
const MAX_NAMES: usize = 4;

/// The cast, and first values that the text does not have: `!Auctioneer (%auctioneer); !Bidder1, !Bidder2 (%bidder)`,
/// and perhaps `; set %auctioneer@reserve=3`.
#[must_use]
pub fn cast(program: &Program) -> String {
    let parts = program.parts.iter().map(|part| {
        let role = program.role_name(part.role);
        let name = |agent: &map_ir::AgentId| format!("!{}", program.agent_name(*agent));
        let names = match part.agents.as_slice() {
            [] => "nobody".to_owned(),
            [first, .., last] if part.agents.len() > MAX_NAMES => {
                format!("{} agents {} .. {}", grouped(part.agents.len() as u64), name(first), name(last))
            }
            few => few.iter().map(name).collect::<Vec<_>>().join(", "),
        };
        format!("{names} (%{role})")
    });
    parts.chain(first_values(program)).collect::<Vec<_>>().join("; ")
}

/// The first values that the text does not have: `set %auctioneer@reserve=3`.
fn first_values(program: &Program) -> Option<String> {
    (!program.set.is_empty()).then(|| format!("set {}", program.set.join(", ")))
}

/// The number of agents of each role, and first values that the text does not have: `1 %auctioneer, 2 %bidder`, and
/// perhaps `; set %auctioneer@reserve=3`.
#[must_use]
pub fn cast_in_short(program: &Program) -> String {
    let role =
        |(role, agents): (RoleId, usize)| format!("{} %{}", grouped(agents as u64), program.role_name(role));
    let counts = roles(program).into_iter().map(role).collect::<Vec<_>>().join(", ");
    [counts].into_iter().chain(first_values(program)).collect::<Vec<_>>().join("; ")
}

/// The roles that have clauses, and how many agents each has.
fn roles(program: &Program) -> Vec<(RoleId, usize)> {
    let mut roles: Vec<(RoleId, usize)> = Vec::new();
    for part in &program.parts {
        match roles.iter_mut().find(|(role, _)| *role == part.role) {
            Some((_, agents)) => *agents += part.agents.len(),
            None => roles.push((part.role, part.agents.len())),
        }
    }
    roles
}

/// The roles that have clauses and no agents, about which a verdict says nothing: `%b, %c`. `None` if there is none.
#[must_use]
pub fn absent_roles(program: &Program) -> Option<String> {
    let absent = roles(program).into_iter().filter(|(_, agents)| *agents == 0);
    let names: Vec<String> = absent.map(|(role, _)| format!("%{}", program.role_name(role))).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The bounds, when time runs out, and what the network does.
#[must_use]
pub fn bounds(namer: &Namer<'_>, bounds: &Bounds) -> String {
    let Bounds { depth: _, rounds: _, rounds_of: _, mailbox: _, timeouts, network, after: _ } = *bounds;
    let timeouts = timeouts_in_words(timeouts);
    let network = match network {
        Network::INSTANT => String::new(),
        network => format!("; network {network}"),
    };
    format!("{}; {timeouts}{network}", sizes(namer, bounds))
}

/// When time runs out.
#[must_use]
pub const fn timeouts_in_words(timeouts: Timeouts) -> &'static str {
    match timeouts {
        Timeouts::Quiescent => "time runs out only when everybody waits",
        Timeouts::Any => "time may run out for anybody who waits",
    }
}

/// The numeric bounds.
#[must_use]
pub fn sizes(namer: &Namer<'_>, bounds: &Bounds) -> String {
    let rounds = match rounds(namer, bounds) {
        none if none.is_empty() => vec!["any number of rounds".to_owned()],
        some => some,
    };
    with_rounds(bounds, rounds)
}

/// The same without rounds if there may be any number of them.
#[must_use]
pub fn sizes_in_short(namer: &Namer<'_>, bounds: &Bounds) -> String {
    with_rounds(bounds, rounds(namer, bounds))
}

/// The bounds on rounds.
fn rounds(namer: &Namer<'_>, bounds: &Bounds) -> Vec<String> {
    let Bounds { depth: _, rounds, rounds_of, mailbox: _, timeouts: _, network: _, after: _ } = bounds;
    let of_all = rounds.map(|limit| format!("{} rounds", grouped(limit.into())));
    let of_each = rounds_of
        .iter()
        .map(|&(constant, limit)| format!("{} rounds of {}", grouped(limit.into()), namer.value(constant)));
    of_all.into_iter().chain(of_each).collect()
}

fn with_rounds(bounds: &Bounds, mut rounds: Vec<String>) -> String {
    let mut all = vec![format!("call depth {}", grouped(bounds.depth.into()))];
    all.append(&mut rounds);
    all.push(format!("mailboxes of {}", grouped(bounds.mailbox.into())));
    all.extend(bounds.after.as_ref().map(|prefix| match prefix.steps.len() as u64 {
        0 => "runs that begin with these initial values".to_owned(),
        steps => format!("runs that begin with {}", counted(steps, "given step")),
    }));
    all.join(", ")
}

/// What the network may do and what it never does.
fn network_in_words(network: Network) -> Vec<String> {
    let Network { unordered, delayed, losses, crashes } = network;
    let arrive = match (delayed, unordered) {
        (false, false) => "messages arrive at once and in the order sent",
        (false, true) => "messages arrive at once, but are read in any order",
        (true, false) => {
            "messages are under way for a while; those of one sender to one recipient arrive in the order sent"
        }
        (true, true) => "messages are under way for a while, and are read in any order",
    };
    let mut all = vec![arrive.to_owned()];
    if losses > 0 {
        all.push(match losses {
            1 => "one copy of a message may be lost in a run, no more".to_owned(),
            most => {
                format!("up to {} copies of messages may be lost in a run, no more", grouped(most.into()))
            }
        });
    }
    if crashes > 0 {
        let most = match crashes {
            1 => "one agent".to_owned(),
            most => format!("up to {} agents", grouped(most.into())),
        };
        all.push(format!("{most} may stop for ever at any moment, no more; who has crashed counts as ended"));
    }
    if losses > 0 || crashes > 0 {
        all.push("the good end has to be within reach without further losses and crashes".to_owned());
    }
    all
}

/// The assumptions of every verdict that are relevant to this scene.
#[must_use]
pub fn assumptions(program: &Program, network: Network) -> Vec<String> {
    let mut all = network_in_words(network);
    all.extend(
        absent_roles(program)
            .map(|roles| format!("there is no agent of {roles}, and nothing is said of the clauses")),
    );
    all.extend(procedures(program));
    all
}

/// What procedures without a body may answer.
#[must_use]
pub fn procedures(program: &Program) -> Vec<String> {
    let mut all = Vec::new();
    let abstracts_of = |may_refuse: bool| {
        let abstracts = program.procedures.iter().filter(|it| it.body == Body::Abstract);
        let named = abstracts.filter(|it| it.may_refuse == may_refuse);
        named.map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let (deciding, answering) = (abstracts_of(true), abstracts_of(false));
    if !deciding.is_empty() {
        all.push(format!("{deciding} may answer anything, or say no"));
    }
    if !answering.is_empty() {
        all.push(format!("{answering} may answer anything"));
    }
    all.extend(numbers(program));
    all
}

/// Which procedures without a body are taken to answer numbers; `None` if none is.
#[must_use]
pub fn numbers(program: &Program) -> Option<String> {
    let names = program.assumed_numbers().into_iter().map(|id| program.procedure(id).name.as_str());
    let names: Vec<&str> = names.collect();
    let answer = match names.len() {
        0 => return None,
        1 => "answers",
        _ => "answer",
    };
    Some(format!("{} {answer} numbers where the text needs them; {SMALL_ENOUGH}", names.join(", ")))
}

/// What is assumed of the size of unknown numbers.
const SMALL_ENOUGH: &str = "what is computed from them fits in 64 bits";
