//! The shape of the trees that vectors are stored as.

/// How the words of a header are folded.
pub(crate) struct Shape {
    /// Number of words.
    pub(super) leaves: usize,
    /// For each inner node the two places that it is made of, words first; below the root.
    pub(super) folds: Vec<(usize, usize)>,
    /// The places that the key is made of; where there are no words, none.
    pub(super) top: [Option<usize>; 2],
    /// For each place, words first, the step up from it; none from the top.
    climbs: Vec<Option<Climb>>,
}

/// A step on the way from a word up to the top: from one of two places to that of their pair.
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
        let mut shape = Self { leaves, folds: Vec::new(), top: [None; 2], climbs: Vec::new() };
        let roots = groups.into_iter().flat_map(|group| shape.fold(group, 1)).collect();
        let top = shape.fold(roots, 2);
        shape.top = [top.first().copied(), top.get(1).copied()];
        shape.climbs = vec![None; leaves + shape.folds.len()];
        for (to, &(left, right)) in (leaves..).zip(&shape.folds) {
            let climb = |sibling: usize, is_right| Climb { sibling: sibling as u32, is_right, to: to as u32 };
            shape.climbs[left] = Some(climb(right, false));
            shape.climbs[right] = Some(climb(left, true));
        }
        shape
    }

    /// The step up from a place, unless it is at the top.
    pub(super) fn climb(&self, place: usize) -> Option<Climb> {
        self.climbs[place]
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
