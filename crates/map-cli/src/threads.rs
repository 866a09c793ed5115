//! `--threads`: how many threads work.

use std::io;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use map_explain::grouped;

use crate::console::Console;

/// More threads than this are never of use, and the system may not have them.
const MOST: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// The number of threads: as many as there are cores if nothing was asked for.
pub(crate) fn number(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN)).min(MOST)
}

/// Says so if there will be fewer threads than were asked for.
pub(crate) fn warn(asked: Option<NonZeroUsize>, console: &mut Console) -> io::Result<()> {
    match asked.filter(|&asked| asked > MOST) {
        Some(asked) => {
            let asked = grouped(asked.get() as u64);
            console.complain(&format!("note: --threads {asked}: {MOST} are used, the most there are\n"))
        }
        None => Ok(()),
    }
}
