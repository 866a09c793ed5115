//! Distributions with names. All is computed with integers, so the weights are the same on every machine.
//!
//! A probability is held in multiples of 2⁻⁸⁰, relative to that of the likeliest value, and is off by less than 2⁻⁶⁴
//! even after 65,536 steps. So remainders are known to about 32 binary places. They are compared in 24 of them, lest
//! what is equal in truth be told apart by its error.

/// One, and the probability 1, in billionths.
const BILLION: u128 = 1_000_000_000;

/// The likeliest value.
const LIKELIEST: u128 = 1 << 80;

/// Weights are multiples of 2⁻³², which is to say that their sum is this power of two.
const BITS: u32 = 32;

/// The binary places in which remainders are compared.
const PLACES: u32 = 24;

/// The k-th weight, from 0 on, is as the k-th power of a probability in billionths; `None` where that is 0.
pub(super) fn geometric(billionths: u32, number: usize) -> Vec<Option<u64>> {
    let ratio = u128::from(billionths);
    let powers = std::iter::successors(Some(LIKELIEST), |power| Some(power * ratio / BILLION));
    let weights = rounded(&powers.take(number).collect::<Vec<_>>());
    possible(weights, |at| at == 0 || ratio > 0)
}

/// The k-th weight, from 0 on, is as the probability of k successes in `number - 1` trials; `None` where that is 0.
pub(super) fn binomial(billionths: u32, number: usize) -> Vec<Option<u64>> {
    let (yes, no) = (u128::from(billionths), BILLION - u128::from(billionths));
    let Some(trials) = number.checked_sub(1) else { return Vec::new() };
    let mode = ((number as u128 * yes / BILLION) as usize).min(trials);
    let mut all = vec![0; number];
    all[mode] = LIKELIEST;
    // The ratio of two neighbours is at most 2^46, and none is larger than the likeliest: all fit in 128 bits.
    for at in mode..trials {
        let (more, ways) = (yes * (trials - at) as u128, no * (at + 1) as u128);
        all[at + 1] = (all[at] * more).checked_div(ways).unwrap_or(0);
    }
    for at in (0..mode).rev() {
        let (less, ways) = (no * (at + 1) as u128, yes * (trials - at) as u128);
        all[at] = (all[at + 1] * less).checked_div(ways).unwrap_or(0);
    }
    possible(rounded(&all), |at| (at == 0 || yes > 0) && (at == trials || no > 0))
}

fn possible(weights: Vec<u64>, is_possible: impl Fn(usize) -> bool) -> Vec<Option<u64>> {
    weights.into_iter().enumerate().map(|(at, weight)| is_possible(at).then_some(weight)).collect()
}

/// Integers in these proportions, which add up to 2³²: each is rounded down, and those with the largest remainders get
/// one more; of remainders that are equal in 24 binary places the first ones.
fn rounded(shares: &[u128]) -> Vec<u64> {
    let sum: u128 = shares.iter().sum();
    if sum == 0 {
        return vec![0; shares.len()];
    }
    let mut weights: Vec<u64> = shares.iter().map(|share| ((share << BITS) / sum) as u64).collect();
    let missing = (1_u64 << BITS) - weights.iter().sum::<u64>();
    let mut by_remainder: Vec<usize> = (0..shares.len()).collect();
    let remainder = |at: usize| ((((shares[at] << BITS) % sum) << PLACES) + sum / 2) / sum;
    by_remainder.sort_by_cached_key(|&at| std::cmp::Reverse(remainder(at)));
    for &at in by_remainder.iter().take(missing as usize) {
        weights[at] += 1;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::{binomial, geometric, rounded};

    /// The weights of exact shares, for probabilities in tenths and few values.
    fn exact(share: impl Fn(u32) -> u128, number: u32) -> Vec<Option<u64>> {
        let shares: Vec<u128> = (0..number).map(share).collect();
        let weights = rounded(&shares);
        weights.iter().zip(&shares).map(|(&weight, &share)| (share > 0).then_some(weight)).collect()
    }

    fn choose(of: u32, some: u32) -> u128 {
        (0..some).fold(1, |ways, at| ways * u128::from(of - at) / u128::from(at + 1))
    }

    #[test]
    fn shares_are_rounded_as_exact_ones() {
        for tenths in 0..=10_u32 {
            let (yes, no) = (u128::from(tenths), u128::from(10 - tenths));
            for number in 1..=25_u32 {
                let last = number - 1;
                let powers = exact(|at| yes.pow(at) * 10_u128.pow(last - at), number);
                assert_eq!(geometric(tenths * 100_000_000, number as usize), powers, "{tenths}, {number}");
                let ways = exact(|at| choose(last, at) * yes.pow(at) * no.pow(last - at), number);
                assert_eq!(binomial(tenths * 100_000_000, number as usize), ways, "{tenths}, {number}");
            }
        }
    }

    /// Many remainders are equal here.
    #[test]
    fn of_equal_remainders_the_first_count() {
        for number in 33..=56 {
            let ways = exact(|at| choose(number - 1, at), number);
            assert_eq!(binomial(500_000_000, number as usize), ways, "{number}");
        }
    }

    #[test]
    fn weights_add_up_and_keep_their_order_in_the_largest_domains() {
        for billionths in [1, 333_333_333, 500_000_000, 999_999_999] {
            let number = 65_536;
            let sum = |weights: &[Option<u64>]| weights.iter().flatten().sum::<u64>();
            let falling = geometric(billionths, number);
            assert_eq!(sum(&falling), 1 << 32, "{billionths}");
            assert!(falling.is_sorted_by(|one, next| one >= next), "{billionths}");
            let bell = binomial(billionths, number);
            assert_eq!(sum(&bell), 1 << 32, "{billionths}");
            let top = bell.iter().max().and_then(|most| bell.iter().position(|it| it == most));
            let (up, down) = bell.split_at(top.expect("there are values"));
            assert!(up.is_sorted() && down.is_sorted_by(|one, next| one >= next), "{billionths}");
        }
    }
}
