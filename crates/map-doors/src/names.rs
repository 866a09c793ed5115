//! Names of files: bytes on disk, which need not be text, and what is shown of them.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use map_diagnostics::{escaped_line, is_unseen};

/// A name as text on one line: what nobody sees is written as `\u{1b}`, and bytes that are no UTF-8 as `\xff`. No two
/// names are shown in one way: a `\` is written as `\u{5c}` where it looks like the beginning of such an escape.
#[must_use]
pub fn shown(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find('\\') {
            text.push_str(&escaped_line(&rest[..at]));
            text.push_str(if escape(&rest[at..]).is_some() { "\\u{5c}" } else { "\\" });
            rest = &rest[at + 1..];
        }
        text.push_str(&escaped_line(rest));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// The file that is shown so, as seen from a folder. If there is none, but one that is called just that, it is this
/// one.
#[must_use]
pub fn named(folder: &Path, shown: &str) -> PathBuf {
    let (literal, meant) = (folder.join(shown), folder.join(read(shown)));
    if literal.exists() && !meant.exists() { literal } else { meant }
}

/// The name that is shown so.
fn read(shown: &str) -> OsString {
    let mut bytes = Vec::new();
    let mut rest = shown;
    while let Some(at) = rest.find('\\') {
        bytes.extend(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let length = match escape(rest) {
            Some((length, meant)) => {
                bytes.extend(meant);
                length
            }
            None => {
                bytes.push(b'\\');
                1
            }
        };
        rest = &rest[length..];
    }
    bytes.extend(rest.as_bytes());
    from_bytes(bytes).unwrap_or_else(|| shown.into())
}

/// The escape at the beginning: its length, and the bytes it stands for.
fn escape(text: &str) -> Option<(usize, Vec<u8>)> {
    if let Some(digits) = text.strip_prefix("\\x").and_then(|rest| rest.get(..2)) {
        let byte = u8::from_str_radix(digits, 16).ok().filter(|byte| !byte.is_ascii())?;
        return Some((4, vec![byte]));
    }
    let (digits, _) = text.strip_prefix("\\u{")?.split_once('}')?;
    let character =
        char::from_u32(u32::from_str_radix(digits, 16).ok()?).filter(|it| is_unseen(*it) || *it == '\\')?;
    Some((digits.len() + 4, character.to_string().into_bytes()))
}

/// The name with these bytes, where there can be one.
#[cfg(unix)]
#[must_use]
pub fn from_bytes(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
#[must_use]
pub fn from_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{named, shown};

    #[test]
    fn what_is_shown_leads_back() {
        for (name, text) in [
            ("a b/ü.map", "a b/ü.map"),
            ("a\x1b]0;x\x07\n.map", r"a\u{1b}]0;x\u{7}\u{a}.map"),
            ("\u{202e}pam", r"\u{202e}pam"),
            // Names that look like what others are shown as.
            (r"a\u{a}.map", r"a\u{5c}u{a}.map"),
            (r"\xff\u{5c}\x", r"\u{5c}xff\u{5c}u{5c}\x"),
            (r"c:\d\u{41}\", r"c:\d\u{41}\"),
        ] {
            assert_eq!(shown(Path::new(name)), text);
            assert_eq!(named(Path::new(""), text), Path::new(name));
        }
        for odd in [r"a\x41.map", r"a\u{41}", r"\u{", r"\x", r"\", r"\xé", r"\u{110000}"] {
            assert_eq!(named(Path::new("d"), odd), Path::new("d").join(odd));
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_are_bytes() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let name = Path::new(OsStr::from_bytes(b"d/\xff\xfe\x1bx.map"));
        assert_eq!(shown(name), r"d/\xff\xfe\u{1b}x.map");
        assert_eq!(named(Path::new(""), r"d/\xff\xfe\u{1b}x.map"), name);
    }
}
