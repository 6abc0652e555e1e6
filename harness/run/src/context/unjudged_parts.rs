//! Parts of a clause that a scenario cannot test: it goes on with the others, and does not pass.

use std::sync::PoisonError;

use model::{Checked, Halt, TestError};

use super::Context;

/// The number of parts that the test error of a scenario names.
const MOST_NAMED: usize = 10;

impl Context {
    /// Goes on after a test error, which ends the scenario only if nothing else does; `None` then.
    ///
    /// For a clause about many types: one that is out of service keeps none of the others from being judged.
    pub fn or_unjudged<T>(&self, part: Result<T, Halt>) -> Result<Option<T>, Halt> {
        match part {
            Err(Halt::Errored(why)) => {
                self.leave_unjudged(why);
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Notes why a part of the clause is not tested: without a failure of another part, this is the end of the scenario.
    pub fn leave_unjudged(&self, why: TestError) {
        self.inner.unjudged.lock().unwrap_or_else(PoisonError::into_inner).push(why);
    }

    /// The test error of all parts that are not tested, if there are any.
    pub(crate) fn expect_all_judged(&self) -> Checked {
        let parts = std::mem::take(&mut *self.inner.unjudged.lock().unwrap_or_else(PoisonError::into_inner));
        joined(parts).map_or(Ok(()), |why| Err(why.into()))
    }
}

/// The first test error, with the actions of all.
fn joined(parts: Vec<TestError>) -> Option<TestError> {
    let mut actions: Vec<String> = Vec::new();
    for part in &parts {
        if !actions.contains(&part.action) {
            actions.push(part.action.clone());
        }
    }
    let others = actions.len().saturating_sub(MOST_NAMED);
    actions.truncate(MOST_NAMED);
    let others = if others == 0 { String::new() } else { format!(" and {others} others") };
    let action = format!("{}{others}", actions.join(", "));
    let first = parts.into_iter().next()?;
    Some(TestError { action, ..first })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(count: usize) -> Vec<TestError> {
        (0..count).map(|number| TestError::new(format!("GET /{number}"), number.to_string())).collect()
    }

    #[test]
    fn ten_unjudged_parts_are_named_and_the_others_counted() {
        assert_eq!(joined(parts(0)), None);
        assert_eq!(joined(parts(1)), Some(TestError::new("GET /0", "0")));

        let twice = [parts(2), parts(2)].concat();
        assert_eq!(joined(twice), Some(TestError::new("GET /0, GET /1", "0")));

        let many = joined(parts(13)).unwrap();
        assert!(many.action.ends_with("GET /8, GET /9 and 3 others"), "{}", many.action);
    }
}
