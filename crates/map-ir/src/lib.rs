//! The compiled form of a MAP scene that every engine works on.
