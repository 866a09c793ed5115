//! What looks back, and claims about the order of events, with verdicts and lengths derived by hand from the reference.

use super::properties::{HOLDS, assert_broken, judged, judgement};
use super::values_of_events::{PAIRS, TRADE};
use crate::oracle::Judgement;

/// Ticks for ever: a tick in the first step, in the fifth, in the ninth.
const CLOCK: &str = "
    s [ agent(!A, %a) = tick(1) => agent(!B, %b) then waitfor ack() <= agent(!B, %b) then agent()
        agent(!B, %b) = waitfor (tick($n) <= agent(!A, %a) then ack() => agent(!A, %a)) then agent() ]";

#[test]
fn before_is_about_strictly_earlier_moments() {
    assert_broken(
        TRADE,
        true,
        &[
            ("before !S sends propose(_) to _", Some(0)),
            ("never before !S sends propose(_) to _", Some(2)),
            ("never before !S sends propose(7) to _", Some(3)),
            ("never before !B sends accept(_) to _", Some(6)),
            ("never before !S sends accept(_) to _", HOLDS),
            ("never !S sends propose(5) to _ and before !S sends propose(5) to _", HOLDS),
            ("never !S sends propose(_) to _ and before !S sends propose(_) to _", Some(2)),
            // What was once so stays so, also where the run stays for ever.
            ("always (before !S sends propose(5) to _ implies next before !S sends propose(5) to _)", HOLDS),
            ("eventually ended and before !S receives accept(_) from _", HOLDS),
            ("always ended implies before !B sends accept(_) to _", HOLDS),
            // It takes one more moment, in which nothing need happen.
            ("always ended implies before !S receives accept(_) from _", Some(6)),
        ],
    );
    assert_eq!(judged(TRADE, "possible before !S sends propose(5) to _", true), (true, Some(2)));
    assert_eq!(judged(TRADE, "possible before !S sends propose(6) to _", true), (false, None));
    assert_eq!(
        judged(TRADE, "possible ended and before !S receives accept(_) from _", true),
        (true, Some(6)),
        "a run that stays takes no further steps"
    );
}

#[test]
fn before_looks_for_what_one_moment_was_like() {
    assert_broken(
        TRADE,
        true,
        &[
            ("never before (!S sends propose($p) to _ and $p > 5)", Some(3)),
            ("never before (!S sends propose($p) to _ and $p > 7)", HOLDS),
            ("never before (!S sends propose($p) to _ and not !S sends propose(5) to _)", Some(3)),
            (
                "never before (!S sends propose($p) to _ and (!S sends propose(5) to _ implies $p > 5))",
                Some(3),
            ),
            ("never before (!S sends propose(5) to _ and !S sends propose(7) to _)", HOLDS),
            ("never before !S sends propose(5) to _ and before !S sends propose(7) to _", Some(3)),
            ("never before (!S sends propose(9) to _ or !S sends propose(7) to _)", Some(3)),
            ("never before (forall $p in 5..5 : !S sends propose($p) to _)", Some(2)),
            ("never before (forall $p in { 5, 7 } : !S sends propose($p) to _)", HOLDS),
            ("never before (exists $p in 6..7 : !S sends propose($p) to _)", Some(3)),
            ("never before (exists $x in %b : $x receives propose(7) from _)", Some(5)),
        ],
    );
    assert_broken(PAIRS, true, &[("never before _ sends pair($p, $p) to _", Some(3))]);
}

#[test]
fn before_looks_for_values_of_this_moment() {
    assert_broken(
        TRADE,
        true,
        &[
            ("always !B sends accept($p) to _ implies before !S sends propose($p) to _", HOLDS),
            ("always !B receives propose($p) from _ implies before !S sends propose($p) to _", HOLDS),
            ("never !S sends propose($p) to _ and before !S sends propose($p) to _", HOLDS),
            ("never !B receives propose($p) from _ and before !S sends propose($p) to _", Some(2)),
            ("never !B receives propose($p) from _ and $p > 5 and before !S sends propose($p) to _", Some(4)),
            ("always !B sends accept($p) to _ implies before !B sends accept($p) to _", Some(5)),
            (
                "always !B sends accept($p) to _ implies before (!S sends accept($p) to _ or !S sends propose($p) to _)",
                HOLDS,
            ),
            // The other variable is one of the earlier moment.
            (
                "never !B receives propose($p) from _ and before (!S sends propose($q) to _ and $q > 5)",
                Some(3),
            ),
            (
                "forall $p in 7..8 : always !B sends accept($p) to _ implies before !S sends propose($p) to _",
                HOLDS,
            ),
        ],
    );
    assert_broken(
        PAIRS,
        true,
        &[
            ("never _ receives pair($p, _) from _ and before _ sends pair(_, $p) to _", Some(4)),
            ("never _ receives pair($p, $q) from _ and before _ sends pair($q, $p) to _", Some(4)),
            ("never _ receives pair($p, $q) from _ and before _ sends pair($p, $q) to _", Some(2)),
        ],
    );
}

#[test]
fn before_is_judged_in_loops() {
    assert_broken(
        CLOCK,
        true,
        &[
            ("never !A sends tick($n) to _ and before !A sends tick($n) to _", Some(5)),
            ("eventually before !B sends ack() to _", HOLDS),
            ("!A sends tick(_) to _ leadsto (!A sends tick(_) to _ and before !B sends ack() to _)", HOLDS),
            ("always (!A receives ack() from _ implies before !B sends ack() to _)", HOLDS),
            ("eventually always before !A sends tick(_) to _", HOLDS),
        ],
    );
}

#[test]
fn counts_include_this_moment() {
    assert_broken(
        TRADE,
        true,
        &[
            ("count(!S sends propose(_) to _) == 0", HOLDS),
            ("always count(!S sends propose(_) to _) <= 0", Some(1)),
            ("always count(!S sends propose(_) to _) <= 1", Some(2)),
            ("always count(!S sends propose(_) to _) <= 2", HOLDS),
            ("always 2 >= count(!S sends propose(_) to _)", HOLDS),
            ("always count(!S sends propose($p) to _ and $p > 5) == 0", Some(2)),
            ("always count(!S sends propose($p) to _ and $p > 5) <= 1", HOLDS),
            ("never !S sends propose(7) to _ and count(!S sends propose(_) to _) != 2", HOLDS),
            ("never count(!S sends propose(5) to _ or !B receives propose(5) from _) == 2", Some(2)),
            ("eventually count(!B receives propose(_) from _) == 2", HOLDS),
            ("always ended implies count(!S sends propose(_) to _) == 2", HOLDS),
            ("always count(exists $x in %b : $x receives propose(_) from _) < 2", Some(4)),
            ("forall $x in %s : always count($x sends propose(_) to _) < 2", Some(2)),
            // The other kind of count: agents, not moments.
            ("never count($x in %s : count($x sends propose(_) to _) == 2) == 1", Some(2)),
        ],
    );
    assert_eq!(judged(TRADE, "possible count(!S sends propose(_) to _) == 2", true), (true, Some(2)));
    assert_eq!(judged(TRADE, "possible count(!S sends propose(_) to _) == 3", true), (false, None));
}

#[test]
fn a_run_that_stays_where_it_is_counts_nothing() {
    assert_broken(
        TRADE,
        true,
        &[
            ("always count(!S receives accept(_) from _) <= 1", HOLDS),
            ("eventually always count(!S receives accept(_) from _) == 1", HOLDS),
            ("always total($p : !S receives accept($p) from _) <= 7", HOLDS),
        ],
    );
}

#[test]
fn counts_and_totals_are_judged_in_loops() {
    assert_broken(
        CLOCK,
        true,
        &[
            ("always count(!A sends tick(_) to _) <= 1", Some(5)),
            ("always count(!A sends tick(_) to _) <= 2", Some(9)),
            ("eventually count(!A sends tick(_) to _) >= 3", HOLDS),
            ("count(!A sends tick(_) to _) < 3 until count(!A sends tick(_) to _) == 3", HOLDS),
            ("eventually always count(!A sends tick(_) to _) > 1", HOLDS),
            ("always total($n : !A sends tick($n) to _) < 3", Some(9)),
            ("eventually total($n : !A sends tick($n) to _) == 2", HOLDS),
            ("always !B sends ack() to _ implies count(!A sends tick(_) to _) >= 1", HOLDS),
        ],
    );
    assert_eq!(judged(CLOCK, "always eventually count(!A sends tick(_) to _) == 2", true), (false, None));
    assert_eq!(judged(CLOCK, "possible count(!A sends tick(_) to _) == 3", true), (true, Some(9)));
    assert_eq!(judged(CLOCK, "always count(!A sends tick(_) to _) < 4", false), (false, Some(13)));
    // The numbers that matter are those of the range.
    assert_broken(CLOCK, true, &[("never exists $n in 3..3 : count(!A sends tick(_) to _) == $n", Some(9))]);
    assert_broken(CLOCK, true, &[("never exists $n in { 3 } : count(!A sends tick(_) to _) == $n", Some(9))]);
    let each = "forall $n in 1..3 : eventually count(!A sends tick(_) to _) == $n";
    assert_eq!(judged(CLOCK, each, true), (true, None));
}

#[test]
fn counts_are_compared_with_constants() {
    let two = "always count(!A sends tick(_) to _) <= count(!B receives tick(_) from _)";
    assert_eq!(judgement(CLOCK, two, true), Judgement::NotJudged);
    let value = "never !A sends tick($n) to _ and count(!A sends tick(_) to _) > $n";
    assert_eq!(judgement(CLOCK, value, true), Judgement::NotJudged);
}

#[test]
fn totals_sum_the_values_of_the_variable() {
    assert_broken(
        TRADE,
        true,
        &[
            ("total($p : !S sends propose($p) to _) == 0", HOLDS),
            ("always total($p : !S sends propose($p) to _) <= 4", Some(1)),
            ("always total($p : !S sends propose($p) to _) <= 11", Some(2)),
            ("always total($p : !S sends propose($p) to _) <= 12", HOLDS),
            ("always total($p : !S sends propose($p) to _ and $p > 5) <= 6", Some(2)),
            ("always total($p : !S sends propose($p) to _ and $p > 5) <= 7", HOLDS),
            ("always ended implies total($p : !S sends propose($p) to _) == 12", HOLDS),
        ],
    );
    assert_eq!(judged(TRADE, "possible total($p : !S sends propose($p) to _) == 5", true), (true, Some(1)));
    assert_eq!(judged(TRADE, "possible total($p : !S sends propose($p) to _) == 7", true), (false, None));
    // The other value of the message is not summed.
    assert_broken(
        PAIRS,
        true,
        &[
            ("always total($p : !A sends pair($p, _) to _) <= 3", Some(2)),
            ("always total($p : !A sends pair($p, _) to _) <= 4", HOLDS),
            ("always total($q : !A sends pair($p, $q) to _ and $p < $q) <= 2", HOLDS),
        ],
    );
}

#[test]
fn what_is_no_integer_adds_nothing_and_what_comes_twice_adds_twice() {
    let mixed =
        "s [ agent(!A, %a) = m(2) => agent(!B, %b) then m(red) => agent(!B, %b) then m(2) => agent(!B, %b)
                     agent(!B, %b) = waitfor (m($x) <= agent(!A, %a) then waitfor (m($y) <= agent(!A, %a)
                                     then waitfor m($z) <= agent(!A, %a))) ]";
    assert_broken(
        mixed,
        true,
        &[
            ("always total($v : !A sends m($v) to _) <= 3", Some(3)),
            ("always total($v : !A sends m($v) to _) <= 4", HOLDS),
            ("always ended implies total($v : !A sends m($v) to _) == 4", HOLDS),
            ("always count(!A sends m(2) to _) < 2", Some(3)),
            ("always count(!A sends m($v) to _ and $v != red) < 2", Some(3)),
        ],
    );
}

#[test]
fn totals_with_negative_amounts_are_not_judged() {
    let debts = "procedure debt() = 0 - 1
        s [ agent(!A, %a) = $x = debt() then m($x) => agent(!B, %b)
            agent(!B, %b) = waitfor m($x) <= agent(!A, %a) ]";
    let total = "always total($v : !A sends m($v) to _) <= 3";
    assert_eq!(judgement(debts, total, true), Judgement::NotJudged);
    assert_broken(debts, true, &[("always count(!A sends m($v) to _ and $v < 0) < 1", Some(2))]);
}

#[test]
fn unless_does_not_call_for_its_right_side() {
    let violated = |formula| assert!(!judged(TRADE, formula, true).0, "{formula}");
    assert_broken(
        TRADE,
        true,
        &[
            ("mailbox(!S) <= 1 unless failed(!S)", HOLDS),
            ("not !B sends accept(_) to _ unless !B receives propose(7) from _", HOLDS),
            // The right side may come just where the left side ends, and the left side may come back.
            ("mailbox(!B) == 0 unless !S sends propose(5) to _", HOLDS),
            ("mailbox(!B) <= 1 unless !B receives propose(5) from _ or mailbox(!B) == 2", HOLDS),
            ("not ended unless !S receives accept($p) from _ and $p == 7", HOLDS),
            ("not !B sends accept(_) to _ unless count(!B receives propose(_) from _) == 2", HOLDS),
            ("not (mailbox(!B) == 0 unless !B receives propose(_) from _)", HOLDS),
        ],
    );
    violated("mailbox(!S) <= 1 until failed(!S)");
    violated("ended unless ended");
    violated("mailbox(!B) == 0 unless !B receives propose(_) from _");
    violated("not ended unless !S receives accept($p) from _ and $p == 5");
    violated("not !B sends accept(_) to _ unless count(!B receives propose(_) from _) == 3");
}

#[test]
fn what_precedes_comes_first_or_at_once() {
    let violated = |formula| assert!(!judged(TRADE, formula, true).0, "{formula}");
    assert_broken(
        TRADE,
        true,
        &[
            ("!S sends propose(_) to _ precedes !B sends accept(_) to _", HOLDS),
            ("!S sends propose(_) to _ precedes !S sends propose(5) to _", HOLDS),
            ("failed(!S) precedes failed(!B)", HOLDS),
            ("mailbox(!B) > 0 precedes !B receives propose(_) from _", HOLDS),
            ("(!S sends propose($p) to _ and $p > 5) precedes !B receives propose(7) from _", HOLDS),
            ("forall $p in 5..7 : !S sends propose($p) to _ precedes !B sends accept($p) to _", HOLDS),
        ],
    );
    violated("!B sends accept(_) to _ precedes !S sends propose(_) to _");
    violated("!S sends propose(7) to _ precedes !B receives propose(5) from _");
    violated("failed(!S) precedes ended");
    violated("forall $p in 5..7 : !B receives propose($p) from _ precedes !S sends propose($p) to _");
}

#[test]
fn each_value_is_preceded_by_itself() {
    let other = "s [ agent(!S, %s) = propose(5) => agent(!B, %b) then waitfor accept($p) <= agent(!B, %b)
                     agent(!B, %b) = waitfor (propose($p) <= agent(!S, %s) then accept(9) => agent(!S, %s)) ]";
    let shared = "!S sends propose($p) to _ precedes !B sends accept($p) to _";
    assert_broken(TRADE, true, &[(shared, HOLDS)]);
    assert_broken(
        other,
        true,
        &[
            (shared, Some(3)),
            ("!S sends propose($p) to _ precedes !B receives propose($p) from _", HOLDS),
            // It may happen at the same moment.
            ("!S sends propose($p) to !B precedes !S sends propose($p) to _", HOLDS),
            (
                "(!S sends propose($p) to _ or !B sends accept($p) to !S) precedes !B sends accept($p) to _",
                HOLDS,
            ),
            // Another name is another variable.
            ("!S sends propose($q) to _ precedes !B sends accept($p) to _", HOLDS),
            // So is one that is not visible outside of its alternative.
            ("!S sends propose($p) to _ precedes (!B sends accept($p) to _ or failed(!S))", HOLDS),
            (
                "(!S sends propose($p) to _ and mailbox(!B) == 1) precedes (!B sends accept($p) to _ or failed(!S))",
                HOLDS,
            ),
            ("forall $p in 5..8 : !S sends propose($p) to _ precedes !B sends accept($p) to _", HOLDS),
        ],
    );
    let value = "forall $p in 5..9 : !S sends propose($p) to _ precedes !B sends accept($p) to _";
    assert_eq!(judged(other, value, true), (false, None));
}
