//! The table of contents. A test compares it with the folder on disk.

use crate::{Protocol, Version};

macro_rules! version {
    ($folder:literal, $file:literal) => {
        Version {
            name: $file,
            text: include_str!(concat!("../../../protocols/", $folder, "/", $file, ".map")),
        }
    };
}

macro_rules! protocol {
    ($folder:literal, $about:literal, $right:literal, [$($defective:literal),*] $(, larger $larger:literal)?) => {
        Protocol {
            name: $folder,
            about: $about,
            right: version!($folder, $right),
            larger: &[$(version!($folder, $larger))?],
            defective: &[$(version!($folder, $defective)),*],
        }
    };
}

/// All protocols: auctions, FIPA's interaction protocols, negotiations, coordination.
pub const PROTOCOLS: &[Protocol] = &[
    protocol!(
        "english-auction",
        "An English auction in a room: offers, rising prices, and three famous defects",
        "auction",
        [
            "declining-is-leaving",
            "leader-forgotten",
            "outbids-itself",
            "published",
            "published-corrected",
            "published-no-recursion",
            "published-total",
            "refused-but-sold-to"
        ]
    ),
    protocol!(
        "highest-bidder",
        "An English auction with defined decisions: the highest bid wins",
        "highest-bidder",
        ["late-tie-wins", "outbids-itself", "price-never-rises", "published-decisions", "sold-too-dear"]
    ),
    protocol!(
        "dutch-auction",
        "The price falls until somebody takes the lot",
        "dutch",
        ["no-word-at-the-reserve", "only-the-buyer-is-told"]
    ),
    protocol!(
        "dutch-auction-with-reserve",
        "A Dutch auction with properties about prices: reserve, limits, what was proposed",
        "reserve",
        [
            "below-the-reserve",
            "bills-the-opening-price",
            "compares-the-wrong-way",
            "goes-on-after-the-sale",
            "names-its-own-price",
            "only-the-buyer-is-told"
        ]
    ),
    protocol!(
        "sealed-bid-auction",
        "One sealed bid each; the highest wins and pays it",
        "sealed-bid",
        ["a-bid-is-needed", "no-deadline"]
    ),
    protocol!(
        "vickrey-auction",
        "One sealed bid each; the highest wins and pays the second price",
        "vickrey",
        ["a-waitfor-takes-all", "payment-forgotten"]
    ),
    protocol!(
        "clock-auction",
        "The price ticks up and bidders leave, until one is left",
        "clock",
        ["leaving-is-not-counted", "the-last-one-waits"]
    ),
    protocol!(
        "double-auction",
        "Buyers and sellers meet at an exchange with an order book",
        "double",
        ["the-outbid-are-forgotten"]
    ),
    protocol!(
        "combinatorial-auction",
        "Two lots, to be had singly or as a set",
        "combinatorial",
        ["no-end-is-announced", "one-result-is-enough"]
    ),
    protocol!(
        "fipa-english-auction",
        "FIPA: calls at rising prices, every proposal answered",
        "fipa-english",
        ["late-proposals-unanswered"]
    ),
    protocol!(
        "fipa-dutch-auction",
        "FIPA: calls at falling prices, first come, first served",
        "fipa-dutch",
        ["only-one-answer"]
    ),
    protocol!(
        "fipa-request",
        "FIPA: an action is asked for, refused, or done and reported",
        "request",
        ["refused-after-agreeing"]
    ),
    protocol!("fipa-query", "FIPA: is it so, and which one is it", "query", ["no-way-to-fail"]),
    protocol!(
        "fipa-request-when",
        "FIPA: do this as soon as that is the case",
        "request-when",
        ["gives-up-silently"]
    ),
    protocol!("fipa-propose", "FIPA: may I do this", "propose", ["no-rejection"]),
    protocol!(
        "fipa-subscribe",
        "FIPA: tell me now and whenever it changes; with the cancel race",
        "subscribe",
        ["cancel-meets-failure", "flooding"]
    ),
    protocol!(
        "fipa-brokering",
        "FIPA: a broker asks for you and passes the answers on",
        "brokering",
        ["a-failure-ends-it", "never-closed"]
    ),
    protocol!(
        "fipa-recruiting",
        "FIPA: a recruiter asks for you, the answers come to you",
        "recruiting",
        ["a-failure-does-not-count"]
    ),
    protocol!(
        "iterated-contract-net",
        "FIPA: calls for proposals in rounds, until one is taken",
        "iterated",
        ["failure-is-not-reported", "losers-are-not-told"]
    ),
    protocol!(
        "bargaining",
        "Alternating offers, a deal or an impasse",
        "bargaining",
        ["no-concession", "walks-out"]
    ),
    protocol!(
        "negotiation",
        "Offers that come nearer and nearer, limits, patience, a deal or none",
        "concessions",
        ["accepts-its-own-price", "any-deal-will-do", "both-open", "forgets-its-offer", "no-deadline"]
    ),
    protocol!(
        "customer-vendor",
        "A purchase agreed on attribute by attribute",
        "customer-vendor",
        ["cannot-deliver", "no-word-for-no"]
    ),
    protocol!(
        "persuasion",
        "A claim, challenged, defended and attacked",
        "persuasion",
        ["arguments-repeat", "conceding-silently"]
    ),
    protocol!(
        "escrow",
        "A sale between strangers, through one whom both trust",
        "escrow",
        ["goods-before-money", "one-side-knows"]
    ),
    protocol!("ballot", "A vote with a quorum", "ballot", ["quorum-or-nothing", "voting-twice"]),
    protocol!(
        "two-phase-commit",
        "All commit or all abort, also when a voter crashes",
        "two-phase-commit",
        ["an-abort-is-missed", "decides-too-early"]
    ),
    protocol!(
        "two-buyers",
        "Two readers share the price of a book",
        "two-buyers",
        ["answers-cross", "the-shop-is-not-told"]
    ),
    protocol!(
        "travel-booking",
        "A journey with several suppliers: all of it or nothing",
        "travel",
        ["a-room-is-kept", "half-a-journey"]
    ),
    protocol!(
        "publish-subscribe",
        "Writers and readers joined by a topic",
        "publish-subscribe",
        ["the-topic-stays-open"]
    ),
    protocol!(
        "agent-handoff",
        "A planner, workers and a critic: language-model agents with a bounded loop",
        "handoff",
        ["endless-revision", "nobody-stops-the-critic"]
    ),
    protocol!(
        "swarm-handoffs",
        "Two agents that hand conversations to each other, and who counts the hand-offs",
        "handoffs",
        ["each-says-the-other", "nobody-counts"]
    ),
    protocol!(
        "supervisor",
        "A supervisor that calls workers until they have finished, and not after",
        "supervisor",
        ["calls-the-finished", "never-finished"]
    ),
    protocol!(
        "crew-delegation",
        "Two workers that delegate tasks to each other and wait for the result",
        "delegation",
        ["deaf-while-waiting", "ping-pong"]
    ),
    protocol!(
        "swarm-hub",
        "Members that wait for each other through a hub, which lets no cycle close",
        "hub",
        ["everybody-may-wait", "refused-without-a-word"]
    ),
    protocol!(
        "shared-budget",
        "Helpers that share one budget of calls to a language model",
        "budget",
        ["inherited-whole"]
    ),
    protocol!(
        "mcp-elicitation",
        "A server that asks the user back while a call is running (MCP)",
        "elicitation",
        ["gives-up-without-a-word", "the-clock-runs-on"]
    ),
    protocol!(
        "a2a-cancel",
        "Tasks that their clients may cancel, and when they are told (A2A)",
        "task-cancel",
        ["answered-before-it-stops", "nothing-is-stopped"]
    ),
    protocol!(
        "reverse-auction",
        "The lowest price wins a job; a contract keeps bonds and money",
        "reverse-auction",
        ["bonds-go-back-with-the-award", "paid-on-award", "the-underbid-are-forgotten"]
    ),
    protocol!(
        "drafting-on-a-budget",
        "A planner, a worker and a critic who must not spend more tokens than they have",
        "budget",
        [
            "better-than-nothing",
            "last-bill-only",
            "no-limit-on-revisions",
            "polishes-unasked",
            "silent-when-broke",
            "stops-too-late"
        ]
    ),
    protocol!(
        "service-patterns",
        "The thirteen service interaction patterns, a tiny scene each",
        "patterns",
        [
            "answer-goes-back",
            "both-are-read",
            "both-work",
            "first-is-enough",
            "no-deadline",
            "only-one-is-told"
        ]
    ),
    protocol!(
        "send-info",
        "A reading is sent until the other side finds it plausible",
        "send-info",
        ["guard-never-holds", "received-instead-of-sent", "unused-message", "unused-state"]
    ),
    protocol!(
        "collect-data",
        "Data are collected, validated, and asked for again; failures are logged",
        "collect-data",
        ["erroneous"]
    ),
    protocol!(
        "mission",
        "A commander's orders and the data a probe collects: two conversations, one inside of the other",
        "mission",
        ["data-not-reported"]
    ),
    protocol!(
        "contract-net",
        "A task is announced, the cheapest proposal accepted, late ones rejected",
        "contract-net",
        ["grace-period", "hasty-award", "late-accepted", "leaves-early", "unasked", "withdrawal"],
        larger "eight-participants"
    ),
    protocol!(
        "satellite-pass",
        "A satellite passes, something may be wrong with it, and nobody need be at the console",
        "pass",
        [
            "anomaly-is-not-kept",
            "nothing-is-learnt",
            "number-is-not-looked-up",
            "same-command-again",
            "the-end-is-not-heard"
        ]
    ),
    protocol!(
        "anomaly-watch",
        "Logins and anomalies at one desk, and a race between the two",
        "anomaly-watch",
        ["housekeeping", "race"]
    ),
    protocol!(
        "login",
        "Two attempts to log in whose answers must not be confused",
        "login",
        ["keyed-by-name"]
    ),
    protocol!(
        "database-lookup",
        "A database that may be down behind an agent that gives up in time",
        "database-lookup",
        ["no-timeout"]
    ),
    protocol!(
        "dining-philosophers",
        "Three philosophers who share forks; one takes the right one first",
        "dining-philosophers",
        ["all-left-handed"],
        larger "seven-philosophers"
    ),
    protocol!(
        "dining-with-a-waiter",
        "Three philosophers whom a waiter seats two at a time",
        "dining-with-a-waiter",
        ["three-seats"],
        larger "six-philosophers"
    ),
    protocol!(
        "leader-election",
        "The nodes of a ring agree on the smallest number among them",
        "leader-election",
        ["not-passed-on"],
        larger "eleven-nodes"
    ),
    protocol!(
        "gossip",
        "A leader election by gossip with stamps: what is newer takes the place of what is older",
        "gossip",
        ["not-passed-on", "stamps-ignored"],
        larger "twelve-nodes"
    ),
    protocol!(
        "leader-election-by-flooding",
        "Everybody passes on what is new to everybody; the greatest number leads",
        "flooding",
        ["everything-is-passed-on", "first-word-is-enough", "not-passed-on"]
    ),
    protocol!(
        "dining-with-retries",
        "Three philosophers who put the first fork back when they do not get the second",
        "dining-with-retries",
        ["never-put-back"],
        larger "five-philosophers"
    ),
];
