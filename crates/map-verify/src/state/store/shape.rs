//! The shape of the trees that vectors are stored as.

/// How the words of a vector are folded. The leaves are the singles, then one bag per class.
pub(crate) struct TreeShape {
    /// Number of words with a leaf of their own: the local states of fixed agents, then the count of lost copies and
    /// what is monitored, if present.
    pub(super) singles: usize,
    agents: usize,
    /// By class: its number of members.
    pub(super) classes: Vec<usize>,
    /// The children of each inner node below the root. Places number the leaves first, then the inner nodes.
    pub(super) folds: Vec<(usize, usize)>,
    /// The places that form the key; `None` where there are too few leaves.
    pub(super) top: [Option<usize>; 2],
}

impl TreeShape {
    /// The shape for vectors of `singles` singles, `agents` of them local states, and classes of these sizes.
    /// `groups` partitions the leaves into subtrees.
    pub(crate) fn new(
        (singles, agents): (usize, usize),
        classes: Vec<usize>,
        groups: impl IntoIterator<Item = Vec<usize>>,
    ) -> Self {
        let mut shape = Self { singles, agents, classes, folds: Vec::new(), top: [None; 2] };
        let groups: Vec<Vec<usize>> = groups.into_iter().collect();
        // A single group has to leave two places for the key.
        let most = if groups.len() == 1 { 2 } else { 1 };
        let roots = groups.into_iter().flat_map(|group| shape.fold(group, most)).collect();
        let top = shape.fold(roots, 2);
        shape.top = [top.first().copied(), top.get(1).copied()];
        shape
    }

    /// Number of singles that are local states.
    pub(super) fn agents(&self) -> usize {
        self.agents
    }

    pub(super) fn leaves(&self) -> usize {
        self.singles + self.classes.len()
    }

    /// Number of words before the slots.
    pub(super) fn header(&self) -> usize {
        self.singles + self.classes.len()
    }

    /// Folds places pairwise until at most `most` are left.
    fn fold(&mut self, mut places: Vec<usize>, most: usize) -> Vec<usize> {
        while places.len() > most {
            let pairs = places.chunks(2);
            places = pairs
                .map(|pair| match *pair {
                    [left, right] => {
                        self.folds.push((left, right));
                        self.leaves() + self.folds.len() - 1
                    }
                    _ => pair[0],
                })
                .collect();
        }
        places
    }
}
