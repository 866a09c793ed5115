//! The secret that the processes of a cluster share.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};
use snow::resolvers::{CryptoResolver, DefaultResolver};

/// Bytes of a key.
const LENGTH: usize = 32;

/// Most bytes of a key file.
const MOST: u64 = 1 << 20;

/// A secret that all processes of a cluster know and nobody else does.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; LENGTH]);

/// Why a file holds no key that can be used.
#[derive(Debug)]
pub enum KeyError {
    /// It could not be read.
    Unreadable(io::Error),
    /// Every user of the machine can read it.
    Public,
    /// It holds so many bytes only.
    Short(usize),
    /// It is larger than any key.
    Large,
}

impl Key {
    /// A key that nobody can guess.
    ///
    /// # Errors
    /// If the system has no random numbers to give.
    pub fn random() -> io::Result<Self> {
        let mut random = DefaultResolver.resolve_rng().ok_or(io::ErrorKind::Unsupported)?;
        let mut key = [0; LENGTH];
        random.try_fill_bytes(&mut key).map_err(|_| io::Error::other("the system has no random numbers"))?;
        Ok(Self(key))
    }

    /// Reads a key from a file that others cannot read.
    ///
    /// # Errors
    /// If the file cannot be read, is public, or has too little in it.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let mut file = File::open(path).map_err(KeyError::Unreadable)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = file.metadata().map_err(KeyError::Unreadable)?.permissions().mode();
            if mode & 0o007 != 0 {
                return Err(KeyError::Public);
            }
        }
        let mut content = Vec::new();
        (&mut file).take(MOST + 1).read_to_end(&mut content).map_err(KeyError::Unreadable)?;
        Self::from_content(&content)
    }

    /// The key that this is the content of a file of: 64 hexadecimal digits stand for themselves, everything else for
    /// its hash. White space at the end does not count, as editors and shells add it.
    ///
    /// # Errors
    /// If there are fewer than 32 bytes, or more than a mebibyte.
    pub fn from_content(content: &[u8]) -> Result<Self, KeyError> {
        if content.len() as u64 > MOST {
            return Err(KeyError::Large);
        }
        let content = content.trim_ascii_end();
        if content.len() < LENGTH {
            return Err(KeyError::Short(content.len()));
        }
        Ok(Self(from_hex(content).unwrap_or_else(|| Sha256::digest(content).into())))
    }

    /// The key as 64 hexadecimal digits, which [`Key::from_content`] reads.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }
}

fn from_hex(text: &[u8]) -> Option<[u8; LENGTH]> {
    if text.len() != 2 * LENGTH {
        return None;
    }
    let mut key = [0; LENGTH];
    for (byte, digits) in key.iter_mut().zip(text.chunks_exact(2)) {
        let digit = |c: u8| char::from(c).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        *byte = digit(digits[0])? << 4 | digit(digits[1])?;
    }
    Some(key)
}

/// Never shows the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the key cannot be read: {error}"),
            Self::Public => {
                f.write_str("every user of this machine can read the key; `chmod 600` keeps it secret")
            }
            Self::Short(bytes) => write!(f, "a key has at least {LENGTH} bytes, this file has {bytes}"),
            Self::Large => f.write_str("a key has at most a mebibyte"),
        }
    }
}

impl std::error::Error for KeyError {}
