//! The format of a checkpoint.
//!
//! A file has a line with the version of the format; the digest of what is searched, and how; the number of the
//! search; whether it has ended by itself; which part of a cut it is; what the engine needs, with seals of its own; and
//! the SHA-256 digest of all this.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};

use map_verify::{Cut, Keep, Part, check_kept};
use sha2::{Digest as _, Sha256};

/// The first line of each file. The number changes with the format.
const FIRST: &[u8] = b"map checkpoint 3\n";

/// What all versions of the format have in common.
const ANY: &[u8] = b"map checkpoint ";

/// Bytes of a digest.
pub const DIGEST: usize = 32;

/// What a checkpoint is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The digest of all that the findings depend on.
    pub identity: [u8; DIGEST],
    /// The number of the search, from 1.
    pub search: u32,
    /// Whether that search has ended by itself.
    pub finished: bool,
    /// Which part it is; `None` if one process searched.
    pub part: Option<Part>,
}

/// Bytes before what the engine needs, and at least in a file.
const HEAD: usize = FIRST.len() + DIGEST + size_of::<u32>() + 1 + 2 * size_of::<u64>() + 2 * size_of::<u32>();
const LEAST: u64 = (HEAD + DIGEST) as u64;

/// Bytes read at a time.
const CHUNK: usize = 1 << 16;

impl Head {
    fn to_bytes(self) -> Vec<u8> {
        let none = Part { cut: Cut { number: 0, stamp: 0, parts: 0 }, number: 0 };
        let Part { cut: Cut { number, stamp, parts }, number: part } = self.part.unwrap_or(none);
        let places = [parts, part].map(|it| u32::try_from(it).unwrap_or(u32::MAX).to_le_bytes());
        [
            FIRST,
            &self.identity,
            &self.search.to_le_bytes(),
            &[u8::from(self.finished)],
            &number.to_le_bytes(),
            &stamp.to_le_bytes(),
            &places[0],
            &places[1],
        ]
        .concat()
    }

    fn from_bytes(bytes: &[u8; HEAD]) -> Option<Self> {
        let mut rest = &bytes[FIRST.len()..];
        let identity = *take(&mut rest);
        let search = u32::from_le_bytes(*take(&mut rest));
        let finished = match take(&mut rest) {
            [0] => false,
            [1] => true,
            _ => return None,
        };
        let (number, stamp) = (u64::from_le_bytes(*take(&mut rest)), u64::from_le_bytes(*take(&mut rest)));
        let [parts, part] = [0; 2].map(|_| u32::from_le_bytes(*take(&mut rest)) as usize);
        let cut = Cut { number, stamp, parts };
        let part = (parts > 0).then_some(Part { cut, number: part });
        let is_one = part.is_none_or(|part| part.number < parts);
        is_one.then_some(Self { identity, search, finished, part })
    }
}

/// Takes the first bytes.
fn take<'b, const N: usize>(rest: &mut &'b [u8]) -> &'b [u8; N] {
    let (first, behind) = rest.split_first_chunk().expect("a head has its length");
    *rest = behind;
    first
}

/// The digest of the build of a program, and of all that the findings of a search depend on: another build may number
/// states in another order.
#[must_use]
pub fn identity(build: &str, parts: &[&str]) -> [u8; DIGEST] {
    let mut digest = Sha256::new_with_prefix(build);
    for part in parts {
        // With their lengths, so that no two lists look alike.
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// Writes a checkpoint.
///
/// # Errors
/// Those of the writer.
pub fn write(head: Head, content: &Keep<'_>, out: impl Write) -> io::Result<()> {
    let mut out = Digesting { out: BufWriter::new(out), digest: Sha256::new() };
    out.write_all(&head.to_bytes())?;
    content.write(&mut out)?;
    let Digesting { mut out, digest } = out;
    out.write_all(&digest.finalize())?;
    out.flush()
}

/// Checks that a file is as it was written, and says what for.
///
/// # Errors
/// What is wrong with it.
pub fn check(file: &mut (impl Read + Seek)) -> Result<Head, String> {
    let mut head = [0; HEAD];
    let text = |error: io::Error| error.to_string();
    let len = file.seek(SeekFrom::End(0)).and_then(|len| file.rewind().map(|()| len)).map_err(text)?;
    let read = file.read(&mut head[..ANY.len()]).map_err(text)?;
    if !ANY.starts_with(&head[..read]) || read == 0 && len > 0 {
        return Err("this is no checkpoint".to_owned());
    }
    if len < LEAST {
        return Err("this checkpoint is damaged: it is too short".to_owned());
    }
    file.rewind().and_then(|()| file.read_exact(&mut head)).map_err(text)?;
    if !head.starts_with(FIRST) {
        return Err("this checkpoint is in the format of another version of map".to_owned());
    }
    if !is_whole(file, len - DIGEST as u64).map_err(text)? {
        return Err("this checkpoint is damaged: it does not have its checksum".to_owned());
    }
    file.seek(SeekFrom::Start(HEAD as u64)).map_err(text)?;
    check_kept(&mut BufReader::new(file.take(len - LEAST)))
        .map_err(|error| format!("this checkpoint is damaged: {error}"))?;
    Head::from_bytes(&head)
        .ok_or_else(|| "this checkpoint is damaged: its head contradicts itself".to_owned())
}

/// What the engine wrote.
///
/// # Errors
/// Those of the reader.
pub fn content<R: Read + Seek>(mut file: R) -> io::Result<Take<R>> {
    let len = file.seek(SeekFrom::End(0))?.saturating_sub(LEAST);
    file.seek(SeekFrom::Start(HEAD as u64))?;
    Ok(file.take(len))
}

/// Whether the digest at the end of a file is that of the `len` bytes before it.
fn is_whole(file: &mut (impl Read + Seek), len: u64) -> io::Result<bool> {
    file.rewind()?;
    let (mut digest, mut left, mut chunk) = (Sha256::new(), len, vec![0; CHUNK]);
    while left > 0 {
        let part = &mut chunk[..usize::try_from(left).unwrap_or(CHUNK).min(CHUNK)];
        file.read_exact(part)?;
        digest.update(&*part);
        left -= part.len() as u64;
    }
    let mut expected = [0; DIGEST];
    file.read_exact(&mut expected)?;
    Ok(<[u8; DIGEST]>::from(digest.finalize()) == expected)
}

/// Computes the digest of what passes through.
struct Digesting<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use map_verify::{Cut, Part};

    use super::{DIGEST, HEAD, Head, check, identity};

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let part = Part { cut: Cut { number: 3, stamp: u64::MAX, parts: 2 }, number: 1 };
        for part in [None, Some(part)] {
            let head = Head { identity: [7; DIGEST], search: 2, finished: part.is_none(), part };
            let bytes: [u8; HEAD] = head.to_bytes().try_into().expect("a head has its length");
            assert_eq!(Head::from_bytes(&bytes), Some(head));
        }
        let none = Part { number: 2, ..part };
        let head = Head { identity: [7; DIGEST], search: 2, finished: true, part: Some(none) };
        let bytes: [u8; HEAD] = head.to_bytes().try_into().expect("a head has its length");
        assert_eq!(Head::from_bytes(&bytes), None);
    }

    #[test]
    fn what_is_no_checkpoint_is_refused() {
        for len in [0, 1, 16, 17, HEAD, HEAD + DIGEST, 10_000] {
            let mut bytes = b"map checkpoint 3\n".repeat(1 + len / 17);
            bytes.truncate(len);
            assert!(check(&mut Cursor::new(bytes)).is_err(), "{len}");
        }
    }

    #[test]
    fn lists_are_told_apart() {
        assert_ne!(identity("b", &["xy", "z"]), identity("b", &["x", "yz"]));
        assert_ne!(identity("b", &[]), identity("c", &[]));
    }
}
