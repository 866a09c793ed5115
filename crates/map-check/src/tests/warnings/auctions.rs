//! The English auction: no warnings for the corrected version; the known defects of the published versions are
//! found.

use super::{assert_silent, marked};

const AUCTION: &str = include_str!("../../../../../protocols/english-auction/auction.map");
const PUBLISHED: &str = include_str!("../../../../../protocols/english-auction/published.map");
const TOTAL: &str = include_str!("../../../../../protocols/english-auction/published-total.map");
const NO_RECURSION: &str =
    include_str!("../../../../../protocols/english-auction/published-no-recursion.map");
const CORRECTED: &str = include_str!("../../../../../protocols/english-auction/published-corrected.map");

fn names(code: &str, text: &str) -> Vec<String> {
    let marked = marked(code, text).into_iter();
    marked.map(|it| it.split_once('@').map(|(what, _)| what.to_owned()).unwrap_or(it)).collect()
}

#[test]
fn the_auction_written_anew_is_right() {
    assert_silent(AUCTION);
    for cast in ["bidder=2", "bidder=10"] {
        assert!(super::warnings_with(cast, AUCTION).is_empty(), "{cast}");
    }
}

#[test]
fn the_answers_taken_for_granted() {
    for text in [PUBLISHED, NO_RECURSION] {
        assert_eq!(names("MAP301", text), ["$price = getValue()", "$winner = getWinner()"]);
    }
    for text in [TOTAL, CORRECTED] {
        assert!(marked("MAP301", text).is_empty());
    }
}

#[test]
fn the_redundant_recursion() {
    for text in [PUBLISHED, TOTAL] {
        assert_eq!(names("MAP302", text), ["agent(bidloop, $price)"]);
    }
    for text in [NO_RECURSION, CORRECTED] {
        assert!(marked("MAP302", text).is_empty());
    }
}

#[test]
fn the_bidder_that_declines() {
    for text in [PUBLISHED, TOTAL, NO_RECURSION, CORRECTED] {
        assert_eq!(names("MAP307", text), ["bid($offer)", "start($price)", "next($price, $leader)"]);
    }
}

#[test]
fn with_nobody_to_bid_there_is_more_to_say_but_nothing_breaks() {
    for text in [AUCTION, PUBLISHED] {
        assert!(super::warnings_with("bidder=0", text).iter().all(|it| it.starts_with("MAP3")));
    }
}
