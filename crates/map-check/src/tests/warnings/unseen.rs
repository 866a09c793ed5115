//! Characters in comments and strings that nobody sees (MAP319).

use super::super::rendered::plain;
use super::{assert_silent, assert_warnings, options, parsed};

fn scene(string: &str, comment: &str) -> String {
    format!(
        "s[ agent(!A, %a) = m(\"{string}\") => agent(!B, %b) // {comment}\nagent(!B, %b) = waitfor m(_) <= agent(_, %a) ]"
    )
}

#[test]
fn each_kind_of_character_in_both_places() {
    for character in [
        '\u{1b}',
        '\u{7}',
        '\r',
        '\u{9b}',
        '\u{7f}',
        '\u{202e}',
        '\u{2066}',
        '\u{61c}',
        '\u{200b}',
        '\u{ad}',
        '\u{2028}',
        '\u{e0041}',
    ] {
        let expected = format!("MAP319 {character}@1");
        assert_warnings(&scene("x", &format!("x{character}y")), &[&expected]);
        // A string ends on its line.
        if character != '\r' {
            assert_warnings(&scene(&format!("x{character}y"), "x"), &[&expected]);
        }
    }
}

#[test]
fn what_scripts_need_is_no_fault() {
    for text in [
        "ünï 東京　駅",
        "می\u{200c}خواهم",
        "👩\u{200d}🚀",
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "e\u{301}",
        "\ttab",
    ] {
        assert_silent(&scene(text, text));
    }
    assert_silent(&format!("\u{feff}{}", scene("x", "x").replace('\n', "\r\n")));
    // But where they shape nothing.
    for text in ["ad\u{200d}min", "ad\u{200c}min", "admin\u{fe0f}"] {
        assert_eq!(super::warnings_with("", &scene(text, "x")).len(), 1, "{text:?}");
    }
}

#[test]
fn one_for_each_line_of_a_comment_and_each_can_be_allowed() {
    let text = format!("/* \u{202e} \u{202c}\n\u{200b} */ {}", scene("\u{200b}", "\u{200b}\u{200b}"));
    assert_warnings(
        &text,
        &["MAP319 \u{202e}@1", "MAP319 \u{200b}@2", "MAP319 \u{200b}@2", "MAP319 \u{200b}@2"],
    );
    assert_silent(&format!("// map: allow(MAP319)\n{}", scene("\u{200b}", "\u{202e}")));
}

#[test]
fn none_is_shown_as_it_is() {
    let text = scene("10\u{202e} \u{2069}", "\u{1b}]0;title\u{7}\u{200b}");
    let (source, file) = parsed(&text);
    let shown = plain(&source, &crate::lint(&source, &file, &options("")));
    insta::assert_snapshot!("map319", shown);
}
