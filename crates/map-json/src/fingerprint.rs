//! Identifies a text by its SHA-256 digest.

use sha2::{Digest as _, Sha256};

/// `sha256:` and the digest of a text in hexadecimal, as `sha256sum` prints it.
#[must_use]
pub fn fingerprint(text: &str) -> String {
    let mut out = "sha256:".to_owned();
    for byte in Sha256::digest(text.as_bytes()) {
        out.push_str(&format!("{byte:02x}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn the_usual_test_vector() {
        let expected = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(fingerprint("abc"), expected);
    }
}
