//! JSON with half a character: a text that was cut within one that UTF-16 writes in two units ends in an escape such as
//! `\ud83d`, which is no character by itself.

/// The line of JSON with `\ufffd`, the replacement character, in place of every half of a character; `None` if there is
/// none.
pub(crate) fn without_lone_surrogates(line: &[u8]) -> Option<Vec<u8>> {
    let mut mended = line.to_vec();
    let (mut at, mut found) = (0, false);
    while at < line.len() {
        at += match (line[at], unit(line, at)) {
            (b'\\', Some(0xd800..=0xdbff)) if matches!(unit(line, at + 6), Some(0xdc00..=0xdfff)) => 12,
            (b'\\', Some(0xd800..=0xdfff)) => {
                mended[at + 2..at + 6].copy_from_slice(b"fffd");
                found = true;
                6
            }
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    found.then_some(mended)
}

/// The unit of UTF-16 that an escape `\uXXXX` at an offset stands for, if there is one.
fn unit(line: &[u8], at: usize) -> Option<u16> {
    let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::without_lone_surrogates;

    #[test]
    fn only_halves_are_replaced() {
        for (line, mended) in [
            (r#"{"a":"\ud83d"}"#, Some(r#"{"a":"\ufffd"}"#)),
            (r#"{"a":"\ud83d\ude00 \ude00\ud83dx"}"#, Some(r#"{"a":"\ud83d\ude00 \ufffd\ufffdx"}"#)),
            (r#""\uDBFF\uD800\uDC00""#, Some(r#""\ufffd\uD800\uDC00""#)),
            (r#""\\ud83d \u00e9 \ud8""#, None),
            (r#""\\\ud83d""#, Some(r#""\\\ufffd""#)),
            (r"\", None),
        ] {
            let found = without_lone_surrogates(line.as_bytes());
            assert_eq!(found.as_deref(), mended.map(str::as_bytes), "{line}");
        }
    }
}
