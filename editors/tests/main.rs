//! The grammars for editors agree with the parser of `map`, and what else is in this folder is in order. One binary, so
//! that it is linked once.

mod corpus;
mod neovim;
mod parser;
mod textmate;
mod words;
