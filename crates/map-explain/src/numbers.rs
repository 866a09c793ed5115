//! Formatting quantities in sentences.

use std::time::Duration;

/// Digits in groups of three: `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its noun: `1 step`, `2 steps`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Bytes in the largest unit that gives a number of at least 1.
#[must_use]
pub fn bytes(number: u64) -> String {
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
#[must_use]
pub fn seconds(time: Duration) -> String {
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
#[must_use]
pub fn in_words(number: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five"];
    words.get(number).map_or_else(|| grouped(number as u64), |&word| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{bytes, counted, grouped};

    #[test]
    fn sizes() {
        assert_eq!(bytes(2 << 30), "2 GiB");
        assert_eq!(bytes(1 << 10), "1 KiB");
        assert_eq!(bytes(1_600_000), "1.5 MiB");
        assert_eq!(bytes(12), "12 bytes");
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!((counted(1, "step"), counted(2, "step")), ("1 step".to_owned(), "2 steps".to_owned()));
    }
}
