//! Who speaks: the token says it, and nothing else.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use super::super::peer::Speaker;
use super::super::tokens::Tokens;

/// The longest token that is looked at.
const MAX_TOKEN: usize = 4 << 10;

/// Who is let in.
pub(super) struct Admission(Option<Tokens>);

impl Admission {
    pub(super) fn new(tokens: Option<Tokens>) -> Self {
        Self(tokens)
    }

    /// Who has sent a request with these headers; `None` if it has no good token, and needs one.
    pub(super) fn admit(&self, headers: &HeaderMap) -> Option<Speaker> {
        let Some(tokens) = &self.0 else { return Some(Speaker::Anybody) };
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (Some(given), None) = (given.next(), given.next()) else { return None };
        let (scheme, token) = given.to_str().ok()?.split_once(' ')?;
        let token = token.trim();
        if !scheme.eq_ignore_ascii_case("bearer") || token.len() > MAX_TOKEN {
            return None;
        }
        tokens.whose(token)
    }
}
