//! Recipients of a record that are no names.

use map_ir::{PartId, Program};

use crate::casting::part_named;
use crate::record::ANYBODY;

/// The part that a recipient such as `%worker` means: all who play it.
pub(super) fn role_of_name(program: &Program, name: &str) -> Option<PartId> {
    part_named(program, name.strip_prefix('%')?)
}

/// Whether a recipient is the name of somebody.
pub(super) fn is_name(program: &Program, name: &str) -> bool {
    name != ANYBODY && role_of_name(program, name).is_none()
}
