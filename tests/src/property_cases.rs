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

/// One `//@ property` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyCase {
    /// The property.
    pub name: String,
    /// All runs count, not only fair ones.
    pub unfair: bool,
    /// What stands behind the arrow, in the order in which it is found.
    pub expected: String,
}

impl PropertyCase {
    /// What stands behind `property`.
    ///
    /// # Errors
    /// If it cannot be understood.
    pub fn read(text: &str) -> Result<Self, String> {
        let (name, expected) = text.split_once("=>").ok_or("no `=>`")?;
        let (name, unfair) = match name.trim().strip_suffix(" unfair") {
            Some(name) => (name.trim(), true),
            None => (name.trim(), false),
        };
        Ok(Self { name: name.to_owned(), unfair, expected: expected.trim().to_owned() })
    }
}
