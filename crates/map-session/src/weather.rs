//! Weathers: the networks under which a scene is verified in turn, one fault at a time.

use map_semantics::{Network, Timeouts};

/// The conditions of one search.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Its name: `lossy:1`.
    pub name: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// What the network does.
    pub network: Network,
    /// When the time of a waiting agent can run out.
    pub timeouts: Timeouts,
}

const FAIR: Weather = Weather {
    name: "instant",
    meaning: "messages arrive at once and in order; time runs out only when everybody is waiting",
    network: Network::INSTANT,
    timeouts: Timeouts::Quiescent,
};

/// Fair weather first, then one fault at a time.
pub const WEATHERS: [Weather; 6] = [
    FAIR,
    Weather {
        name: "unordered",
        meaning: "messages are read in any order",
        network: Network { unordered: true, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "delayed",
        meaning: "messages are under way for a while; those of one sender to one recipient arrive in order",
        network: Network { delayed: true, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "lossy:1",
        meaning: "one copy of a message may be lost",
        network: Network { losses: 1, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "crash:1",
        meaning: "one agent may stop for ever",
        network: Network { crashes: 1, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "timeouts any",
        meaning: "time may run out for anybody who is waiting",
        timeouts: Timeouts::Any,
        ..FAIR
    },
];

#[cfg(test)]
mod tests {
    use map_semantics::Network;

    use super::WEATHERS;

    #[test]
    fn every_fault_has_its_weather() {
        let has = |bad: fn(&Network) -> bool| WEATHERS.iter().any(|weather| bad(&weather.network));
        // Exhaustive, so that a new fault does not compile until it is added here, with a weather of its own.
        let Network { unordered: _, delayed: _, losses: _, crashes: _ } = Network::INSTANT;
        assert!(
            has(|network| network.unordered)
                && has(|network| network.delayed)
                && has(|network| network.losses > 0)
                && has(|network| network.crashes > 0)
        );
    }
}
