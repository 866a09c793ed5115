//! The workspace itself: its structure, its book, its pages of diagnostics, and its library of protocols.

mod book;
mod explain;
mod format;
mod guides;
mod library;
mod patterns;
mod tidy;
mod words;
