//! Variables in events and quantified values, with verdicts and lengths derived by hand from the reference.

use super::properties::{HOLDS, assert_broken, judged};

/// An offer of 5, one of 7, and the second is accepted: six steps in every run.
pub(super) const TRADE: &str = "
    s [ agent(!S, %s) = propose(5) => agent(!B, %b) then propose(7) => agent(!B, %b)
                        then waitfor accept($p) <= agent(!B, %b)
        agent(!B, %b) = waitfor (propose($p) <= agent(!S, %s)
                        then waitfor (propose($q) <= agent(!S, %s) then accept($q) => agent(!S, %s))) ]";

/// Messages with two arguments.
pub(super) const PAIRS: &str = "
    s [ agent(!A, %a) = pair(1, 2) => agent(!B, %b) then pair(3, 3) => agent(!B, %b)
        agent(!B, %b) = waitfor (pair($x, $y) <= agent(!A, %a) then waitfor pair($v, $w) <= agent(!A, %a)) ]";

#[test]
fn an_event_binds_a_variable_to_the_value_in_the_message() {
    assert_broken(
        TRADE,
        true,
        &[
            ("always !B sends accept($p) to _ implies $p <= 6", Some(5)),
            ("always !B sends accept($p) to _ implies $p == 7", HOLDS),
            ("never !S sends propose($p) to _ and $p > 4", Some(1)),
            ("never !S sends propose($p) to _ and $p > 5", Some(2)),
            ("never !S sends propose($p) to _ and $p > 7", HOLDS),
            ("never _ receives propose($p) from !S and $p >= 7", Some(4)),
            ("never !S sends propose($p) to _ and $p != 5", Some(2)),
            // Where nothing of the kind happens, the event is false.
            ("never !B sends propose($p) to _ and $p == $p", HOLDS),
            ("always not (!S sends accept($p) to _ and $p != 1)", HOLDS),
        ],
    );
    assert_eq!(judged(TRADE, "possible !S sends propose($p) to _ and $p == 7", true), (true, Some(2)));
    assert_eq!(judged(TRADE, "possible !S sends propose($p) to _ and $p == 6", true), (false, None));
    let sequence = "possible sequence !S sends propose($p) to _ ; !S sends propose($q) to _";
    assert_eq!(judged(TRADE, sequence, true), (true, Some(2)), "each event binds a variable of its own");
}

#[test]
fn a_further_occurrence_compares() {
    assert_broken(
        PAIRS,
        true,
        &[
            ("never _ sends pair($p, $p) to _", Some(2)),
            ("never _ sends pair($p, _) to _ and _ sends pair(_, $p) to _", Some(2)),
            ("never _ sends pair($p, $q) to _ and $p < $q", Some(1)),
            ("never _ sends pair($p, $q) to _ and $p == $q", Some(2)),
            ("never _ sends pair($p, $q) to _ and $p > $q", HOLDS),
            // A step sends or receives, not both.
            ("never _ sends pair($p, _) to _ and _ receives pair($p, _) from _", HOLDS),
            ("always _ sends pair($p, _) to _ implies _ sends pair($p, _) to !B", HOLDS),
            ("always _ sends pair($p, _) to _ implies _ sends pair(_, $p) to !B", Some(1)),
        ],
    );
}

#[test]
fn implications_see_what_their_left_sides_bind() {
    assert_broken(
        PAIRS,
        true,
        &[
            ("always _ sends pair($p, _) to _ implies _ sends pair(_, $q) to _ implies $p <= $q", HOLDS),
            ("always _ sends pair($p, _) to _ implies _ sends pair(_, $q) to _ implies $p < $q", Some(2)),
            ("always (_ sends pair($p, _) to _ and $p > 1) implies _ sends pair(_, $p) to _", HOLDS),
        ],
    );
}

#[test]
fn what_a_part_binds_is_not_visible_outside_of_it() {
    // If it were, the second event would ask for 1 where the value is 2, and first happen in the second step.
    assert_broken(
        PAIRS,
        true,
        &[
            ("never (_ sends pair($p, _) to _ or ended) and _ sends pair(_, $p) to _", Some(1)),
            ("never not (not _ sends pair($p, _) to _) and _ sends pair(_, $p) to _", Some(1)),
            ("never (exists $a in %a : $a sends pair($p, _) to _) and _ sends pair(_, $p) to _", Some(1)),
            ("never (_ sends pair($p, _) to _ implies $p > 0) and _ sends pair(_, $p) to _", Some(1)),
            ("never count($a in %a : $a sends pair($p, _) to _) == 1 and _ sends pair(_, $p) to _", Some(1)),
            ("never _ sends pair($p, _) to _ and _ sends pair(_, $p) to _", Some(2)),
        ],
    );
}

#[test]
fn variables_range_over_values() {
    let declared = format!("procedure price() in 5..6\nprocedure sum() in {{ 1, 7 }}\n{TRADE}");
    assert_broken(
        &declared,
        true,
        &[
            ("never exists $p in 5..9 : !S sends propose($p) to _", Some(1)),
            ("never exists $p in 6..9 : !S sends propose($p) to _", Some(2)),
            ("never exists $p in 8..9 : !S sends propose($p) to _", HOLDS),
            ("never exists $p in { 7, red } : !S sends propose($p) to _", Some(2)),
            ("never exists $p in { red, green } : !S sends propose($p) to _", HOLDS),
            ("never exists $p in price() : !B sends accept($p) to _", HOLDS),
            ("never exists $p in sum() : !B sends accept($p) to _", Some(5)),
            ("always count($p in 1..9 : $p > 5 and !S sends propose($p) to _) < 1", Some(2)),
            ("always count($p in 1..9 : $p > 5) == 4", HOLDS),
            ("forall $p in 5..5 : never !S sends propose($p) to _", Some(1)),
            ("forall $p in { 5, 7 } : eventually !S sends propose($p) to _", HOLDS),
            (
                "forall $p in { 5, 7 } : !S sends propose($p) to _ leadsto !B receives propose($p) from _",
                HOLDS,
            ),
            ("exists $p in 1..9 : possible !B sends accept($p) to _", HOLDS),
        ],
    );
    assert_eq!(
        judged(TRADE, "forall $p in 5..7 : eventually !S sends propose($p) to _", true),
        (false, None)
    );
    assert_eq!(judged(TRADE, "exists $p in 1..6 : possible !B sends accept($p) to _", true), (false, None));
    // The variable of a quantifier is not bound by events.
    assert_broken(TRADE, true, &[("never exists $p in 6..6 : !S sends propose($p) to _ and $p == 6", HOLDS)]);
}

#[test]
fn values_of_other_kinds_are_compared_too() {
    let mixed = "s [ agent(!A, %a) = m(red) => agent(!B, %b) then m(!B) => agent(!B, %b)
                     agent(!B, %b) = waitfor (m($x) <= agent(!A, %a) then waitfor m($y) <= agent(!A, %a)) ]";
    assert_broken(
        mixed,
        true,
        &[
            ("never !A sends m($v) to _ and $v == red", Some(1)),
            ("never !A sends m($v) to _ and $v != red", Some(2)),
            ("never !A sends m($v) to _ and $v == !B", Some(2)),
            ("never exists $x in %b : !A sends m($x) to $x", Some(2)),
            // Only integers are ordered.
            ("never !A sends m($v) to _ and ($v < 1 or $v >= 1)", HOLDS),
        ],
    );
}
