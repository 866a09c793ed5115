//! The shape of the trees that vectors are stored as.

/// How the words of a header are folded.
pub(crate) struct Shape {
    /// Number of words.
    pub(super) leaves: usize,
    /// For each inner node the two places that it is made of, words first; below the root.
    pub(super) folds: Vec<(usize, usize)>,
    /// The places that the key is made of; where there are no words, none.
    pub(super) top: [Option<usize>; 2],
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
        let mut shape = Self { leaves, folds: Vec::new(), top: [None; 2] };
        // A key is made of two places, as long as there are two words.
        let most = if groups.len() == 1 { 2 } else { 1 };
        let roots = groups.into_iter().flat_map(|group| shape.fold(group, most)).collect();
        let top = shape.fold(roots, 2);
        shape.top = [top.first().copied(), top.get(1).copied()];
        shape
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
