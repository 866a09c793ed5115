//! The modes of the terminal. A line editor changes them while somebody types; who ends the command meanwhile sets them
//! back.

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::OnceLock;

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    static BEFORE: OnceLock<Termios> = OnceLock::new();

    pub(crate) fn remember() {
        if let Ok(modes) = tcgetattr(io::stdin()) {
            BEFORE.get_or_init(|| modes);
        }
    }

    pub(crate) fn restore() {
        if let Some(modes) = BEFORE.get() {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, modes);
        }
    }
}

/// Remembers the modes of the terminal, before a line editor changes them.
pub(crate) fn remember() {
    #[cfg(unix)]
    unix::remember();
}

/// Sets the terminal back to the modes that were remembered, if any were.
pub(crate) fn restore() {
    #[cfg(unix)]
    unix::restore();
}
