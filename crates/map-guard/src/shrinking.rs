//! Makes the list of choices that leads to a failure as small as it can be by deleting and lessening.

/// The most attempts of one shrinking.
const MAX_ATTEMPTS: usize = 1_000;

/// Shrinks a list of choices as long as `fails` says that it still fails in the same way. The result is minimal unless
/// there were too many attempts: no block can be deleted, and no number lessened by one, halved, or made 0.
pub fn shrink<E>(
    mut choices: Vec<u32>,
    fails: &mut dyn FnMut(&[u32]) -> Result<bool, E>,
) -> Result<Vec<u32>, E> {
    let mut attempts = 0;
    let mut try_it = |candidate: &[u32]| -> Result<bool, E> {
        attempts += 1;
        if attempts > MAX_ATTEMPTS { Ok(false) } else { fails(candidate) }
    };
    loop {
        let before = choices.clone();
        let mut length = choices.len();
        while length > 0 {
            let mut at = 0;
            while at + length <= choices.len() {
                let candidate = [&choices[..at], &choices[at + length..]].concat();
                if try_it(&candidate)? {
                    choices = candidate;
                } else {
                    at += 1;
                }
            }
            length /= 2;
        }
        for at in 0..choices.len() {
            while choices[at] > 0 {
                let number = choices[at];
                let mut lesser = vec![0, number / 2, number - 1];
                lesser.dedup();
                let mut found = false;
                for smaller in lesser {
                    let mut candidate = choices.clone();
                    candidate[at] = smaller;
                    if try_it(&candidate)? {
                        choices = candidate;
                        found = true;
                        break;
                    }
                }
                if !found {
                    break;
                }
            }
        }
        while choices.last() == Some(&0) {
            choices.pop();
        }
        if choices == before {
            return Ok(choices);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::shrink;

    #[test]
    fn what_is_left_is_minimal() {
        // It fails if a number above 3 comes before one above 1.
        let fails = |choices: &[u32]| {
            let first = choices.iter().position(|&number| number > 3);
            first.is_some_and(|at| choices[at + 1..].iter().any(|&number| number > 1))
        };
        let start = vec![0, 1, 7, 0, 2, 9, 1, 1, 5, 0, 0];
        assert!(fails(&start));
        let shrunk = shrink::<Infallible>(start, &mut |choices| Ok(fails(choices))).unwrap();
        assert_eq!(shrunk, [4, 2]);
    }

    #[test]
    fn a_failure_without_choices_needs_none() {
        let shrunk = shrink::<Infallible>(vec![3, 2, 1], &mut |_| Ok(true)).unwrap();
        assert!(shrunk.is_empty());
    }
}
