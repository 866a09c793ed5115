//! Memory cells: initial values, updates, and that they are part of the state.

use super::{assert_verdict, assert_violation, report};

#[test]
fn self_is_the_agents_own_name() {
    // The head compares the answer with the agent's own name.
    let found = report(
        "memory %b { @me = self }
         procedure me() = @me
         s [ agent($b, %b) = $v = me() then agent($v)
             agent($b, %b, $b) = skip ]
         cast %b = 2",
    );
    // Each before or after its only step.
    assert_verdict(&found, "terminates", 4, 4);
}

#[test]
fn cells_are_private_to_each_agent() {
    let found = report(
        "memory %b { @n = 0 }
         procedure next() = @n with @n := @n + 1
         s [ agent($b, %b) = $v = next() then agent($v)
             agent($b, %b, 0) = skip ]
         cast %b = 2",
    );
    assert_verdict(&found, "terminates", 4, 4);
}

#[test]
fn all_is_computed_from_the_cells_as_they_were() {
    let found = report(
        "memory %a { @one = 1, @two = 2 }
         procedure swap() = @one + @two * 10 with @one := @two, @two := @one
         procedure one() = @one
         procedure two() = @two
         s [ agent(!A, %a) = $x = swap() then $y = one() then $z = two() then agent($x, $y, $z)
             agent(!A, %a, 21, 2, 1) = skip ]",
    );
    assert_verdict(&found, "terminates", 4, 3);
}

#[test]
fn updates_take_effect_if_the_answer_does_not_unify() {
    // The answer 1 is not 2; the ask is a step all the same, and the memory has changed.
    let found = report(
        "memory %a { @n = 0 }
         procedure take() = 1 with @n := 1
         procedure get() = @n
         s [ agent(!A, %a) = agent(2)
             agent(!A, %a, $x) = ($x = take() or skip) then $y = get() then agent(end, $y)
             agent(!A, %a, end, 1) = skip ]",
    );
    assert_verdict(&found, "terminates", 3, 2);
}

#[test]
fn updates_are_not_undone() {
    let found = report(
        "memory %a { @n = 0 }
         procedure take() = 1 with @n := 1
         procedure get() = @n
         s [ agent(!A, %a) = (($x = take() then fail) or skip) then $y = get() then agent(end, $y)
             agent(!A, %a, end, 1) = skip ]",
    );
    assert_verdict(&found, "terminates", 3, 2);
}

#[test]
fn a_decision_that_says_no_changes_nothing() {
    let found = report(
        "memory %a { @n = 0 }
         decision take() | @n == 1 = 1 with @n := 2
         procedure get() = @n
         s [ agent(!A, %a) = ($x = take() or skip) then $y = get() then agent(end, $y)
             agent(!A, %a, end, 0) = skip ]",
    );
    // The act goes on behind the "no", so its only step is the ask of `get`.
    assert_verdict(&found, "terminates", 2, 1);
}

#[test]
fn the_memory_of_an_ended_agent_is_part_of_the_state() {
    // Done with 0 or with 1.
    let found = report(
        "memory %a { @n = 0 }
         procedure take() = 1 with @n := 1
         s [ agent(!A, %a) = ($v = d() then $w = take()) or skip ]",
    );
    assert_verdict(&found, "terminates", 4, 3);
}

#[test]
fn a_guard_on_a_cell_bounds_a_loop() {
    // Counted to 3 there is only the way out.
    let found = report(
        "memory %a { @n = 0 }
         decision tick() | @n < 3 = @n with @n := @n + 1
         s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = ($v = tick() then agent(loop)) or skip ]",
    );
    assert_verdict(&found, "terminates", 5, 4);
}

#[test]
fn a_loop_without_a_bound_overflows_in_the_end() {
    // 1, 8, .., 8^20; the next would be 2^63.
    let found = report(
        "memory %a { @n = 1 }
         procedure grow() = @n with @n := @n * 8
         s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = $v = grow() then agent(loop) ]",
    );
    assert_violation(&found, ("run error", 21, false), 21, 20);
}

#[test]
fn cells_hold_abstract_values() {
    // What was remembered is what was answered; another answer may equal it.
    let text = |answer: &str| {
        format!(
            "memory %a {{ @x = nobody }}
             procedure any()
             procedure keep($x) = kept with @x := $x
             decision same($x) | $x == @x = yes
             s [ agent(!A, %a) = $x = any() then $y = any() then $k = keep($x) then $v = same({answer}) ]"
        )
    };
    assert_verdict(&report(&text("$x")), "terminates", 5, 4);
    assert_violation(&report(&text("$y")), ("failure", 4, true), 6, 5);
}

#[test]
fn symbols_in_cells_are_numbered_by_first_occurrence() {
    // Each round puts another symbol into the cell; from the second round on the state is the same.
    let found = report(
        "memory %a { @x = nobody }
         procedure any()
         procedure keep($x) = kept with @x := $x
         s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = $x = any() then $k = keep($x) then agent(loop) ]",
    );
    // Before and after the first `any`; then again with a symbol in the cell.
    assert_violation(&found, ("livelock", 0, false), 4, 4);
}
