//! The time to find warnings is linear in the size of a file.

use super::super::{body, options, parsed};

const MANY: usize = 20_000;

fn many(link: impl Fn(usize) -> String, joint: &str) -> String {
    (0..MANY).map(link).collect::<Vec<_>>().join(joint)
}

/// The number of warnings with a code.
fn count(code: &str, text: &str) -> usize {
    let (source, file) = parsed(text);
    let found = crate::lint(&source, &file, &options(""));
    found.iter().filter(|warning| warning.code.as_str() == code).count()
}

#[test]
fn many_clauses_that_call_each_other() {
    for step in [1, MANY - 1] {
        let clauses = many(
            |index| format!("agent($x, %a, {index}) = $y = p() then agent({})", (index + step) % MANY),
            "\n",
        );
        assert_eq!(count("MAP301", &format!("s[ agent($x, %a) = agent(0)\n{clauses} ]")), MANY);
    }
}

#[test]
fn many_messages_that_nobody_receives() {
    let sends = many(|index| format!("m{index}() => agent(_, %b)"), " then ");
    assert_eq!(count("MAP305", &body(&sends)), MANY);
    let receives = many(|index| format!("m{index}() <= agent(_, %b)"), " or ");
    assert_eq!(count("MAP306", &body(&format!("waitfor ({receives})"))), MANY);
}

#[test]
fn many_alternatives_steps_and_unused_variables() {
    let receives = many(|index| format!("m($x{index}) <= agent(_, %b)"), " or ");
    assert_eq!(count("MAP311", &body(&format!("waitfor ({receives})"))), MANY);
    let steps = many(|_| "m() <= agent(_, %b)".to_owned(), " then ");
    assert_eq!(count("MAP307", &body(&format!("waitfor ({steps})"))), MANY - 1);
}

#[test]
fn many_comments() {
    let sends = many(|index| format!("$x{index} = p() /* map: allow(MAP301) */"), " then ");
    assert_eq!(count("MAP301", &body(&sends)), 0);
    let comments = many(|_| "// map: allow(MAP302)".to_owned(), "\n");
    assert_eq!(count("MAP314", &format!("{comments}\n{}", body("skip"))), MANY);
}

#[test]
fn many_characters_that_nobody_sees() {
    let line = "\u{200b}".repeat(MANY);
    assert_eq!(count("MAP319", &format!("// {line}\n{}", body("skip"))), 1);
    let lines = many(|_| "// \u{202e}".to_owned(), "\n");
    assert_eq!(count("MAP319", &format!("{lines}\n{}", body("skip"))), MANY);
}
