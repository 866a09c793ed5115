//! Warnings: for each of them, what it reports and what it does not.

mod allowed;
mod auctions;
mod calls;
mod failures;
mod messages;
mod names;
mod rendered;
mod right_protocols;
mod scale;
mod unseen;
mod waits;

use super::{options, parsed, short};

/// The warnings about a text without errors, in short form.
#[track_caller]
fn warnings_with(arguments: &str, text: &str) -> Vec<String> {
    let (source, file) = parsed(text);
    let (_, errors) = crate::check(&file, &options(arguments));
    assert_eq!(errors, [], "warnings are for texts without errors");
    crate::lint(&source, &file, &options(arguments)).iter().map(|it| short(&source, it)).collect()
}

#[track_caller]
fn assert_warnings(text: &str, expected: &[&str]) {
    assert_eq!(warnings_with("", text), expected);
}

#[track_caller]
fn assert_silent(text: &str) {
    assert_warnings(text, &[]);
}

/// The text marked by the warnings of one code.
#[track_caller]
fn marked(code: &str, text: &str) -> Vec<String> {
    let found = warnings_with("", text).into_iter();
    found.filter_map(|it| it.strip_prefix(code).map(|rest| rest.trim().to_owned())).collect()
}

/// Asserts that warnings of one code mark this text, whatever other warnings there are.
#[track_caller]
fn assert_marks(code: &str, text: &str, expected: &[&str]) {
    assert_eq!(marked(code, text), expected, "{text}");
}
