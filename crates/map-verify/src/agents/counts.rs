//! Counts of equal adjacent messages, before and after a change of the mailbox.

/// Maps the counts of a mailbox to those of the next one. A *kind* is a run of equal adjacent messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Places {
    /// For each former kind, and then for an added message: the place of its count now. Kinds may have merged.
    places: Box<[u32]>,
    /// Number of kinds now.
    len: u32,
}

/// Place of a kind, or message, that is gone.
const GONE: u32 = u32::MAX;

impl Places {
    /// `now` lists for each present kind the former ones merged into it; `before` is the number of former kinds.
    pub(crate) fn new(before: usize, now: &[Vec<u32>]) -> Self {
        let mut places = vec![GONE; before];
        for (place, parts) in now.iter().enumerate() {
            parts.iter().for_each(|&part| places[part as usize] = place as u32);
        }
        Self { places: places.into(), len: now.len() as u32 }
    }

    /// Whether nothing was counted before.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Appends the new counts, with one message of the kind `taken` removed.
    pub(crate) fn write(&self, before: &[u32], taken: Option<u32>, out: &mut Vec<u32>) {
        if self.is_empty() {
            return;
        }
        let start = out.len();
        out.resize(start + self.len as usize, 0);
        for (kind, &place) in self.places.iter().enumerate() {
            if place != GONE {
                let added = before.get(kind).copied().unwrap_or(1);
                out[start + place as usize] += added - u32::from(taken == Some(kind as u32));
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    fn written(places: &Places, before: &[u32], taken: Option<u32>) -> Vec<u32> {
        let mut out = vec![7];
        places.write(before, taken, &mut out);
        out.split_off(1)
    }

    #[test]
    fn a_message_that_is_added_counts_once() {
        assert_eq!(written(&Places::new(1, &[vec![0]]), &[], None), [1]);
        assert_eq!(written(&Places::new(3, &[vec![0], vec![1, 2]]), &[4, 2], None), [4, 3]);
        assert_eq!(written(&Places::new(3, &[vec![2], vec![0], vec![1]]), &[4, 2], None), [1, 4, 2]);
    }

    #[test]
    fn one_that_is_taken_is_there_no_more() {
        assert_eq!(written(&Places::new(2, &[vec![0], vec![1]]), &[4, 2], Some(1)), [4, 1]);
        assert_eq!(written(&Places::new(3, &[vec![0, 2]]), &[4, 1, 3], None), [7]);
        assert_eq!(written(&Places::new(2, &[]), &[4, 1], None), [0; 0]);
    }
}
