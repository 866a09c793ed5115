//! Formats quantities as people write them.

use std::time::Duration;

pub(crate) use map_explain::{counted, grouped};

/// Bytes in the largest unit that gives a number of at least 1.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    for (shift, unit) in UNITS {
        if number >= 1 << shift {
            let value = number as f64 / (1_u64 << shift) as f64;
            return if number.is_multiple_of(1 << shift) {
                format!("{value} {unit}")
            } else {
                format!("{value:.1} {unit}")
            };
        }
    }
    format!("{number} bytes")
}

/// A time with as many digits as are meaningful.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.001 {
        "less than 1 ms".to_owned()
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 100.0 && time.subsec_millis() > 0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} s", grouped(time.as_secs()))
    }
}

/// A small number as a word.
pub(crate) fn in_words(number: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five"];
    words.get(number).map_or_else(|| grouped(number as u64), |&word| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes() {
        assert_eq!(bytes(2 << 30), "2 GiB");
        assert_eq!(bytes(1 << 10), "1 KiB");
        assert_eq!(bytes(1_600_000), "1.5 MiB");
        assert_eq!(bytes(12), "12 bytes");
    }
}
