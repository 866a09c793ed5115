//! The auction as people write it: equal meanings have equal counts of states and transitions, and overflows of
//! mailboxes of the usual size are found without a large search.

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_tests::engines::{NoWatch, bounds, program, reduced};
use map_verify::{Options, Reductions, SearchResult, Tuning, Verdict, ViolationKind, verify_reduced};

const AUCTION: &str = include_str!("../../benches/peers/auction.map");

/// The auction with so many bids, verified with all reductions and tables as in the release.
fn verified(text: &str, bidders: u32, bids: u32, mailbox: u32) -> SearchResult {
    let text = text.replace("@left = 50", &format!("@left = {bids}"));
    let agents = vec![("bidder".to_owned(), bidders)];
    let options = OracleOptions { agents, mailbox, ..OracleOptions::new(4_000_000) };
    let program = program(&SourceFile::new("auction.map", &text), &options).expect("the auction is correct");
    let mut how = Options { keep_going: false, ..reduced(&options, Reductions::ALL) };
    how.limits.tuning = Tuning::SHIPPED;
    verify_reduced(&program, &bounds(&program, &options), &how, &mut NoWatch).expect("the engine is sound")
}

/// States and transitions of a scene that terminates.
fn counts(text: &str, bidders: u32, bids: u32) -> (usize, usize) {
    let SearchResult { report, .. } = verified(text, bidders, bids, 1_000_000);
    assert_eq!(report.verdict, Verdict::Terminates);
    (report.statistics.states, report.statistics.transitions)
}

#[test]
fn equal_meanings_have_equal_counts() {
    let named = AUCTION.replace("agent($me, %bidder", "agent(!Bidder, %bidder");
    let brief =
        AUCTION.replace("next($price, $leader)", "next($price)").replace("next($price, _)", "next($price)");
    assert!(named != AUCTION && brief != AUCTION, "the text is written differently");
    for text in [AUCTION, &named, &brief] {
        assert_eq!(counts(text, 10, 10), (5_228, 10_322));
    }
    assert_eq!(counts(AUCTION, 10, 50), (125_128, 249_602));
    assert_eq!(counts(AUCTION, 30, 50), (1_127_628, 2_253_602));
    assert_eq!(counts(AUCTION, 100, 10), (506_954, 1_008_398));
}

/// The messages of the auction as others write them, with one performative for several. `@` is the leader.
const SHARED: [[&str; 4]; 4] = [
    ["inform(start, $price)", "inform(bid, $offer)", "inform(next, $price, @)", "accept("],
    ["inform($price, \"start\")", "inform($offer, \"bid\")", "inform($price, @, \"next\")", "accept("],
    ["offer($price)", "offer($offer)", "offer($price, @)", "offer(won, "],
    ["tell(1, $price, 0)", "tell(2, $offer, 0)", "tell(3, $price, @)", "tell("],
];

#[test]
fn messages_of_one_performative_are_told_apart() {
    for [start, bid, next, accept] in SHARED {
        let said = AUCTION.replace("start($price)", start).replace("bid($offer)", bid);
        let said = said.replace("next($price, $leader)", &next.replace('@', "$leader"));
        let said = said.replace("next($price, _)", &next.replace('@', "_")).replace("accept(", accept);
        assert!(["start(", "bid(", "next("].iter().all(|before| !said.contains(before)), "{said}");
        assert_eq!(counts(&said, 10, 10), (5_228, 10_322), "{start}, {bid}, {next}, {accept}");
    }
}

#[test]
fn overflows_of_the_usual_mailboxes_are_found_at_once() {
    for bidders in [2, 6, 10, 30] {
        let SearchResult { report, shortest, .. } = verified(AUCTION, bidders, 50, 50);
        assert_eq!(report.verdict, Verdict::Violated(ViolationKind::MailboxOverflow), "{bidders} bidders");
        assert!(report.statistics.states < 6_000, "{bidders} bidders: {:?}", report.statistics);
        assert!(!shortest, "no search of all orders is that small");
    }
}
