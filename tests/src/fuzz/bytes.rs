//! Choices read from a fuzzer's bytes, one byte each, in order, so that a small change of the bytes is a small change
//! of what is made from them.

/// What is left of the bytes. Once they are used up, every choice is the first one.
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number below a bound, which is at most 256.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % bound
    }

    /// Whether something happens that happens `few` times out of `all`.
    pub(super) fn happens(&mut self, few: usize, all: usize) -> bool {
        self.below(all) < few
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}
