//! What tells the words of a performative apart, and what does not.

use map_ir::PerformativeId;

use super::Words;
use crate::fixture::program;

/// How many words there are of `m`, all of whose messages have one arity, in a scene with these bodies.
fn words(a: &str, b: &str, c: &str) -> usize {
    let text = format!(
        "decision p()\ncast %b = 2\nscene [\nagent(!A, %a) = {a}\nagent($me, %b) = {b}\nagent(!C, %c) = {c}\n]\n"
    );
    let program = program(&text);
    let words = Words::of(&program);
    for (index, word) in words.program.performatives.iter().enumerate() {
        let written = words.written(PerformativeId::new(index));
        assert_eq!(program.performative(written), word, "{text}");
    }
    words.program.performatives.iter().filter(|word| word.name == "m").count()
}

#[test]
fn constants_tell_words_apart() {
    let both = "m(one, 1) => agent(_, %b) then m(two, 1) => agent(_, %b)";
    let asks = |first: &str, second: &str| {
        format!("waitfor (m({first}) <= agent(_, %a) then waitfor (m({second}) <= agent(_, %a)))")
    };
    assert_eq!(words(both, &asks("one, $x", "two, $y"), "skip"), 2);
    assert_eq!(words(both, &asks("one, 1", "two, 1"), "skip"), 2);
    assert_eq!(words(both, &asks("_, $x", "two, $y"), "skip"), 1);
    assert_eq!(words(both, &asks("$k, $x", "$k, $y"), "skip"), 1);
    assert_eq!(words(both, &asks("$x, 1", "$y, 1"), "skip"), 1);
    // Which values are equal is not asked.
    assert_eq!(words(both, "waitfor (m($x, $x) <= agent(_, %a))", "skip"), 1);
    let last = "m(1, \"one\") => agent(_, %b) then m(1, \"two\") => agent(_, %b)";
    assert_eq!(words(last, &asks("$x, \"one\"", "$y, \"two\""), "skip"), 2);
}

#[test]
fn what_a_variable_holds_tells_no_words_apart() {
    let both = "$k = p() then m($k) => agent(_, %b) then m(two) => agent(_, %b)";
    let asks = "waitfor (m(one) <= agent(_, %a) then waitfor (m(two) <= agent(_, %a)))";
    assert_eq!(words(both, asks, "skip"), 1);
}

#[test]
fn recipients_tell_words_apart() {
    let to = |first: &str, second: &str| format!("m(1) => agent({first}) then m(1) => agent({second})");
    let asks = "waitfor (m($x) <= agent(_, _))";
    assert_eq!(words(&to("_, %b", "_, %c"), asks, asks), 2);
    assert_eq!(words(&to("_, %b", "!C, _"), asks, asks), 2);
    assert_eq!(words(&to("!C, %c", "_, %b"), asks, asks), 2);
    assert_eq!(words(&to("_, %b", "_, _"), asks, asks), 1);
    let open = "$r = p() then m(1) => agent(_, $r) then m(1) => agent(_, %c)";
    assert_eq!(words(open, asks, asks), 1);
}

#[test]
fn senders_tell_words_apart() {
    let says = "m(1) => agent(!A, %a)";
    let asks = |first: &str, second: &str| {
        format!("waitfor (m($x) <= agent({first}) then waitfor (m($y) <= agent({second})))")
    };
    assert_eq!(words(&asks("_, %b", "_, %c"), says, says), 2);
    assert_eq!(words(&asks("$b, %b", "!C, _"), says, says), 2);
    assert_eq!(words(&asks("_, %b", "_, _"), says, says), 1);
    assert_eq!(words(&asks("_, $r", "_, %c"), says, says), 1);
}

#[test]
fn agents_of_one_part_talk_to_each_other() {
    let body = "m(1) => agent(_, %b) then waitfor (m($x) <= agent(_, %b))";
    assert_eq!(words("skip", body, "skip"), 1);
}

#[test]
fn what_nobody_takes_is_a_word_of_its_own() {
    let asks = "waitfor (m(one) <= agent(_, %a))";
    let says = "m(one) => agent(_, %b) then m(two) => agent(_, %b) then m(three) => agent(_, %c)";
    assert_eq!(words(says, asks, "skip"), 3);
}

#[test]
fn sends_that_say_the_same_are_one_word() {
    let twice = "m(1) => agent(!C, %c) then m(1) => agent(!C, %c)";
    assert_eq!(words(twice, "skip", "skip"), 1);
    let other = "m(1) => agent(!C, %c) then m(2) => agent(!C, %c)";
    assert_eq!(words(other, "skip", "skip"), 2);
    assert_eq!(words("m(1) => agent(!C, %c)", "m(1) => agent(!C, %c)", "skip"), 2);
}
