//! Memories and bodies, rule by rule.

use map_diagnostics::Code;

use super::{assert_errors, assert_errors_with, options, parsed, short, with_checked};

/// A scene in which agents of `%a` ask `p` and agents of `%b` ask nothing.
const SCENE: &str = "\ns[ agent($me, %a) = $x = p()\n agent(!B, %b) = skip ]";

fn with_scene(items: &str) -> String {
    format!("{items}{SCENE}")
}

#[test]
fn the_example_of_the_reference_is_right() {
    let text = "memory %auctioneer { @price = 10, @leader = nobody, @me = self }
procedure getValue() = @price
procedure getWinner() = @leader
decision recordBid($bidder, $bid)
  | $bid == @price = $bid + 5 with @price := $bid + 5, @leader := $bidder
auction[
  agent(!A, %auctioneer) = $p = getValue() then $n = recordBid(!A, $p) then $w = getWinner()
]";
    with_checked("", text, |checked| {
        assert_eq!(checked.procedures.len(), 3);
        assert_eq!(checked.file.memories().count(), 1);
        assert!(checked.procedures["recordBid"].may_refuse);
    });
}

#[test]
fn a_role_has_one_memory_and_a_memory_each_cell_once() {
    assert_errors(
        &with_scene("memory %a { @c = 1 }\nmemory %a { @d = 1 }\nprocedure p() = 1"),
        &["MAP113 %a@2"],
    );
    assert_errors(
        &with_scene("memory %a { @c = 1, @d = 2,\n @c = 3 }\nprocedure p() = @c"),
        &["MAP113 @c@2"],
    );
    assert_errors(&with_scene("memory %a { @c = 1 }\nmemory %b { @c = 1 }\nprocedure p() = @c"), &[]);
    // The cells of both memories are known.
    assert_errors(
        &with_scene("memory %a { @c = 1 }\nmemory %a { @c = 1, @d = 2 }\nprocedure p() = @c + @d"),
        &["MAP113 %a@2"],
    );
}

#[test]
fn a_cell_has_a_first_value_in_each_scene() {
    let of = |cells: &str| with_scene(&format!("memory %a {{ {cells} }}\nprocedure p() = @c"));
    assert_errors(&of("@c in 4..8, @d in { x, %a, 1 }, @e in %a"), &[]);
    assert_errors(&of("@c in 8..4"), &["MAP118 8..4@1"]);
    assert_errors(&of("@c in 1..100000"), &["MAP118 1..100000@1"]);
    assert_errors(&of("@c in 1..2, @c in 1..2"), &["MAP113 @c@1"]);
    assert_errors(&of("@c in %nowhere"), &["MAP104 %nowhere@1"]);
}

#[test]
fn a_cell_changes_once() {
    let memory = "memory %a { @c = 1, @d = 1 }\n";
    assert_errors(&with_scene(&format!("{memory}procedure p() = 1 with @c := 1, @c := 2")), &["MAP113 @c@2"]);
    let twice = "decision p() | 1 == 2 = 1 with @c := 1, @d := @c | 2 == 3 = 1 with @c := 2";
    assert_errors(&with_scene(&format!("{memory}{twice}")), &[]);
}

#[test]
fn cells_are_known_wherever_they_occur() {
    let memory = "memory %a { @c = 1 }\n";
    for body in [
        "= @d",
        "| @d == 1 = 2 = 3",
        "= 1 with @d := 2",
        "= 1 with @c := @d",
        "= 1 + @d",
        "= 1 * (2 - @d)",
        "| not (1 == 2 or @d == 3 and 1 == 1) = 1 = 2",
        "= min(1, @d)",
        "= max(@d, 1)",
        "= if @d == 1 then 1 else 2",
        "= if 1 == 1 then @d else 2",
        "= if 1 == 1 then 2 else @d",
    ] {
        assert_errors(&with_scene(&format!("{memory}procedure p() {body}")), &["MAP114 @d@2"]);
    }
}

#[test]
fn cells_belong_to_the_role_that_asks() {
    let foreign = "memory %b { @c = 1 }\nprocedure p() = @c";
    assert_errors(&with_scene(foreign), &["MAP114 p@3"]);
    let both = format!("memory %a {{ @c = 2 }}\n{foreign}");
    assert_errors(&with_scene(&both), &[]);
    let update = "memory %b { @c = 1 }\nprocedure p() = 1 with @c := 2";
    assert_errors(&with_scene(update), &["MAP114 p@3"]);
    // Not asked, so no agent lacks the cell.
    assert_errors(&with_scene("memory %b { @c = 1 }\nprocedure q() = @c"), &[]);
    // Both cells exist, but no role has both.
    let split = "memory %a { @c = 1 } memory %b { @d = 1 }\nprocedure p() = @c + @d";
    assert_errors(&with_scene(split), &["MAP114 p@3"]);
}

#[test]
fn every_role_that_asks_is_told_once() {
    let text = "memory %c { @c = 1 }\nprocedure p() = @c
s[ agent($x, %a) = $v = p() then $w = p()
   agent($x, %b) = $v = p()
   agent($x, %c) = $v = p() ]
t[ agent($x, %a) = $v = p() ]";
    assert_errors(text, &["MAP114 p@3", "MAP114 p@4", "MAP114 p@6"]);
    let (_, file) = parsed(text);
    assert!(crate::check(&file, &options("t")).0.is_none());
    // On its own, this scene is correct.
    let (_, file) = parsed(&format!("{text}\nu[ agent($x, %c) = $v = p() ]"));
    assert!(crate::check(&file, &options("u")).0.is_some());
}

#[test]
fn parameters_are_known_and_different() {
    let scene = "\ns[ agent($me, %a) = $x = p(1, 2) ]";
    assert_errors(&format!("procedure p($a, $b) = $a + $b{scene}"), &[]);
    assert_errors(&format!("procedure p($a, $b) = $a + $c{scene}"), &["MAP115 $c@1"]);
    assert_errors(&format!("procedure p($a, $a) = $a{scene}"), &["MAP115 $a@1"]);
    assert_errors(&format!("procedure p($a, $a){scene}"), &["MAP115 $a@1"]);
    // Each is reported once.
    let twice = "procedure p($a, $b) = $c + $c + $d";
    assert_errors(&format!("{twice}{scene}"), &["MAP115 $c@1", "MAP115 $d@1"]);
    let guard = "decision p($a, $b)\n| $d == 1 = 2";
    assert_errors(&format!("{guard}{scene}"), &["MAP115 $d@2"]);
}

#[test]
fn a_procedure_always_answers() {
    assert_errors(&with_scene("procedure p()\n| 1 == 2 = 3"), &["MAP116 1 == 2@2"]);
    assert_errors(&with_scene("procedure p()\n| 1 == 2 = 3\n| 2 == 3 = 3"), &["MAP116 2 == 3@3"]);
    assert_errors(&with_scene("procedure p()\n= 3\n| 2 == 3 = 3"), &["MAP116 2 == 3@3"]);
    assert_errors(&with_scene("procedure p()\n| 1 == 2 = 3\n= 3"), &[]);
    assert_errors(&with_scene("decision p()\n| 1 == 2 = 3"), &[]);
    for body in ["", "fresh", "in 1..2", "in %a", "= 1"] {
        assert_errors(&with_scene(&format!("procedure p() {body}")), &[]);
    }
}

#[test]
fn a_procedure_has_no_empty_domain() {
    assert_errors(&with_scene("procedure p() in 5..1"), &["MAP118 5..1@1"]);
    assert_errors(&with_scene("procedure p() = in 5..1"), &["MAP118 5..1@1"]);
    assert_errors(&with_scene("procedure p() | 1 == 1 = in 5..1 = 2"), &["MAP118 5..1@1"]);
    assert_errors(&with_scene("decision p() in 5..1"), &[]);
    assert_errors(&with_scene("procedure p() in 5..5"), &[]);
    // Whether a role has agents depends on the cast.
    assert_errors_with("b=0", &with_scene("procedure p() in %b"), &[]);
}

#[test]
fn domains_are_limited() {
    for word in ["procedure", "decision"] {
        assert_errors(&with_scene(&format!("{word} p() in 1..65536")), &[]);
        assert_errors(&with_scene(&format!("{word} p() in 0..65536")), &["MAP118 0..65536@1"]);
        let all = "-9223372036854775808..9223372036854775807";
        assert_errors(&with_scene(&format!("{word} p() = in {all}")), &[&format!("MAP118 {all}@1")]);
    }
    let values = vec!["1"; crate::MAX_DOMAIN].join(",");
    assert_errors(&with_scene(&format!("procedure p() in {{{values}}}")), &[]);
    assert_errors(
        &with_scene(&format!("procedure p() in {{1,{values}}}")),
        &[&format!("MAP118 {{1,{values}}}@1")],
    );
    assert_errors_with("b=65537", &with_scene("procedure p() in %b"), &["MAP118 %b@1"]);
    assert_errors_with("b=65536", &with_scene("procedure p() in %b"), &[]);
    assert_errors_with("b=65537", &with_scene("procedure q() in %b\nprocedure p()"), &[]);
}

#[test]
fn roles_and_agents_exist() {
    for body in ["= !C", "in {!B, !C}", "= in {!C}", "| !C == 1 = 2 = 3", "= if 1 == 1 then !C else 2"] {
        assert_errors(&with_scene(&format!("procedure p() {body}")), &["MAP105 !C@1"]);
    }
    for body in ["= %c", "in {%b, %c}", "in %c", "= in %c", "| %c == 1 = 2 = 3"] {
        assert_errors(&with_scene(&format!("procedure p() {body}")), &["MAP104 %c@1"]);
    }
    assert_errors(&with_scene("memory %c { @c = 1 }"), &["MAP104 %c@1"]);
    assert_errors(
        &with_scene("memory %a { @c = !C, @d = %d, @e = !B, @f = %b }"),
        &["MAP105 !C@1", "MAP104 %d@1"],
    );
    assert_errors(&with_scene("procedure p() = !B procedure q() in {%b, !A}"), &[]);
    assert_errors_with("b=2", &with_scene("procedure p() = !B"), &["MAP106 !B@1"]);
    assert_errors_with("b=2", &with_scene("procedure p() = !B2"), &[]);
    assert_errors_with("b=0", &with_scene("procedure p() = !B"), &[]);
    // A procedure belongs to no clause, so a name is never "this agent"; that is written `self`.
    assert_errors_with("a=2", &with_scene("procedure p() = !A"), &["MAP106 !A@1"]);
}

#[test]
fn names_belong_to_the_scenes_that_use_them() {
    let scenes = "\ns[ agent($x, %a) = $v = p() ]\nt[ agent($x, %b) = $v = q() ]";
    assert_errors(&format!("procedure p() = %a procedure q() = %b{scenes}"), &[]);
    assert_errors(&format!("procedure p() = %b{scenes}"), &["MAP104 %b@1"]);
    assert_errors(&format!("procedure unused() in {{%a, %b, !A, !B}}{scenes}"), &[]);
    assert_errors(&format!("procedure unused() in {{%c, !C}}{scenes}"), &["MAP104 %c@1", "MAP105 !C@1"]);
    assert_errors(&format!("memory %a {{ @c = !A }} memory %b {{ @c = %b }}{scenes}"), &[]);
    assert_errors(&format!("memory %a {{ @c = !B }}{scenes}"), &["MAP105 !B@1"]);
    // An error in what only another scene uses does not affect the chosen one.
    let (_, file) = parsed(&format!("procedure p() = %b{scenes}"));
    assert!(crate::check(&file, &options("t")).0.is_some());
    assert!(crate::check(&file, &options("s")).0.is_none());
}

#[test]
fn an_error_in_a_body_spoils_every_scene() {
    let (_, file) = parsed(&with_scene("procedure q() = $x"));
    assert!(crate::check(&file, &options("")).0.is_none());
}

/// The warnings about alternatives, in short form.
fn never_taken(items: &str) -> Vec<String> {
    let (source, file) = parsed(&with_scene(items));
    let found = crate::alternatives_never_taken(&file);
    assert!(found.iter().all(|warning| warning.code == Code::AlternativeNeverTaken));
    found.iter().map(|warning| short(&source, warning)).collect()
}

#[test]
fn nothing_is_taken_behind_an_alternative_without_guard() {
    assert_eq!(never_taken("procedure p() = 1\n= 2\n= 3"), ["MAP316 2@2"]);
    assert_eq!(never_taken("decision p() | 1 == 1 = 1\n= 2\n| 3 == 3 = 3"), ["MAP316 3 == 3@3"]);
    assert_eq!(never_taken("decision p() | 1 == 1 = 1\n= 2\n= in 1..5"), ["MAP316 1..5@3"]);
    assert_eq!(never_taken("procedure p() | 1 == 1 = 1 = 2"), [""; 0]);
    assert_eq!(never_taken("procedure p() procedure q() fresh procedure r() in 1..2"), [""; 0]);
    assert_eq!(never_taken("procedure p() = 1 = 2\nprocedure q() = 1 = 3"), ["MAP316 2@1", "MAP316 3@2"]);
}

#[test]
fn many_memories_procedures_and_asks_take_time_in_proportion() {
    const MANY: usize = 30_000;
    let list = |item: &dyn Fn(usize) -> String| (0..MANY).map(item).collect::<Vec<_>>().join("\n");
    let memories = list(&|i| format!("memory %r{i} {{ @c{i} = {i}, @shared = self }}"));
    let procedures =
        list(&|i| format!("procedure p{i}($a{i}) | $a{i} == @c{i} = @shared with @c{i} := 1 = %r{i}"));
    let clauses = list(&|i| format!("agent($x, %r{i}) = $y = p{i}({i})"));
    assert_errors(&format!("{memories}\n{procedures}\ns[ {clauses} ]"), &[]);
    let wrong = list(&|i| format!("procedure q{i}() = @d{i} + $b{i}"));
    let (_, file) = parsed(&format!("{memories}\n{wrong}\ns[ {clauses} ]"));
    assert_eq!(crate::check(&file, &options("")).1.len(), 2 * MANY);
}
