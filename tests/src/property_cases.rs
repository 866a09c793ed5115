//! The expectations about properties that `.map` files carry in their first lines.
//!
//! ```text
//! //@ verify --agents bidder=2 => terminates
//! //@ property single_winner => violated, 6 steps
//! ```
//!
//! They hold under the flags of the last `//@ verify` line above, with `--fairness none` where they say `unfair`. Behind
//! the arrow comes the verdict, then in any order: `N steps` of the run that shows it, `possible`, `vacuous` (some premise
//! never holds) and `loop at N` (the steps from there on are repeated for ever). All of it is compared.

use std::path::Path;

use map_testkit::oracle::OracleOptions;

use crate::cases::cases;

/// One `//@ property` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyCase {
    /// The property.
    pub name: String,
    /// The options of the search.
    pub options: OracleOptions,
    /// All runs count, not only fair ones.
    pub unfair: bool,
    /// What stands behind the arrow, in the order in which it is found.
    pub expected: String,
}

/// The cases of a file.
///
/// # Errors
/// If a line cannot be understood.
pub fn property_cases(path: &Path, text: &str) -> Result<Vec<PropertyCase>, String> {
    let mut found = Vec::new();
    let mut options = None;
    for line in text.lines().filter(|line| line.starts_with("//@")) {
        let Some(rest) = line.trim_start_matches("//@").trim().strip_prefix("property ") else {
            options = cases(path, line)?.pop().map(|case| case.options);
            continue;
        };
        let (name, expected) =
            rest.split_once("=>").ok_or_else(|| format!("{}: `{line}`: no `=>`", path.display()))?;
        let (name, unfair) = match name.trim().strip_suffix(" unfair") {
            Some(name) => (name.trim(), true),
            None => (name.trim(), false),
        };
        let options = options.clone().ok_or_else(|| format!("{}: no `//@ verify` above", path.display()))?;
        found.push(PropertyCase {
            name: name.to_owned(),
            options,
            unfair,
            expected: expected.trim().to_owned(),
        });
    }
    Ok(found)
}
