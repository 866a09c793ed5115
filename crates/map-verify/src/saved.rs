//! What a search needs to go on, as bytes: little-endian numbers and lists of them, each list after its length.
//!
//! The bytes come in frames. Each has its length in front and a seal behind, a number that depends on this frame and
//! all before it, and the last one is empty. A frame is looked at only if its seal fits, so whoever reads here gets
//! what was written, or an error. Against somebody who computes the seals anew on purpose, nothing helps.

use std::io::{self, ErrorKind, Read, Write};

/// Bytes of a frame at most.
const FRAME: usize = 1 << 16;

/// Where numbers and lists are written.
pub(crate) struct Out<'w> {
    out: &'w mut dyn Write,
    frame: Vec<u8>,
    seal: u64,
}

/// Where they are read in the same order.
pub(crate) struct In<'r> {
    from: &'r mut dyn Read,
    /// A frame whose seal fits; empty at the end.
    frame: Vec<u8>,
    /// Bytes of it that were read.
    read: usize,
    seal: u64,
    ended: bool,
}

/// The seal of a frame behind others. For a given seal before, no two frames that differ within one word have the same.
fn sealed(before: u64, frame: &[u8]) -> u64 {
    let mixed = |seal: u64, word: u64| (seal ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    frame.chunks(size_of::<u64>()).fold(mixed(before, frame.len() as u64), |seal, chunk| {
        let mut word = [0; size_of::<u64>()];
        word[..chunk.len()].copy_from_slice(chunk);
        mixed(seal, u64::from_le_bytes(word))
    })
}

impl<'w> Out<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, frame: Vec::with_capacity(FRAME), seal: 0 }
    }

    fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(FRAME - self.frame.len()));
            self.frame.extend_from_slice(now);
            bytes = later;
            if self.frame.len() == FRAME {
                self.end_frame()?;
            }
        }
        Ok(())
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.seal = sealed(self.seal, &self.frame);
        self.out.write_all(&(self.frame.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.frame)?;
        self.out.write_all(&self.seal.to_le_bytes())?;
        self.frame.clear();
        Ok(())
    }

    pub(crate) fn long(&mut self, number: u64) -> io::Result<()> {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn number(&mut self, number: usize) -> io::Result<()> {
        self.long(number as u64)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len())?;
        self.put(bytes)
    }

    pub(crate) fn words(&mut self, words: &[u32]) -> io::Result<()> {
        self.number(words.len())?;
        words.iter().try_for_each(|word| self.put(&word.to_le_bytes()))
    }

    pub(crate) fn numbers(&mut self, numbers: &[usize]) -> io::Result<()> {
        self.number(numbers.len())?;
        numbers.iter().try_for_each(|&number| self.number(number))
    }

    pub(crate) fn longs(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.number(numbers.len())?;
        numbers.iter().try_for_each(|&number| self.long(number))
    }

    pub(crate) fn flags(&mut self, flags: &[bool]) -> io::Result<()> {
        self.number(flags.len())?;
        flags.iter().try_for_each(|&flag| self.put(&[u8::from(flag)]))
    }

    /// Ends the frames.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.frame.is_empty() {
            self.end_frame()?;
        }
        self.end_frame()?;
        self.out.flush()
    }
}

impl<'r> In<'r> {
    pub(crate) fn new(from: &'r mut dyn Read) -> Self {
        Self { from, frame: Vec::new(), read: 0, seal: 0, ended: false }
    }

    /// What is left of the frame, or else the next frame. Empty at the end.
    fn rest(&mut self) -> io::Result<&[u8]> {
        if self.read == self.frame.len() && !self.ended {
            self.next_frame()?;
        }
        Ok(&self.frame[self.read..])
    }

    fn next_frame(&mut self) -> io::Result<()> {
        let mut len = [0; size_of::<u32>()];
        self.from.read_exact(&mut len)?;
        let len = u32::from_le_bytes(len) as usize;
        if len > FRAME {
            return Err(misfit("a frame that is too long"));
        }
        (self.read, self.ended) = (0, len == 0);
        self.frame.resize(len, 0);
        self.from.read_exact(&mut self.frame)?;
        let mut seal = [0; size_of::<u64>()];
        self.from.read_exact(&mut seal)?;
        self.seal = sealed(self.seal, &self.frame);
        if self.seal == u64::from_le_bytes(seal) { Ok(()) } else { Err(misfit("bytes that were altered")) }
    }

    fn fill(&mut self, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            let rest = self.rest()?;
            let count = rest.len().min(into.len());
            if count == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let (now, later) = into.split_at_mut(count);
            now.copy_from_slice(&rest[..count]);
            self.read += count;
            into = later;
        }
        Ok(())
    }

    pub(crate) fn long(&mut self) -> io::Result<u64> {
        let mut bytes = [0; size_of::<u64>()];
        self.fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub(crate) fn number(&mut self) -> io::Result<usize> {
        usize::try_from(self.long()?).map_err(|_| misfit("a number that is too large"))
    }

    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut left = self.number()?;
        let mut bytes = Vec::new();
        // Grows with what is there, whatever the length says.
        while left > 0 {
            let rest = self.rest()?;
            let count = rest.len().min(left);
            if count == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            bytes.extend_from_slice(&rest[..count]);
            self.read += count;
            left -= count;
        }
        Ok(bytes)
    }

    fn word(&mut self) -> io::Result<u32> {
        let mut bytes = [0; size_of::<u32>()];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    pub(crate) fn words(&mut self) -> io::Result<Vec<u32>> {
        (0..self.number()?).map(|_| self.word()).collect()
    }

    pub(crate) fn numbers(&mut self) -> io::Result<Vec<usize>> {
        (0..self.number()?).map(|_| self.number()).collect()
    }

    pub(crate) fn longs(&mut self) -> io::Result<Vec<u64>> {
        (0..self.number()?).map(|_| self.long()).collect()
    }

    /// A list of two numbers.
    pub(crate) fn pair(&mut self) -> io::Result<(usize, usize)> {
        match *self.numbers()? {
            [one, other] => Ok((one, other)),
            _ => Err(misfit("a pair of another length")),
        }
    }

    pub(crate) fn flags(&mut self) -> io::Result<Vec<bool>> {
        Ok(self.bytes()?.into_iter().map(|byte| byte != 0).collect())
    }

    /// Checks that nothing is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let is_all = self.rest()?.is_empty() && self.from.read(&mut [0])? == 0;
        if is_all { Ok(()) } else { Err(misfit("more than was written")) }
    }
}

/// Reads through what a search has kept, and checks that it is as it was written.
///
/// # Errors
/// If it is not, or cannot be read.
pub fn check_kept(from: &mut dyn Read) -> io::Result<()> {
    let mut all = In::new(from);
    while !all.rest()?.is_empty() {
        all.read = all.frame.len();
    }
    all.finish()
}

/// The error for what was not written by the same search.
pub(crate) fn misfit(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::{FRAME, In, Out, check_kept};

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
        for place in 0..bytes.len() {
            for bit in 0..8 {
                bytes[place] ^= 1 << bit;
                assert!(read(&bytes).is_err(), "bit {bit} of byte {place}");
                bytes[place] ^= 1 << bit;
            }
        }
        bytes.push(0);
        assert!(read(&bytes).is_err());
    }

    #[test]
    fn what_is_longer_than_a_frame_is_read_as_it_was_written() {
        for len in [FRAME - 9, FRAME - 8, FRAME - 7, FRAME, 3 * FRAME + 5] {
            let long: Vec<u8> = (0..len).map(|it| (it % 251) as u8).collect();
            let mut bytes = Vec::new();
            let mut out = Out::new(&mut bytes);
            out.bytes(&long).expect("memory can be written to");
            out.words(&[7, 8]).expect("memory can be written to");
            out.finish().expect("memory can be written to");
            let mut all = &bytes[..];
            let mut read = In::new(&mut all);
            assert!(read.bytes().expect("it is there") == long);
            assert_eq!(read.words().expect("they are there"), [7, 8]);
            read.finish().expect("that is all");
            // Whole frames are missing or exchanged.
            let short = &bytes[FRAME.min(bytes.len() / 2)..];
            assert!(In::new(&mut &*short).bytes().is_err() && check_kept(&mut &*short).is_err());
            check_kept(&mut &*bytes).expect("it is as it was written");
        }
    }
}
