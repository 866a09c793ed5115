//! Texts made from the fuzzer's bytes: what is fuzzed behind the parser should get past it.

mod layout;
mod scene;
mod words;

pub use layout::Loose;
pub use scene::Sound;
pub use words::Scattered;
