//! The split of a sequence whose two parts differ most, by the energy distance of Matteson and James
//! (A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data, 2014).

/// Fewer values on one side are no level of their own.
pub(super) const LEAST: usize = 3;

/// Two parts of a sequence, each beginning where the part before ends. The second one may end before the sequence: where
/// the level soon returns, the rest would hide the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Split {
    /// The first value of the second part.
    pub(super) at: usize,
    /// The first value behind the second part.
    pub(super) end: usize,
}

/// The split with the greatest energy distance; `None` if the sequence is too short or constant.
#[expect(clippy::cast_precision_loss, reason = "windows are short")]
pub(super) fn best_split(values: &[f64]) -> Option<Split> {
    // For each split: the sums of all distances between its parts, and within each part.
    let size = values.len();
    let (mut between, mut left, mut right) = (vec![0.0; size], vec![0.0; size + 1], vec![0.0; size]);
    let mut best: Option<(Split, f64)> = None;
    for end in 1..=size {
        // The value at `end - 1` joins the second part of every split.
        let joined = values[end - 1];
        let total: f64 = values[..end - 1].iter().map(|value| (value - joined).abs()).sum();
        let mut before = 0.0;
        for at in 0..end {
            between[at] += before;
            right[at] += total - before;
            before += (values[at] - joined).abs();
            if at < LEAST || end - at < LEAST {
                continue;
            }
            let (m, n) = (at as f64, (end - at) as f64);
            let within = |sum: f64, size: f64| 2.0 * sum / (size * (size - 1.0));
            let energy = 2.0 * between[at] / (m * n) - within(left[at], m) - within(right[at], n);
            let scaled = energy * m * n / (m + n);
            if scaled > best.map_or(1e-12, |(_, most)| most) {
                best = Some((Split { at, end }, scaled));
            }
        }
        left[end] = left[end - 1] + total;
    }
    best.map(|(split, _)| split)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_split_is_where_the_level_changes() {
        let values: Vec<f64> =
            (0..40).map(|at| if at < 25 { 1.0 } else { 2.0 } + f64::from(at % 3)).collect();
        assert_eq!(best_split(&values).map(|split| split.at), Some(25));
    }

    #[test]
    fn a_level_that_returns_ends_the_second_part() {
        let values: Vec<f64> = (0..60).map(|at| if (20..28).contains(&at) { 9.0 } else { 1.0 }).collect();
        assert_eq!(best_split(&values), Some(Split { at: 20, end: 28 }));
    }

    #[test]
    fn short_and_constant_sequences_have_none() {
        assert_eq!(best_split(&[]), None);
        assert_eq!(best_split(&[1.0, 1.0, 9.0, 9.0, 9.0]), None);
        assert_eq!(best_split(&[4.0; 30]), None);
    }
}
