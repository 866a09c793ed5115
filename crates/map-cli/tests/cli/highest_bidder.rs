//! `protocols/highest-bidder`: who gets the lot in many runs, and for how much.

use std::path::Path;

use serde_json::Value;

use super::map;

/// One run of an auction.
struct Auction {
    verdict: String,
    /// Who offered what, in order.
    offers: Vec<(String, i64)>,
    /// The offers that counted.
    recorded: Vec<(String, i64)>,
    /// Who has the lot, and for how much.
    sold: Option<(String, i64)>,
}

impl Auction {
    fn run(file: &str, bidders: u32, seed: u32) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/highest-bidder").join(file);
        let (cast, seed) = (format!("bidder={bidders}"), seed.to_string());
        let path = path.to_str().expect("the path is UTF-8");
        let flags =
            ["run", path, "--agents", &cast, "--seed", &seed, "--max-steps", "300", "--format", "json"];
        let output: Value = serde_json::from_str(&map(&flags).out).expect("it is JSON");
        let text = |value: &Value| value.as_str().expect("it is a string").to_owned();
        let number = |value: &Value| text(value).parse::<i64>().expect("it is a number");
        let steps = output["trace"].as_array().expect("it is a list");
        let sends = |names: &'static [&str]| {
            steps.iter().filter(move |step| {
                step["kind"] == "send" && names.iter().any(|&name| step["performative"] == name)
            })
        };
        let offers = sends(&["offer", "bid"]);
        let recorded =
            steps.iter().filter(|step| step["procedure"] == "record" || step["procedure"] == "recordBid");
        let arguments = |step: &Value| (text(&step["arguments"][0]), number(&step["arguments"][1]));
        Self {
            verdict: text(&output["verdict"]),
            offers: offers
                .map(|step| (format!("!{}", text(&step["agent"])), number(&step["arguments"][0])))
                .collect(),
            recorded: recorded.map(arguments).collect(),
            sold: sends(&["sold", "accept"]).next().map(arguments),
        }
    }

    fn highest_offer(&self) -> Option<i64> {
        self.offers.iter().map(|&(_, offer)| offer).max()
    }

    fn price(&self) -> Option<i64> {
        self.sold.as_ref().map(|&(_, price)| price)
    }
}

fn auctions(file: &'static str) -> impl Iterator<Item = Auction> {
    (0..40).map(move |seed| Auction::run(file, 2 + seed % 2, seed))
}

#[test]
fn the_highest_offer_wins_at_its_price() {
    let (mut sold, mut unsold) = (0, 0);
    for auction in auctions("highest-bidder.map") {
        assert_eq!(auction.verdict, "done");
        assert_eq!(auction.price(), auction.highest_offer());
        // The lot goes to the last offer that counted, and each counted only if it was more than all before.
        assert_eq!(auction.sold.as_ref(), auction.recorded.last());
        assert!(auction.recorded.is_sorted_by(|before, after| before.1 < after.1));
        sold += u32::from(auction.sold.is_some());
        unsold += u32::from(auction.sold.is_none());
    }
    assert!(sold > 20 && unsold > 0, "{sold} sold, {unsold} unsold");
}

#[test]
fn a_price_that_never_rises() {
    for file in ["price-never-rises.map", "published-decisions.map"] {
        let (mut passed_over, mut changed_hands) = (0, 0);
        for auction in auctions(file).filter(|it| it.sold.is_some()) {
            assert_eq!(auction.price(), Some(10), "{file}");
            assert_eq!(auction.sold.as_ref(), auction.recorded.last());
            passed_over += u32::from(auction.highest_offer() > Some(10));
            changed_hands += u32::from(auction.recorded.first() != auction.recorded.last());
        }
        assert!(passed_over > 10 && changed_hands > 5, "{file}: {passed_over}, {changed_hands}");
    }
}

#[test]
fn a_late_tie_that_wins() {
    let replaced = auctions("late-tie-wins.map").filter(|auction| {
        auction.recorded.windows(2).any(|pair| pair[0].1 == pair[1].1 && pair[0].0 != pair[1].0)
    });
    assert!(replaced.count() > 5);
}

#[test]
fn a_leader_that_outbids_itself() {
    let alone: Vec<Auction> = (0..12).map(|seed| Auction::run("outbids-itself.map", 1, seed)).collect();
    let endless = alone.iter().filter(|it| it.verdict == "too many steps");
    // Nobody has more than 20 to spend.
    let ruined = alone.iter().filter(|it| it.highest_offer() > Some(50));
    assert!(endless.count() > 3 && ruined.count() > 3);
    // Where the lot is worth 5 nobody begins.
    assert!(alone.iter().any(|it| it.verdict == "done" && it.offers.is_empty()));
}

#[test]
fn a_price_that_nobody_offered() {
    for auction in auctions("sold-too-dear.map").filter(|it| it.sold.is_some()) {
        assert_eq!(auction.price(), auction.highest_offer().map(|offer| offer + 5));
    }
}
