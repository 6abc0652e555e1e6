//! The metadata of all objects of a server.

use std::collections::HashSet;
use std::time::Duration;

use model::{Request, TestError, Type};
use serde_json::Value;
use target::Client;

use crate::discovered_types::{DiscoveredTypes, collection, discover};
use crate::fixture::{Fixtures, METADATA};

/// Page size: annotations of 256 KiB in every object of a page are 25 MB.
const PAGE: usize = 100;

/// Reads the objects of a server, of one type after the other.
pub struct StoredObjects {
    fixtures: Fixtures,
}

impl StoredObjects {
    /// Sends its requests with this client.
    pub fn new(client: Client) -> Self {
        Self { fixtures: Fixtures::new("", client, Duration::ZERO) }
    }

    /// All types in all versions, the preferred version of a group first; and the discovery documents that are missing,
    /// each with the response.
    ///
    /// # Errors
    /// The server shows no type.
    pub async fn types(&self) -> Result<(Vec<Type>, Vec<String>), TestError> {
        let DiscoveredTypes { types, missing, groups } = discover(&self.fixtures, all_versions).await?;
        if types.is_empty() {
            return Err(TestError::new("list the API groups of the server", groups));
        }
        Ok((types, missing))
    }

    /// Reads the metadata of each object of a type, page by page.
    ///
    /// # Errors
    /// The response in the place of a page.
    pub async fn each(&self, ty: &Type, each: impl FnMut(&Value)) -> Result<(), String> {
        let list = Request::get(collection(ty, None)).accept(METADATA);
        self.fixtures.each_page_of(PAGE, list, each).await
    }
}

/// The paths of the discovery documents of groups: the preferred version of each group before its others.
fn all_versions(groups: &[Value]) -> Vec<String> {
    let mut known = HashSet::new();
    let versions = groups.iter().flat_map(|group| {
        let others = group["versions"].as_array().into_iter().flatten();
        std::iter::once(&group["preferredVersion"]).chain(others)
    });
    let names = versions.filter_map(|version| version["groupVersion"].as_str());
    names.filter(|name| known.insert(*name)).map(|name| format!("/apis/{name}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_version_is_read_once_and_the_preferred_one_first() {
        let version = |name: &str| json!({ "groupVersion": name });
        let groups = [
            json!({ "versions": [version("a/v1beta1"), version("a/v1")], "preferredVersion": version("a/v1") }),
            json!({ "versions": [version("b/v1")] }),
            json!({ "versions": "none" }),
        ];
        assert_eq!(all_versions(&groups), ["/apis/a/v1", "/apis/a/v1beta1", "/apis/b/v1"]);
    }
}
