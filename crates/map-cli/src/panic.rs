//! Reports a panic as a defect of this program, with an exit code of its own instead of Rust's.

use std::io::Write as _;
use std::panic::{self, PanicHookInfo};

use map_diagnostics::escaped;

use crate::exit::Exit;

/// Runs the command; a panic becomes [`Exit::Internal`].
pub(crate) fn guard(command: fn() -> Exit) -> Exit {
    panic::set_hook(Box::new(report));
    panic::catch_unwind(command).unwrap_or(Exit::Internal)
}

fn report(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let what = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned());
    let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    // There is nowhere left to report that standard error is closed.
    let _ = writeln!(
        std::io::stderr(),
        "internal error: {}{place} (map {version})\n\
         This is a defect of map, not of your file. Please report it, with the file and the command line.",
        escaped(&what)
    );
}

#[cfg(test)]
mod tests {
    use super::guard;
    use crate::exit::Exit;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(guard(|| panic!("on purpose")), Exit::Internal);
        assert_eq!(guard(|| Exit::Source), Exit::Source);
    }
}
