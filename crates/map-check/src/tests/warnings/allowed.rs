//! Comments that allow warnings, and comments that silence nothing (MAP314).

use super::{assert_silent, assert_warnings};

/// Two agents that fail if their decision says "no", and an unused variable.
fn scene(before: &str, in_front: &str, at_end: &str) -> String {
    format!(
        "{before}\ns[\n{in_front}\nagent(!A, %a) =\n$x = p() {at_end}\nthen agent(b, $x)\n\
         agent(!A, %a, b, $y) =\n$z = q() ]"
    )
}

const FIRST: &str = "MAP301 $x = p()@5";
const SECOND: &str = "MAP301 $z = q()@8";
const UNUSED: &str = "MAP311 $y@7";

#[test]
fn without_a_comment_everything_is_said() {
    assert_warnings(&scene("", "", ""), &[FIRST, UNUSED, SECOND]);
    assert_warnings(
        &scene("// map: of the town", "// allow(MAP301)", "// map:allowance"),
        &[FIRST, UNUSED, SECOND],
    );
}

#[test]
fn before_the_first_item_for_the_file() {
    assert_warnings(&scene("// map: allow(MAP301)", "", ""), &[UNUSED]);
    assert_silent(&scene("/* map: allow(MAP301, MAP311) as published */", "", ""));
    assert_silent(&scene("// map: allow(MAP301)\n// and\n\n//map:allow( MAP311 )", "", ""));
}

#[test]
fn before_a_clause_for_the_clause() {
    assert_warnings(&scene("", "// map: allow(MAP301)", ""), &[UNUSED, SECOND]);
    assert_warnings(
        "s[\nagent(!A, %a) = agent(b)\n// map: allow(MAP301)\nagent(!A, %a, b) =\n$x = p()\nthen $x = q() ]",
        &[],
    );
}

#[test]
fn before_another_item_for_the_item() {
    let text =
        "s[ agent(!A, %a) = $x = p() ]\n// map: allow(MAP301)\nt[ agent(!A, %a) = $x = p()\nthen $y = p() ]";
    assert_warnings(text, &["MAP301 $x = p()@1"]);
}

#[test]
fn at_the_end_of_a_line_or_above_it_for_the_line() {
    assert_warnings(&scene("", "", "// map: allow(MAP301)"), &[UNUSED, SECOND]);
    let above = "s[ agent(!A, %a) =\n// map: allow(MAP301)\n/* because */\n\n$x = p()\nthen $y = q() ]";
    assert_warnings(above, &["MAP301 $y = q()@6"]);
    let last = "s[ agent(!A, %a) = $x = p() // map: allow(MAP301)\nagent(!B, %b) = $x = p() ]";
    assert_warnings(last, &["MAP301 $x = p()@2"]);
}

#[test]
fn a_comment_in_a_string_is_none() {
    let text = "s[ agent(!A, %a) = $x = p(\"// map: allow(MAP301)\") ]";
    assert_eq!(super::warnings_with("", text).len(), 1);
}

#[test]
fn what_allows_nothing_is_useless() {
    let useless = |comment: &str| scene(comment, "", "");
    assert_warnings(&useless("// map: allow(MAP305)"), &["MAP314 MAP305@1", FIRST, UNUSED, SECOND]);
    assert_warnings(&useless("// map: allow(MAP301, MAP305)"), &["MAP314 MAP305@1", UNUSED]);
    assert_warnings(&useless("// map: allow(MAP999)"), &["MAP314 MAP999@1", FIRST, UNUSED, SECOND]);
    assert_warnings(&useless("// map: allow(MAP204)"), &["MAP314 MAP204@1", FIRST, UNUSED, SECOND]);
    assert_warnings(
        &useless("// map: allow MAP301"),
        &["MAP314 // map: allow MAP301@1", FIRST, UNUSED, SECOND],
    );
    assert_warnings(&useless("// map: allow()"), &["MAP314 // map: allow()@1", FIRST, UNUSED, SECOND]);
    assert_warnings(&scene("", "", "// map: allow(MAP311)"), &[FIRST, "MAP314 MAP311@5", UNUSED, SECOND]);
}

#[test]
fn even_that_can_be_allowed() {
    assert_warnings(&scene("// map: allow(MAP305, MAP314)", "", ""), &[FIRST, UNUSED, SECOND]);
    assert_warnings(&scene("// map: allow(MAP314)", "", ""), &["MAP314 MAP314@1", FIRST, UNUSED, SECOND]);
}

#[test]
fn all_scenes_of_a_file_are_looked_at_and_none_with_errors() {
    let text = "s[ agent(!A, %a) = $x = p() ]\nt[ agent(!A, %a) = $x = p() ]";
    assert_warnings(text, &["MAP301 $x = p()@1", "MAP301 $x = p()@2"]);
    let (source, file) = crate::tests::parsed("s[ agent(!A, %a) = $x = p() ]\nt[ agent(!A, %a) = agent(b) ]");
    assert!(crate::lint(&source, &file, &crate::CheckOptions::default()).is_empty());
}

/// The text after each change that takes a code out of a comment.
fn removed(text: &str) -> Vec<String> {
    let (source, file) = super::parsed(text);
    let found = crate::lint(&source, &file, &super::options(""));
    let fixes = found.iter().filter(|it| it.code.as_str() == "MAP314").flat_map(|it| &it.fixes);
    fixes
        .map(|fix| {
            let [(span, with)] = &fix.edits[..] else { panic!("there is one edit") };
            format!("{}{with}{}", &text[..span.start as usize], &text[span.end as usize..])
        })
        .collect()
}

#[test]
fn what_silences_nothing_can_be_removed() {
    let end = "s[ agent(!A, %a) = skip ]";
    for (text, expected) in [
        (format!("// map: allow(MAP305)\n{end}"), vec![end.to_owned()]),
        (format!("  // map: allow(MAP305) and why\r\n{end}"), vec![end.to_owned()]),
        (format!("{end} // map: allow(MAP305)"), vec![end.to_owned()]),
        (format!("{end}\n// map: allow(MAP204)"), vec![format!("{end}\n")]),
        (format!("/* map: allow(MAP305) */ {end}"), vec![format!(" {end}")]),
        (
            format!("// map: allow(MAP305, MAP306)\n{end}"),
            vec![format!("// map: allow(MAP306)\n{end}"), format!("// map: allow(MAP305)\n{end}")],
        ),
        ("s[ agent(!A, %a) = skip/* map: allow(MAP305) */then skip ]".to_owned(), vec![]),
    ] {
        assert_eq!(removed(&text), expected, "{text}");
    }
}
