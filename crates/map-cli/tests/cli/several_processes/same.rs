//! The report of several processes is that of one.

use serde_json::Value;

use super::super::map;
use super::group::Place;

/// Searches with all kinds of results: no violation, a trace, properties that hold and that do not.
const LINES: [(&[&str], i32); 5] = [
    (&["auction.map", "--agents", "bidder=3", "--rounds", "bidloop=2"], 0),
    (&["../contract-net/contract-net.map", "--agents", "participant=2", "--network", "lossy:1"], 1),
    (&["auction.map", "--rounds", "bidloop=2", "--property", "eventually failed(!Auctioneer)"], 1),
    (&["auction.map", "--rounds", "bidloop=2", "--properties-only", "--reductions", "none"], 0),
    (
        &[
            "auction.map",
            "--rounds",
            "bidloop=2",
            "--properties-only",
            "--property",
            "always waiting(!Auctioneer)",
        ],
        1,
    ),
];

/// A report without what differs between two equal searches.
pub(super) fn without_measures(report: &str) -> Value {
    fn remove(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for measure in
                    ["seconds", "peak_memory_bytes", "states_memory_bytes", "states_per_second", "threads"]
                {
                    members.remove(measure);
                }
                members.values_mut().for_each(remove);
            }
            Value::Array(items) => items.iter_mut().for_each(remove),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(report).unwrap_or_else(|error| panic!("{error}: {report}"));
    remove(&mut value);
    value
}

#[test]
fn two_and_three_processes_on_this_machine() {
    for (line, code) in LINES {
        let line = [&["verify", "--format", "json"], line].concat();
        let alone = without_measures(&map(&line).exits(code).out);
        for processes in ["2", "3"] {
            let together = map(&[&line, &["--processes", processes][..]].concat()).exits(code);
            assert!(together.err.is_empty(), "{}", together.err);
            assert_eq!(without_measures(&together.out), alone, "{line:?} by {processes}");
        }
    }
}

#[test]
fn processes_that_are_started_one_by_one() {
    for (line, code) in LINES {
        let alone = map(&[&["verify", "--format", "json"], line].concat()).exits(code);
        let line = [line, &["--format", "json"]].concat();
        let place = Place::new(2);
        // In either order.
        let (zero, one) = if code == 0 {
            let zero = place.start(0, &line);
            (zero, place.start(1, &line))
        } else {
            let one = place.start(1, &line);
            (place.start(0, &line), one)
        };
        let (zero, one) = (zero.end().exits(code), one.end());
        assert_eq!(without_measures(&zero.out), without_measures(&alone.out), "{line:?}");
        assert_eq!((one.code, one.out.as_str(), one.err.as_str()), (Some(code), "", ""));
        assert!(zero.err.is_empty(), "{}", zero.err);
    }
}

#[test]
fn a_limit_ends_them_all() {
    let line =
        ["verify", "auction.map", "--agents", "bidder=3", "--rounds", "bidloop=3", "--max-states", "300"];
    map(&[&line[..], &["--processes", "2"]].concat()).exits(4).out_has("the limit of 300 states was reached");
}
