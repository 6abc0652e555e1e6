//! The objects of runs, in all types of a server.

use std::collections::HashSet;

use futures::{StreamExt, stream};
use model::{ApiPath, Request, SubjectSpec, TestError, Type};
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::discovered_types::{DiscoveredTypes, collection, discover, preferred_versions};
use crate::fixture::{
    Fixtures, METADATA, RUN_LABEL, is_literal, path_of, run_of_definition, run_of_group, run_of_name,
};

/// Maximum number of concurrent lists.
const AT_A_TIME: usize = 8;

/// The number of objects of one type that a search finds at most: it keeps their paths.
const MOST_FOUND: usize = 100_000;

/// The number of types that are named one by one because no type may have their names.
const MOST_NAMED: usize = 10;

/// Types of which runs create objects outside their namespaces. Discovery may lack them although the server serves them.
const OWN_TYPES: [(&str, &str, bool); 4] = [
    ("v1", "namespaces", false),
    ("v1", "configmaps", true),
    ("apiextensions.k8s.io/v1", "customresourcedefinitions", false),
    ("rbac.authorization.k8s.io/v1", "clusterroles", false),
];

/// The search for the objects of one run, or of all runs.
pub(super) struct Search<'a> {
    fixtures: &'a Fixtures,
    run: Option<&'a str>,
    subject: Option<&'a SubjectSpec>,
    /// The runs that earlier searches have shown.
    known: &'a mut HashSet<String>,
    /// Whether the server accepts the login no longer; looked up after the first 401.
    login_ended: OnceCell<bool>,
}

/// An object that may belong to a run.
struct Candidate {
    path: String,
    uid: String,
    run: String,
    /// Whether only its name shows the run: another program may give such a name as well.
    by_name: bool,
}

/// An object of a run.
#[derive(Debug)]
pub(super) struct Leftover {
    pub(super) path: String,
    /// As in the list that has shown it; empty if that had none.
    pub(super) uid: String,
    /// For a namespace: the paths of its collections that have objects.
    pub(super) collections: Vec<String>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        fixtures: &'a Fixtures,
        run: Option<&'a str>,
        subject: Option<&'a SubjectSpec>,
        known: &'a mut HashSet<String>,
    ) -> Self {
        Self { fixtures, run, subject, known, login_ended: OnceCell::new() }
    }

    /// Searches all types that offer list and delete. Gives the objects, and the types that the server did not list. It is an
    /// error if the server accepts the login no longer. A namespace at one of the `known_paths` comes without its
    /// collections, which cost a list each.
    pub(super) async fn all(
        &mut self,
        known_paths: &HashSet<&str>,
    ) -> Result<(Vec<Leftover>, Vec<String>), TestError> {
        let (types, mut not_searched) = self.types().await?;
        let (types, illegal): (Vec<_>, Vec<_>) =
            types.into_iter().partition(|ty| is_literal(&collection(ty, None)));
        not_searched.extend(not_searchable(&illegal));
        let mut candidates = Vec::new();
        let has_namespaces = types.iter().any(|ty| ty.api_version == "v1" && ty.plural == "namespaces");
        let of_type = |ty| self.of_type(ty, has_namespaces);
        let searched: Vec<_> = stream::iter(&types).map(of_type).buffer_unordered(AT_A_TIME).collect().await;
        for (found, missing) in searched {
            candidates.extend(found);
            not_searched.extend(missing);
        }
        if self.has_login_ended().await {
            let why = "the server accepts the login no longer (401)";
            let test_error = TestError::new("search for the objects of runs", why);
            return Err(test_error.hint("log in again, and run kube-assay clean again"));
        }
        let mut found = self.of_known_runs(candidates);
        let namespaces: HashSet<String> = found.iter().filter_map(|(path, _)| namespace_at(path)).collect();
        found.retain(|(path, _)| namespace_of(path).is_none_or(|namespace| !namespaces.contains(&namespace)));
        found.sort();
        // The pages of a list without end may repeat.
        found.dedup();
        not_searched.sort();
        let leftover = |(path, uid): (String, String)| {
            let types: &[Type] = if known_paths.contains(path.as_str()) { &[] } else { &types };
            self.leftover(path, uid, types)
        };
        let objects = stream::iter(found).map(leftover).buffered(AT_A_TIME);
        Ok((objects.collect().await, not_searched))
    }

    /// Whether the server refuses the login for the core group as well: one group alone may refuse it, as an extension server
    /// does that cannot check it.
    async fn has_login_ended(&self) -> bool {
        if !self.fixtures.was_unauthorized() {
            return false;
        }
        let is_refused = || async {
            let list = Request::get("/api/v1/namespaces").accept(METADATA).query("limit", 1);
            self.fixtures.send(list).await.is_ok_and(|listed| listed.status() == 401)
        };
        *self.login_ended.get_or_init(is_refused).await
    }

    /// The paths and the UIDs of the objects of runs: the user names the run, or the label or the group of an object shows
    /// it.
    fn of_known_runs(&mut self, candidates: Vec<Candidate>) -> Vec<(String, String)> {
        let shown = candidates.iter().filter(|candidate| !candidate.by_name);
        self.known.extend(shown.map(|candidate| candidate.run.clone()));
        let belongs = |candidate: &Candidate| match self.run {
            Some(run) => candidate.run == run,
            None => self.known.contains(&candidate.run),
        };
        candidates.into_iter().filter(belongs).map(|candidate| (candidate.path, candidate.uid)).collect()
    }

    /// The types with list and delete, and the discovery documents that are missing.
    async fn types(&self) -> Result<(Vec<Type>, Vec<String>), TestError> {
        let preferred = |groups: &[Value]| {
            let mut paths = preferred_versions(groups);
            let of_subject = self.subject.map(|given| given.resource().root());
            paths.extend(of_subject.filter(|path| path != "/api/v1" && !paths.contains(path)));
            paths
        };
        let DiscoveredTypes { mut types, missing, groups } = discover(self.fixtures, preferred).await?;
        if types.is_empty() && self.subject.is_none() {
            return Err(TestError::new("list the API groups of the server", groups));
        }
        types.extend(self.undiscovered(&types));
        for (api_version, plural, namespaced) in OWN_TYPES {
            // A group without its document is reported as not searched.
            let is_reported = api_version != "v1" && !missing.is_empty();
            if !is_reported && !types.iter().any(|ty| ty.api_version == api_version && ty.plural == plural) {
                types.extend(self.served(assumed(api_version, plural, namespaced)).await?);
            }
        }
        types.retain(|ty| ty.offers("list") && ty.offers("delete"));
        Ok((types, missing))
    }

    /// A type that no discovery document lists, unless the server has no such path.
    async fn served(&self, ty: Type) -> Result<Option<Type>, TestError> {
        let list = Request::get(collection(&ty, None)).accept(METADATA).query("limit", 1);
        let is_served = self.fixtures.send(list).await?.status() != 404;
        Ok(is_served.then_some(ty))
    }

    /// The subject, if no discovery document lists it.
    fn undiscovered(&self, types: &[Type]) -> Option<Type> {
        let given = self.subject?.resource();
        let is_known = |ty: &Type| ty.api_version == given.api_version() && ty.plural == given.plural;
        (!types.iter().any(is_known)).then(|| assumed(&given.api_version(), &given.plural, true))
    }

    /// The objects of one type that may belong to a run, and the response in the place of some of them, or of all.
    async fn of_type(&self, ty: &Type, has_namespaces: bool) -> (Vec<Candidate>, Option<String>) {
        if self.has_login_ended().await {
            return (Vec::new(), None);
        }
        let group = ty.api_version.split_once('/').map_or("", |(group, _)| group);
        let of_a_run = run_of_group(group);
        let mut list = Request::get(collection(ty, None)).accept(METADATA);
        // Objects in namespaces may be many, and those of a run have the label or are in its namespaces.
        let selects = ty.namespaced && of_a_run.is_none() && has_namespaces;
        if selects {
            list = list.query("labelSelector", RUN_LABEL);
        }
        let path = list.path.clone();
        let (mut found, mut unlabelled) = (Vec::new(), None);
        let each = |item: &Value| {
            let metadata = &item["metadata"];
            if selects && metadata["labels"][RUN_LABEL].as_str().is_none() {
                unlabelled.get_or_insert_with(|| metadata["name"].clone());
            }
            let text = |field: &str| metadata[field].as_str().unwrap_or_default();
            let shown = metadata["labels"][RUN_LABEL].as_str().or(of_a_run);
            let shown = shown.or_else(|| run_of_definition(text("name")).filter(|_| !ty.namespaced));
            // On a server without namespaces, only their names are in the paths of objects.
            let place = if ty.namespaced { text("namespace") } else { text("name") };
            let named = run_of_name(place).filter(|_| !(ty.namespaced && has_namespaces));
            if let Some(run) = shown.or(named).filter(|_| found.len() < MOST_FOUND) {
                let namespace = Some(text("namespace")).filter(|name| ty.namespaced && !name.is_empty());
                let path = path_of(&collection(ty, namespace), text("name"));
                let (uid, run) = (text("uid").to_owned(), run.to_owned());
                found.push(Candidate { path, uid, run, by_name: shown.is_none() });
            }
        };
        let listed = self.fixtures.each_page(list, each).await;
        if let Err(response) = listed {
            // What the pages before it have shown is there, also in a list without end.
            return (found, Some(response));
        }
        // Such an object may be anyone's. A server that drops labels or ignores the selector hides the objects of runs.
        if let Some(name) = unlabelled {
            let why = format!("the list with labelSelector={RUN_LABEL} has {name} without the label");
            let hint = "compare the labels of the objects with those in lists";
            return (Vec::new(), Some(format!("{path}: {why}; hint: {hint}")));
        }
        (found, None)
    }

    /// Adds the collections of a namespace that have objects: finalizers in them may hold the namespace.
    async fn leftover(&self, path: String, uid: String, types: &[Type]) -> Leftover {
        let mut collections = Vec::new();
        let Some(namespace) = namespace_at(&path) else { return Leftover { path, uid, collections } };
        for ty in types.iter().filter(|ty| ty.namespaced) {
            let collection = collection(ty, Some(&namespace));
            let list = Request::get(&collection).accept(METADATA).query("limit", 1);
            // Without a list there may be objects.
            let page = self.fixtures.page(list).await;
            if page.map_or(true, |page| page["items"].as_array().is_some_and(|items| !items.is_empty())) {
                collections.push(collection);
            }
        }
        Leftover { path, uid, collections }
    }
}

/// The lines about types that cannot be searched: no type may have their names.
fn not_searchable(types: &[Type]) -> Vec<String> {
    let named = types.iter().take(MOST_NAMED);
    let mut lines: Vec<String> =
        named.map(|ty| format!("{}: no type may have this name", collection(ty, None))).collect();
    if types.len() > MOST_NAMED {
        lines.push(format!("{} others: no type may have their names", types.len() - MOST_NAMED));
    }
    lines
}

/// A type that no discovery document lists.
fn assumed(api_version: &str, plural: &str, namespaced: bool) -> Type {
    Type {
        api_version: api_version.to_owned(),
        plural: plural.to_owned(),
        namespaced,
        verbs: ["list", "delete"].map(str::to_owned).to_vec(),
        ..Type::default()
    }
}

/// The name of the namespace at a path; `None` for another type.
fn namespace_at(path: &str) -> Option<String> {
    let path = ApiPath::read(path)?;
    path.name.filter(|_| path.plural == "namespaces" && path.api_version == "v1").map(str::to_owned)
}

/// The namespace that the object at a path is in.
fn namespace_of(path: &str) -> Option<String> {
    ApiPath::read(path)?.namespace.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_types_with_illegal_names_are_named_and_the_others_counted() {
        let types = |count: usize| (0..count).map(|_| assumed("v1", "a b", false)).collect::<Vec<_>>();
        let line = "/api/v1/a b: no type may have this name";
        assert_eq!(not_searchable(&types(10)), [line; 10]);
        let lines = not_searchable(&types(700));
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[10], "690 others: no type may have their names");
    }
}
