//! Removes what earlier runs left on a server.

mod search;

use std::time::Duration;

use model::{SubjectSpec, TestError};
use target::Client;

use crate::fixture::Fixtures;
use search::{Leftover, Search};

/// The objects that earlier runs left on a server. An object in a namespace of a run is not one of them.
#[derive(Debug)]
pub struct Leftovers {
    client: Client,
    objects: Vec<Leftover>,
    /// The types that the server did not list, each with the reason and a hint.
    pub not_searched: Vec<String>,
}

impl Leftovers {
    /// Finds the objects of one run, or of all runs. No discovery document needs to list the subject.
    ///
    /// An object belongs to a run by its label [`RUN_LABEL`](crate::RUN_LABEL) or its API group. An update may have
    /// dropped the label: then it belongs to a run by its name, if the user names the run or another object shows it.
    ///
    /// # Errors
    /// The server shows no type.
    pub async fn find(
        client: Client,
        run: Option<&str>,
        subject: Option<&SubjectSpec>,
    ) -> Result<Self, TestError> {
        let fixtures = Fixtures::new("", client.clone(), Duration::ZERO);
        let (objects, not_searched) = Search::new(&fixtures, run, subject).all().await?;
        Ok(Self { client, objects, not_searched })
    }

    /// The paths of the objects.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().map(|object| object.path.as_str())
    }

    /// Removes the objects, takes off finalizers that hold them, and returns the paths of those that are still there when
    /// no object has disappeared for `limit`.
    pub async fn remove(&self, limit: Duration) -> Vec<String> {
        let fixtures = Fixtures::new("", self.client.clone(), limit);
        for object in &self.objects {
            fixtures.adopt(&object.path, &object.collections);
        }
        fixtures.sweep().await
    }
}
