//! Numbers as they are written on the command line and in traces.

use std::str::FromStr;

/// Digits only: no sign, no spaces.
pub(crate) fn digits<N: FromStr>(text: &str) -> Option<N> {
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if are_digits { text.parse().ok() } else { None }
}
