//! Removes what earlier runs left on a server.

mod search;

use std::time::Duration;

use model::TestError;
use target::Client;

use crate::fixture::Fixtures;
use search::Search;

/// What earlier runs left on a server.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// The paths of the objects. An object in one of these namespaces is not listed.
    pub found: Vec<String>,
    /// The paths of the objects that are still there after the removal.
    pub left: Vec<String>,
    /// The types that the server did not list, each with its response.
    pub not_searched: Vec<String>,
}

/// Finds the objects of one run, or of all runs.
///
/// An object belongs to a run if it has the label [`RUN_LABEL`](crate::RUN_LABEL), or a name or an API group that only
/// a run gives: an update may have dropped the label.
///
/// # Errors
/// The server does not list its API groups.
pub async fn find_leftovers(client: Client, run: Option<&str>) -> Result<Leftovers, TestError> {
    let fixtures = Fixtures::new("", client, Duration::ZERO);
    let found = Search::new(&fixtures, run).all().await?;
    let paths = found.objects.iter().map(|object| object.path.clone()).collect();
    Ok(Leftovers { found: paths, left: Vec::new(), not_searched: found.not_searched })
}

/// Removes the objects of one run, or of all runs; takes off finalizers that hold them.
///
/// It ends when an object has not disappeared within `limit`.
///
/// # Errors
/// The server does not list its API groups.
pub async fn remove_leftovers(
    client: Client,
    run: Option<&str>,
    limit: Duration,
) -> Result<Leftovers, TestError> {
    let fixtures = Fixtures::new("", client, limit);
    let found = Search::new(&fixtures, run).all().await?;
    for object in &found.objects {
        fixtures.adopt(&object.path, &object.collections);
    }
    let left = fixtures.sweep().await;
    let found_paths = found.objects.into_iter().map(|object| object.path).collect();
    Ok(Leftovers { found: found_paths, left, not_searched: found.not_searched })
}
