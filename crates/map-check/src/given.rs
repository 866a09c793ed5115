//! First values of cells that are given besides the text, as by `--set '%auctioneer@reserve=3'`.

use std::fmt;
use std::str::FromStr;

use map_syntax::ast::TermKind;

use crate::show;

/// A first value given on the command line, `--set %auctioneer@reserve=3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstValue {
    /// The role, without its sigil.
    pub role: String,
    /// The cell, without its sigil.
    pub cell: String,
    /// The value in source form, as given; it may be none.
    pub value: String,
}

impl fmt::Display for FirstValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}@{}={}", self.role, self.cell, self.value)
    }
}

impl FromStr for FirstValue {
    /// What is expected.
    type Err = String;

    /// `%auctioneer@reserve=3`. The sigil of the role is optional.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected %ROLE@CELL=VALUE, such as '%auctioneer@reserve=3'".to_owned();
        let (place, value) = text.split_once('=').ok_or_else(expected)?;
        let (role, cell) = place.trim().split_once('@').ok_or_else(expected)?;
        if let Some(agent) = role.strip_prefix('!') {
            return Err(format!(
                "all agents of a role begin with the same cells: give the role of !{agent}, as in \
                 '%auctioneer@reserve=3'"
            ));
        }
        let role = role.strip_prefix('%').unwrap_or(role);
        let value = value.trim();
        if role.is_empty() || cell.is_empty() || value.is_empty() {
            return Err(expected());
        }
        Ok(Self { role: role.to_owned(), cell: cell.to_owned(), value: value.to_owned() })
    }
}

/// A first value that fits its cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenValue {
    /// The role.
    pub role: String,
    /// The cell.
    pub cell: String,
    /// The constant.
    pub value: TermKind,
}

impl fmt::Display for GivenValue {
    /// As `--set` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}@{}={}", self.role, self.cell, show::constant(&self.value))
    }
}
