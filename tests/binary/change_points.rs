//! Change points beside those of Apache Otava, on all patterns of its test data, where both packages are installed.

use harness::load::history::change_points;
use serde::Deserialize;

use crate::support::python::python;

/// Prints a line for each series: its values, its known change points, and those that Otava finds.
const OTAVA: &str = "
import contextlib, io, json
from otava.analysis import compute_change_points
from otava_test_data.generators.combiner import CombinationGenerator
for seed in (1, 2, 3):
    # It prints the combinations that it cannot make.
    with contextlib.redirect_stdout(io.StringIO()):
        all = CombinationGenerator(lengths=[50, 100, 500], seed=seed).generate_all_test_cases()
    for one in all:
        values = [float(value) for value in one.data]
        known = sorted({int(at) for at in one.get_change_point_indices()})
        found = [int(point.index) for point in compute_change_points(list(values))[0]]
        print(json.dumps({'values': values, 'known': known, 'otava': found}))
";

/// A change point is found if a finding is at most this many results off.
const NEAR: usize = 5;

#[derive(Deserialize)]
struct Sequence {
    values: Vec<f64>,
    known: Vec<usize>,
    otava: Vec<usize>,
}

/// The findings of one tool on all sequences.
#[derive(Debug, Default)]
struct Score {
    right: f64,
    found: f64,
    known: f64,
}

impl Score {
    #[expect(clippy::cast_precision_loss, reason = "there are few")]
    fn add(&mut self, known: &[usize], found: &[usize]) {
        let mut left = found.to_vec();
        for at in known {
            let near = (0..left.len()).filter(|one| left[*one].abs_diff(*at) <= NEAR);
            if let Some(nearest) = near.min_by_key(|one| left[*one].abs_diff(*at)) {
                left.remove(nearest);
                self.right += 1.0;
            }
        }
        self.found += found.len() as f64;
        self.known += known.len() as f64;
    }

    /// Precision, recall and F1.
    fn rates(&self) -> [f64; 3] {
        let (precision, recall) = (self.right / self.found, self.right / self.known);
        [precision, recall, 2.0 * precision * recall / (precision + recall)]
    }
}

#[test]
fn change_points_are_no_worse_than_those_of_otava() {
    let folder = tempfile::tempdir().unwrap();
    let Some(lines) = python("otava_test_data", "import otava", folder.path())
        .and_then(|_| python("otava", OTAVA, folder.path()))
    else {
        return;
    };
    let (mut ours, mut otava) = (Score::default(), Score::default());
    for line in lines.lines() {
        let sequence: Sequence = serde_json::from_str(line).unwrap();
        let values: Vec<f64> = sequence.values.iter().map(|value| value.max(1.0).ln()).collect();
        let found: Vec<usize> = change_points(&values, 0.01).iter().map(|point| point.index).collect();
        ours.add(&sequence.known, &found);
        otava.add(&sequence.known, &sequence.otava);
    }
    assert!(otava.known > 500.0, "{otava:?}");
    let no_worse = ours.rates().into_iter().zip(otava.rates()).all(|(ours, otava)| ours >= otava);
    assert!(no_worse, "precision, recall and F1 are {:?}, Otava's {:?}", ours.rates(), otava.rates());
}
