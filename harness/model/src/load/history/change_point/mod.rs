//! Change points: where the level of a sequence of results changes for good.
//!
//! E-divisive in windows, as Apache Otava (Fleming et al., Hunter, 2023) does it: each window is split where its parts
//! differ most, while chance hardly explains the split; then weak splits are merged away. The significance test is a rank
//! test instead of Student's: latencies are far from normal. Nothing is random, and the cost is linear in the results.

mod energy;
mod rank_test;

#[cfg(test)]
mod tests;

/// The number of results that a split is looked for in.
const WINDOW: usize = 100;

/// Results further away than this from a change point say nothing about it.
const NEIGHBOURS: usize = 100;

/// The first pass accepts splits that are this many times more likely to be chance; merging them judges finally.
const WEAK: f64 = 10.0;

/// How many independent chances for a false alarm a sequence of 100 values has. Neighbouring positions share most of their
/// values, so there are fewer than 100; measured on noise of several distributions (`tests.rs`).
const CHANCES: f64 = 80.0;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The first result of the new level.
    pub index: usize,
    /// The probability that chance alone separates the results before and behind it this much.
    pub probability: f64,
}

/// The change points of a sequence, ascending.
///
/// `false_alarms` is the share of noisy constant sequences of 100 values with any change point, such as 0.01.
pub fn change_points(values: &[f64], false_alarms: f64) -> Vec<ChangePoint> {
    let limit = false_alarms / CHANCES;
    merge(values, weak_points(values, limit * WEAK), limit)
}

/// The number of results with which a change in their middle can be seen at all.
pub(super) fn results_needed(false_alarms: f64) -> usize {
    let limit = false_alarms / CHANCES;
    (2..WINDOW).find(|size| rank_test::least_probability(*size) <= limit).unwrap_or(WINDOW)
}

/// The splits of all windows. A window begins at the last split, or half a window behind the beginning of the last one.
fn weak_points(values: &[f64], limit: f64) -> Vec<usize> {
    let (mut found, mut start) = (Vec::new(), 0);
    while start < values.len() {
        let end = (start + WINDOW).min(values.len());
        let splits = split(values, start, end, limit);
        start = splits.last().copied().unwrap_or(0).max(start + WINDOW / 2);
        found.extend(splits);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The splits of a part, ascending.
fn split(values: &[f64], start: usize, end: usize, limit: f64) -> Vec<usize> {
    let part = &values[start..end];
    let Some(best) = energy::best_split(part) else { return Vec::new() };
    if rank_test::probability(&part[..best.at], &part[best.at..best.end]) > limit {
        return Vec::new();
    }
    let middle = start + best.at;
    [split(values, start, middle, limit), vec![middle], split(values, middle, end, limit)].concat()
}

/// Removes the weakest point until none is weak.
fn merge(values: &[f64], mut points: Vec<usize>, limit: f64) -> Vec<ChangePoint> {
    let mut judged: Vec<ChangePoint> = (0..points.len()).map(|at| judge(values, &points, at)).collect();
    loop {
        let by_chance = |one: &usize, other: &usize| {
            f64::total_cmp(&judged[*one].probability, &judged[*other].probability)
        };
        let Some(weakest) = (0..judged.len()).max_by(by_chance) else { return judged };
        if judged[weakest].probability <= limit {
            return judged;
        }
        points.remove(weakest);
        judged.remove(weakest);
        // Only its neighbours have other values around them now.
        for at in [weakest.checked_sub(1), Some(weakest)].into_iter().flatten() {
            if at < points.len() {
                judged[at] = judge(values, &points, at);
            }
        }
    }
}

/// A point between its neighbours.
fn judge(values: &[f64], points: &[usize], at: usize) -> ChangePoint {
    let index = points[at];
    let before = if at == 0 { 0 } else { points[at - 1] };
    let behind = points.get(at + 1).copied().unwrap_or(values.len());
    let left = &values[before.max(index.saturating_sub(NEIGHBOURS))..index];
    let right = &values[index..behind.min(index + NEIGHBOURS)];
    ChangePoint { index, probability: rank_test::probability(left, right) }
}
