//! The mutation matrix as a table for the terminal.

use std::fmt;

use harness::Catalogue;

use super::matrix::Matrix;
use super::row::{Fate, Row};
use crate::list::Listed;

/// The area of bugs.
const BUGS: &str = "(real bugs)";

/// The areas, and the number of faults with each fate.
const COLUMNS: &[&str] = &["faults of", Fate::NAMES[0], Fate::NAMES[1], Fate::NAMES[2], Fate::NAMES[3]];

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", table(self))?;
        for row in self.rows.iter().filter(|row| row.fate != Fate::Caught) {
            writeln!(f, "{row}\n")?;
        }
        if !self.idle.is_empty() {
            writeln!(f, "no fault kills {}:\n  {}\n", scenarios(self.idle.len()), self.idle.join("\n  "))?;
        }
        let (executed, wrong) = (self.right.executed(), self.right.wrong());
        match &self.right.unknown {
            Some(test_error) => writeln!(f, "the right server: {test_error}"),
            None if wrong.is_empty() => writeln!(f, "the right server passes all of {executed}"),
            None => {
                let (count, lines) = (wrong.len(), wrong.join("\n  "));
                writeln!(f, "the right server does not pass {count} of {executed}:\n  {lines}")
            }
        }
    }
}

fn scenarios(count: usize) -> String {
    if count == 1 { "1 scenario".to_owned() } else { format!("{count} scenarios") }
}

/// The number of faults of each area with each fate.
fn table(matrix: &Matrix) -> String {
    let catalogue = suites::catalogue();
    let mut counts: Vec<(String, [usize; 4])> = Vec::new();
    for row in &matrix.rows {
        let area = area(&catalogue, row);
        if counts.last().is_none_or(|(last, _)| *last != area) {
            counts.push((area, [0; 4]));
        }
        if let Some((_, counts)) = counts.last_mut() {
            counts[row.fate.column()] += 1;
        }
    }
    let total = counts.iter().fold([0; 4], |sum, (_, counts)| [0, 1, 2, 3].map(|at| sum[at] + counts[at]));
    counts.push(("total".to_owned(), total));
    let number = |count: usize| if count == 0 { "·".to_owned() } else { count.to_string() };
    let cells = |(area, counts): (String, [usize; 4])| [area].into_iter().chain(counts.map(number)).collect();
    Listed { columns: COLUMNS, rows: counts.into_iter().map(cells).collect() }.table()
}

/// The area of a row.
pub(super) fn area(catalogue: &Catalogue, row: &Row) -> String {
    match catalogue.get(row.case.fault.name) {
        Some(clause) if !row.case.is_bug() => clause.area.clone(),
        _ => BUGS.to_owned(),
    }
}
