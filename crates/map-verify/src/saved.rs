//! What a search needs to go on, as bytes: little-endian numbers and lists of them, each list after its length.
//!
//! Nothing here guards against bytes that were altered: whoever keeps them has to give back what was written.

use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};

/// Room of the buffers.
const BUFFERED: usize = 1 << 16;

/// Where numbers and lists are written.
pub(crate) struct Out<'w>(BufWriter<&'w mut dyn Write>);

/// Where they are read in the same order.
pub(crate) struct In<'r>(BufReader<&'r mut dyn Read>);

impl<'w> Out<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self(BufWriter::with_capacity(BUFFERED, out))
    }

    pub(crate) fn long(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    pub(crate) fn number(&mut self, number: usize) -> io::Result<()> {
        self.long(number as u64)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len())?;
        self.0.write_all(bytes)
    }

    pub(crate) fn words(&mut self, words: &[u32]) -> io::Result<()> {
        self.number(words.len())?;
        words.iter().try_for_each(|word| self.0.write_all(&word.to_le_bytes()))
    }

    pub(crate) fn numbers(&mut self, numbers: &[usize]) -> io::Result<()> {
        self.number(numbers.len())?;
        numbers.iter().try_for_each(|&number| self.number(number))
    }

    pub(crate) fn flags(&mut self, flags: &[bool]) -> io::Result<()> {
        self.number(flags.len())?;
        flags.iter().try_for_each(|&flag| self.0.write_all(&[u8::from(flag)]))
    }

    /// Passes on what is buffered.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<'r> In<'r> {
    pub(crate) fn new(from: &'r mut dyn Read) -> Self {
        Self(BufReader::with_capacity(BUFFERED, from))
    }

    pub(crate) fn long(&mut self) -> io::Result<u64> {
        let mut bytes = [0; size_of::<u64>()];
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub(crate) fn number(&mut self) -> io::Result<usize> {
        usize::try_from(self.long()?).map_err(|_| misfit("a number that is too large"))
    }

    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let len = self.long()?;
        let mut bytes = Vec::new();
        // Grows with what is there, whatever the length says.
        let read = (&mut self.0).take(len).read_to_end(&mut bytes)?;
        if read as u64 == len { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn word(&mut self) -> io::Result<u32> {
        let mut bytes = [0; size_of::<u32>()];
        self.0.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    pub(crate) fn words(&mut self) -> io::Result<Vec<u32>> {
        (0..self.number()?).map(|_| self.word()).collect()
    }

    pub(crate) fn numbers(&mut self) -> io::Result<Vec<usize>> {
        (0..self.number()?).map(|_| self.number()).collect()
    }

    pub(crate) fn flags(&mut self) -> io::Result<Vec<bool>> {
        Ok(self.bytes()?.into_iter().map(|byte| byte != 0).collect())
    }

    /// Checks that nothing is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        match self.0.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(misfit("more than was written")),
        }
    }
}

/// The error for what was not written by the same search.
pub(crate) fn misfit(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::{In, Out};

    #[test]
    fn what_is_read_is_what_was_written_and_a_part_of_it_is_refused() {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes);
        out.long(u64::MAX).expect("memory can be written to");
        out.words(&[1, u32::MAX]).expect("memory can be written to");
        out.flags(&[true, false]).expect("memory can be written to");
        out.numbers(&[7]).expect("memory can be written to");
        out.bytes(b"end").expect("memory can be written to");
        out.finish().expect("memory can be written to");
        let read = |mut bytes: &[u8]| {
            let mut read = In::new(&mut bytes);
            let all = (read.long()?, read.words()?, read.flags()?, read.numbers()?, read.bytes()?);
            read.finish().map(|()| all)
        };
        let all = (u64::MAX, vec![1, u32::MAX], vec![true, false], vec![7], b"end".to_vec());
        assert_eq!(read(&bytes).ok(), Some(all));
        assert!((0..bytes.len()).all(|len| read(&bytes[..len]).is_err()));
        bytes.push(0);
        assert!(read(&bytes).is_err());
    }
}
