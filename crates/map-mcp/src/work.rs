//! Work on a thread of its own, for those who wait without one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Builder;

use tokio::sync::oneshot::channel;

/// As much as the main thread of a command has, and more: syntax trees are up to 200 levels deep, and what walks over
/// them has large frames in debug builds.
const STACK_BYTES: usize = 32 << 20;

/// Does the work on a thread.
///
/// # Errors
/// If there is no thread for it, or if it panics; in words.
pub(crate) async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = channel();
    // What a panic leaves half done is not used again: the work owns what it changes.
    let work = move || {
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    };
    let thread = Builder::new().name("answer".to_owned()).stack_size(STACK_BYTES).spawn(work);
    thread.map_err(|error| format!("error: no thread can be started: {error}"))?;
    match receiver.await {
        Ok(Ok(done)) => Ok(done),
        _ => {
            Err("internal error: a defect of map, not of your text; please report it, with the text"
                .to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::on_thread;

    #[test]
    fn a_panic_is_an_error_and_nothing_else_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let failed = runtime.block_on(on_thread(|| -> u8 { panic!("on purpose") }));
        assert!(failed.unwrap_err().contains("a defect of map"));
        assert_eq!(runtime.block_on(on_thread(|| 7)), Ok(7));
    }
}
