//! A truth changes nothing but what honest agents answer.

use super::compiled_with;

#[test]
fn a_program_with_a_truth_is_the_one_without_but_for_it() {
    let text = "memory %a { @value in 0..3 }
        procedure worth() in 1..3 decision bid($v) in {low, 2, 3} decision name()
        s[ agent(!A, %a) = $w = worth() then $b = bid($w) then $n = name() then m($b) => agent(!B, %b)
           agent(!B, %b) = waitfor m(_) <= agent(!A, %a) ]";
    let truths = "
        truth bid($v) | $v > 1 and @value + 1 > 2 = min($v, 3) = low
        truth name() | @value == 0 = in {!A, \"text\", unheard_of}";
    let without = compiled_with("", text).program;
    let mut with = compiled_with("", &format!("{text}{truths}")).program;
    assert_eq!(with.truths.len(), 2);
    with.truths.clear();
    // Names that only a truth has come last.
    with.names.truncate(without.names.len());
    with.texts.truncate(without.texts.len());
    assert_eq!(format!("{with:?}"), format!("{without:?}"));
}
