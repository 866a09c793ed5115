//! Numbers and vectors of words as bytes.

/// Appends a number in LEB128: seven bits per byte, low ones first; the high bit marks that more follow.
#[inline]
pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What a process has received in one block, read from its beginning.
#[derive(Clone)]
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

/// A block that no process of this build has written.
const BROKEN: &str = "sealed blocks arrive as they were sent";

impl<'b> Reader<'b> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next number that [`put`] wrote.
    #[inline]
    pub(crate) fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = self.0.split_first().expect(BROKEN);
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return number;
            }
            shift += 7;
        }
    }

    #[inline]
    pub(crate) fn word(&mut self) -> u32 {
        self.number() as u32
    }

    pub(crate) fn bytes(&mut self) -> &'b [u8] {
        let len = self.number() as usize;
        let (bytes, rest) = self.0.split_at(len);
        self.0 = rest;
        bytes
    }

    /// The next list that [`put_words`] wrote.
    pub(crate) fn words(&mut self) -> Vec<u32> {
        (0..self.number()).map(|_| self.word()).collect()
    }
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(crate) fn put_words(out: &mut Vec<u8>, words: &[u32]) {
    put(out, words.len() as u64);
    words.iter().for_each(|&word| put(out, u64::from(word)));
}

/// Low bits of the head of a vector that the writer may use.
const FLAGS: u32 = 1;

/// Appends a vector with a flag, as what differs from the one before in this block. `before` becomes the vector.
pub(crate) fn put_vector(out: &mut Vec<u8>, before: &mut Vec<u32>, words: &[u32], flag: bool) {
    let is_alike = before.len() == words.len();
    put(out, (words.len() as u64) << (FLAGS + 1) | u64::from(is_alike) << FLAGS | u64::from(flag));
    if !is_alike {
        words.iter().for_each(|&word| put(out, u64::from(word)));
        before.clear();
        before.extend_from_slice(words);
        return;
    }
    for (before, words) in before.chunks_mut(8).zip(words.chunks(8)) {
        let head = out.len();
        out.push(0);
        let mut differ = 0;
        for (place, (before, &word)) in before.iter_mut().zip(words).enumerate() {
            if *before != word {
                differ |= 1 << place;
                put(out, u64::from(word));
                *before = word;
            }
        }
        out[head] = differ;
    }
}

/// Reads what [`put_vector`] wrote: makes the vector before into it, and returns the flag.
pub(crate) fn read_vector(from: &mut Reader<'_>, vector: &mut Vec<u32>) -> bool {
    let head = from.number();
    let len = (head >> (FLAGS + 1)) as usize;
    if head >> FLAGS & 1 == 0 {
        vector.clear();
        vector.extend((0..len).map(|_| from.word()));
    } else {
        for part in vector.chunks_mut(8) {
            let (&differ, rest) = from.0.split_first().expect(BROKEN);
            from.0 = rest;
            let mut left = differ;
            while left != 0 {
                part[left.trailing_zeros() as usize] = from.word();
                left &= left - 1;
            }
        }
    }
    head & 1 != 0
}

#[cfg(test)]
mod tests {
    use map_testkit::scenes::Random;

    use super::{Reader, put, put_bytes, put_vector, put_words, read_vector};

    #[test]
    fn what_is_read_is_what_was_written() {
        let mut out = Vec::new();
        let numbers = [0, 1, 0x7f, 0x80, 0x3fff, u64::from(u32::MAX), u64::MAX];
        numbers.iter().for_each(|&number| put(&mut out, number));
        put_bytes(&mut out, b"seven");
        put_words(&mut out, &[3, u32::MAX]);
        let mut from = Reader(&out);
        assert_eq!(numbers.map(|_| from.number()), numbers);
        assert_eq!((from.bytes(), from.words()), (&b"seven"[..], vec![3, u32::MAX]));
        assert!(from.is_empty());
    }

    #[test]
    fn vectors_come_back_whatever_the_one_before() {
        let mut random = Random::new(5, 0);
        let (mut out, mut before, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..2_000 {
            let len = *random.pick(&[0, 1, 8, 9, 17]);
            let words: Vec<u32> = (0..len).map(|_| *random.pick(&[0, 1, 300, u32::MAX])).collect();
            let flag = random.percent(50);
            put_vector(&mut out, &mut before, &words, flag);
            vectors.push((words, flag));
        }
        let (mut from, mut vector) = (Reader(&out), Vec::new());
        for (words, flag) in vectors {
            assert_eq!(read_vector(&mut from, &mut vector), flag);
            assert_eq!(vector, words);
        }
        assert!(from.is_empty());
    }
}
