//! Files that carry what is expected of them: the cases, the protocols of the library, the recorded logs, and the
//! examples in the book.
//! Each expectation is a test of its own.

mod costs;
mod properties;
mod protocols;
mod recorded;
mod reference;

use libtest_mimic::Arguments;

fn main() {
    let trials =
        [protocols::trials(), properties::trials(), costs::trials(), recorded::trials(), reference::trials()];
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect()).exit();
}
