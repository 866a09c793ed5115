//! The shape of a text: which operation, expression or formula is part of which, as text that can be compared. There is
//! one function for the trees of the real parser and one for those of tree-sitter.

mod ast;
mod node;

pub use ast::of_file;
pub use node::of_node;

/// `(label part part ..)`.
fn list(label: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut written = format!("({label}");
    for part in parts {
        written.push(' ');
        written.push_str(&part);
    }
    written.push(')');
    written
}
