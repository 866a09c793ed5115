//! The expectations about properties that `.map` files carry in their first lines.
//!
//! ```text
//! //@ verify --agents bidder=2 => terminates
//! //@ property single_winner => violated, 6 steps
//! ```
//!
//! They apply under the flags of the last `//@ verify` line above, with `--fairness weak` where they say `weak`, and
//! with `--fairness none` where they say `unfair`. After the arrow comes the verdict, then: `N steps` of the
//! counterexample or witness, `possible`, `vacuous` (some premise never holds) and `loop at N` (the steps from there on
//! are repeated for ever). All of it is compared.

use map_verify::Fairness;

/// One `//@ property` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyCase {
    /// The property.
    pub name: String,
    /// The runs that count.
    pub fairness: Fairness,
    /// The text after the arrow.
    pub expected: String,
}

impl PropertyCase {
    /// Parses the text after `property`.
    ///
    /// # Errors
    /// If there is no arrow.
    pub fn read(text: &str) -> Result<Self, String> {
        let (name, expected) = text.split_once("=>").ok_or("no `=>`")?;
        let (name, fairness) = Fairness::of_marked(name);
        Ok(Self { name: name.to_owned(), fairness, expected: expected.trim().to_owned() })
    }
}
