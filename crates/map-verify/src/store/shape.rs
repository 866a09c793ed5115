//! The shape of the trees that vectors are stored as.

/// How the words of a header are folded.
pub(crate) struct Shape {
    /// Number of words.
    pub(super) leaves: usize,
    /// For each inner node the two places that it is made of, words first; below the root.
    pub(super) folds: Vec<(usize, usize)>,
    /// The places that the key is made of; where there are no words, none.
    pub(super) top: [Option<usize>; 2],
    /// For each word the ways from it up to the top, one after the other, and where each ends.
    climbs: Vec<Climb>,
    ends: Vec<usize>,
}

/// A step on the way from a word up to the top.
#[derive(Clone, Copy)]
pub(super) struct Climb {
    /// The other place of the pair.
    pub(super) sibling: u32,
    /// Whether the way comes from the right.
    pub(super) is_right: bool,
    /// The place of the pair itself.
    pub(super) to: u32,
}

impl Shape {
    /// For a header whose words, in order, belong to groups of these sizes.
    pub(crate) fn new(groups: impl IntoIterator<Item = usize>) -> Self {
        let mut leaves = 0;
        let groups: Vec<Vec<usize>> = groups
            .into_iter()
            .map(|size| {
                leaves += size;
                (leaves - size..leaves).collect()
            })
            .collect();
        let mut shape =
            Self { leaves, folds: Vec::new(), top: [None; 2], climbs: Vec::new(), ends: Vec::new() };
        let roots = groups.into_iter().flat_map(|group| shape.fold(group, 1)).collect();
        let top = shape.fold(roots, 2);
        shape.top = [top.first().copied(), top.get(1).copied()];
        (0..leaves).for_each(|word| shape.climb(word));
        shape
    }

    /// Notes the way up from a word.
    fn climb(&mut self, word: usize) {
        let mut at = word;
        for (index, &(left, right)) in self.folds.iter().enumerate() {
            if left == at || right == at {
                let is_right = right == at;
                at = self.leaves + index;
                let sibling = if is_right { left } else { right } as u32;
                self.climbs.push(Climb { sibling, is_right, to: at as u32 });
            }
        }
        self.ends.push(self.climbs.len());
    }

    /// The way from a word up to the top.
    pub(super) fn way(&self, word: usize) -> &[Climb] {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.climbs[start..self.ends[word]]
    }

    /// Folds places pairwise until at most so many are left.
    fn fold(&mut self, mut places: Vec<usize>, most: usize) -> Vec<usize> {
        while places.len() > most {
            let pairs = places.chunks(2);
            places = pairs
                .map(|pair| match *pair {
                    [left, right] => {
                        self.folds.push((left, right));
                        self.leaves + self.folds.len() - 1
                    }
                    _ => pair[0],
                })
                .collect();
        }
        places
    }
}
