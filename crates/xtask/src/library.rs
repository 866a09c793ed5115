//! Writes the table of the protocol library, with times measured as it is written.

use std::fs;
use std::time::Instant;

use map_tests::library_table;

pub(crate) fn run() -> Result<(), String> {
    let text = library_table::text(|run| {
        let started = Instant::now();
        run();
        started.elapsed().as_secs_f64()
    })?;
    let path = library_table::path();
    let new = path.with_extension("md.new");
    fs::write(&new, text).and_then(|()| fs::rename(&new, &path)).map_err(|error| error.to_string())
}
