//! Removes what earlier runs left on a server.

mod progress;
mod search;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use model::{SubjectSpec, TestError};
use target::Client;

use crate::fixture::{Fixtures, StillThere};
pub use progress::RemovalProgress;
use search::{Leftover, Search};

/// The maximum number of searches: a list may show a part of its objects at a time.
const MOST_SEARCHES: usize = 20;

/// The objects that earlier runs left on a server. An object in a namespace of a run is not one of them.
#[derive(Debug)]
pub struct Leftovers {
    client: Client,
    run: Option<String>,
    subject: Option<SubjectSpec>,
    /// The runs that an object has shown.
    known_runs: HashSet<String>,
    objects: Vec<Leftover>,
    progress: Arc<RemovalProgress>,
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
    /// The server shows no type, or accepts the login no longer.
    pub async fn find(
        client: Client,
        run: Option<&str>,
        subject: Option<&SubjectSpec>,
    ) -> Result<Self, TestError> {
        let (run, subject) = (run.map(str::to_owned), subject.cloned());
        let (known_runs, objects, not_searched) = (HashSet::new(), Vec::new(), Vec::new());
        let progress = Arc::default();
        let mut leftovers = Self { client, run, subject, known_runs, objects, progress, not_searched };
        leftovers.search().await?;
        Ok(leftovers)
    }

    /// The paths of the objects.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().map(|object| object.path.as_str())
    }

    /// What the removal does, while it goes on.
    pub fn progress(&self) -> Arc<RemovalProgress> {
        self.progress.clone()
    }

    /// Removes the objects, takes off finalizers that hold them, and returns those that are still there when no object has
    /// disappeared for `limit`.
    ///
    /// Searches again until no other object is found: a list may have left objects out. An object that the last search shows is
    /// still there, whatever a read says.
    pub async fn remove(&mut self, limit: Duration) -> Vec<StillThere> {
        let (mut left, mut listed, mut removed) = (Vec::<StillThere>::new(), Vec::new(), 0);
        for _ in 0..MOST_SEARCHES {
            if removed == self.objects.len() {
                break;
            }
            let fixtures = Arc::new(Fixtures::new("", self.client.clone(), limit));
            for object in &self.objects[removed..] {
                fixtures.adopt(&object.path, &object.uid, &object.collections);
            }
            self.progress.note(Some(fixtures.clone()));
            left.extend(fixtures.sweep().await.iter().map(|path| fixtures.still_there(path)));
            self.progress.note(None);
            removed = self.objects.len();
            match self.search().await {
                Ok(known) => listed = known,
                Err(why) => self.not_searched.push(format!("all types after the removal: {}", why.cause)),
            }
        }
        if removed < self.objects.len() {
            self.objects.truncate(removed);
            let why = format!("each of {MOST_SEARCHES} searches found further objects");
            self.not_searched.push(format!("all types: {why}; hint: run kube-assay clean again"));
        }
        listed.retain(|path| !left.iter().any(|known| known.path == *path));
        let listed = listed.into_iter().map(|path| StillThere {
            path,
            refusal: None,
            terminating: false,
            has_finalizers: false,
            was_accepted: false,
        });
        left.extend(listed);
        left
    }

    /// Adds the objects, and the types that the server did not list. Returns the paths of the objects that were known.
    async fn search(&mut self) -> Result<Vec<String>, TestError> {
        let fixtures = Fixtures::new("", self.client.clone(), Duration::ZERO);
        let mut search =
            Search::new(&fixtures, self.run.as_deref(), self.subject.as_ref(), &mut self.known_runs);
        let known: HashSet<&str> = self.objects.iter().map(|object| object.path.as_str()).collect();
        let (mut objects, mut not_searched) = search.all(&known).await?;
        let again = objects.extract_if(.., |object| known.contains(object.path.as_str()));
        let again = again.map(|object| object.path).collect();
        not_searched.retain(|response| !self.not_searched.contains(response));
        self.objects.extend(objects);
        self.not_searched.extend(not_searched);
        Ok(again)
    }
}
