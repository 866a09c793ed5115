//! The shape of the trees that vectors are stored as.

/// How the words of a vector are folded. Its leaves are the singles, one for each, then the bag of each class.
pub(crate) struct Shape {
    /// How many words stand for themselves: local states of fixed agents, and at last, if there is one, the number of lost
    /// copies.
    pub(super) singles: usize,
    agents: usize,
    /// How many members each class has.
    pub(super) classes: Vec<usize>,
    /// For each inner node the two places that it is made of, leaves first; below the root.
    pub(super) folds: Vec<(usize, usize)>,
    /// The places that the key is made of; where there are no leaves, none.
    pub(super) top: [Option<usize>; 2],
}

impl Shape {
    /// For vectors of so many singles, of which so many are local states, and classes of these sizes; the leaves belong to
    /// these groups.
    pub(crate) fn new(
        (singles, agents): (usize, usize),
        classes: Vec<usize>,
        groups: impl IntoIterator<Item = Vec<usize>>,
    ) -> Self {
        let mut shape = Self { singles, agents, classes, folds: Vec::new(), top: [None; 2] };
        let groups: Vec<Vec<usize>> = groups.into_iter().collect();
        // A key is made of two places, as long as there are two leaves.
        let most = if groups.len() == 1 { 2 } else { 1 };
        let roots = groups.into_iter().flat_map(|group| shape.fold(group, most)).collect();
        let top = shape.fold(roots, 2);
        shape.top = [top.first().copied(), top.get(1).copied()];
        shape
    }

    /// How many singles are local states.
    pub(super) fn agents(&self) -> usize {
        self.agents
    }

    pub(super) fn leaves(&self) -> usize {
        self.singles + self.classes.len()
    }

    /// Words before the slots.
    pub(super) fn header(&self) -> usize {
        self.singles + self.classes.len()
    }

    /// Folds places pairwise until at most so many are left.
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
