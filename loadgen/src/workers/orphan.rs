//! The end of a run whose coordinator is lost: a worker removes the population.

use std::time::Duration;

use harness::{Client, Leftovers};

/// A coordinator that only seemed lost removes the population itself by then.
const GRACE: Duration = Duration::from_secs(10);

/// The workers remove one after the other: the later ones find nothing left.
const APART: Duration = Duration::from_secs(2);

/// Timeout for the removal, since the last object that disappeared.
const WITHIN: Duration = Duration::from_mins(1);

/// Removes what a run has created; returns the paths of the leftovers, or why they cannot be found.
pub(super) async fn remove_population(
    client: &Client,
    run: &str,
    index: usize,
) -> Result<Vec<String>, String> {
    let turn = u32::try_from(index).unwrap_or(u32::MAX).min(30);
    tokio::time::sleep(GRACE + APART * turn).await;
    let found = Leftovers::find(client.clone(), Some(run), None).await;
    let mut leftovers = found.map_err(|why| client.redactor().redact(&why.to_string()))?;
    Ok(leftovers.remove(WITHIN).await.into_iter().map(|left| left.path).collect())
}
