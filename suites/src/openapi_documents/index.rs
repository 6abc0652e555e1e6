//! `GET /openapi/v3`: the list of descriptions with their URLs, and the description of each group version.

use std::collections::BTreeSet;

use super::{document, paths, some_of};
use crate::discovery::listed::Scope;
use crate::discovery::{custom_type, eventually};
use crate::openapi::{get, is_of_the_project};
use crate::prelude::*;

rows![
    openapi_v3_index.own_kinds().read_only(),
    openapi_v3_group_versions.own_kinds(),
    openapi_v3_document.own_kinds(),
    openapi_v2_paths_as_v3.own_kinds().read_only(),
];

/// Where the list is.
const INDEX: &str = "/openapi/v3";

/// The list of descriptions. Skips where the server has none.
pub(super) struct Index(pub(super) Arc<Exchange>);

impl Fixture for Index {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let response = cx.send(Request::get(INDEX)).await?;
        if [403, 404].contains(&response.status()) {
            return Err(cx.lacks("OpenAPIV3", format!("GET {INDEX} returns {}", response.brief())));
        }
        document(&response)?;
        Ok(Self(response))
    }
}

impl Index {
    /// The keys of group versions, such as `api/v1` and `apis/apps/v1`. The list also has others.
    fn group_versions(&self) -> BTreeSet<&str> {
        let json = self.0.json().unwrap_or(&Value::Null);
        paths(json).filter(|key| group_version(key).is_some()).collect()
    }

    /// The URL of a description.
    pub(super) fn url(&self, key: &str) -> Option<&str> {
        self.0.json()?["paths"].get(key)?["serverRelativeURL"].as_str()
    }

    /// The URL of a description. Fails without one.
    pub(super) fn expect_url(&self, key: &str) -> Result<&str, Halt> {
        self.url(key).ok_or_else(|| self.0.fail(format!("the URL of {key}"), "no such key"))
    }

    /// The key of a built-in group version that nearly every server has, or of the first one.
    pub(super) fn example(&self) -> Result<&str, Halt> {
        const USUAL: [&str; 2] = ["apis/apps/v1", "api/v1"];
        let all = self.group_versions();
        let usual = USUAL.into_iter().find(|key| all.contains(key)).or_else(|| all.first().copied());
        usual.ok_or_else(|| self.0.fail("a group version in the list", self.0.brief()))
    }
}

/// The group and version of a key.
fn group_version(key: &str) -> Option<(&str, &str)> {
    let steps: Vec<_> = key.split('/').collect();
    match steps[..] {
        ["api", version] => Some(("", version)),
        ["apis", group, version] => Some((group, version)),
        _ => None,
    }
}

async fn openapi_v3_index(Index(response): Index) -> Checked {
    let entries = document(&response)?["paths"].as_object();
    let entries = entries.ok_or_else(|| response.fail("an object named paths", response.brief()))?;
    response.expect(!entries.is_empty(), "at least one description", "none")?;
    for (key, entry) in entries {
        let url = entry["serverRelativeURL"].as_str().unwrap_or_default();
        let path = url.split('?').next().unwrap_or_default();
        let expected = format!("{INDEX}/{key}, perhaps with a query, as serverRelativeURL");
        response.expect(path == format!("{INDEX}/{key}"), expected, entry.to_string())?;
    }
    Ok(())
}

async fn openapi_v3_group_versions(cx: Context, _: Index) -> Checked {
    let custom_type = custom_type(&cx).await?;
    let scope = Scope::new(&cx, custom_type.as_ref()).await?;
    eventually(&cx, || async {
        let expected: BTreeSet<_> = scope.roots(&cx).await?.iter().map(|root| root[1..].to_owned()).collect();
        let index = Index::arrange(&cx).await?;
        let listed = index.group_versions().into_iter();
        let listed: BTreeSet<_> = listed.filter(|key| is_included(&scope, key)).map(str::to_owned).collect();
        let lacks = expected.difference(&listed).map(String::as_str);
        let adds = listed.difference(&expected).map(String::as_str);
        let actual = format!("without {:?}, and with {:?}", some_of(lacks), some_of(adds));
        index.0.expect(expected == listed, "the group versions of /api and /apis", actual)
    })
    .await
}

fn is_included(scope: &Scope, key: &str) -> bool {
    group_version(key).is_some_and(|(group, version)| scope.includes(group, version))
}

async fn openapi_v3_document(cx: Context, _: Index) -> Checked {
    let custom_type = custom_type(&cx).await?;
    let scope = Scope::new(&cx, custom_type.as_ref()).await?;
    let own = |group: &str| custom_type.as_ref().is_some_and(|custom_type| custom_type.group == group);
    eventually(&cx, || async {
        let index = Index::arrange(&cx).await?;
        for key in index.group_versions().into_iter().filter(|key| is_included(&scope, key)) {
            // A cluster may have very many custom types.
            let (group, _) = group_version(key).unwrap_or_default();
            if is_of_the_project(group) || own(group) {
                let response = cx.send(get(index.expect_url(key)?)).await?;
                expect_description(&response, key)?;
            }
        }
        Ok(())
    })
    .await
}

/// An `OpenAPI` 3 document about the paths of a group version.
fn expect_description(response: &Exchange, key: &str) -> Checked {
    let json = document(response)?;
    let version = json["openapi"].as_str().unwrap_or("none");
    response.expect(version.starts_with("3."), "openapi: 3.x", format!("openapi: {version}"))?;
    response.expect(paths(json).next().is_some(), "at least one path", "none")?;
    let foreign = paths(json).find(|path| !is_below(path, key));
    response.expect(foreign.is_none(), format!("paths below /{key}/"), foreign.unwrap_or_default())
}

/// Whether a path is that of a group version, or below it.
fn is_below(path: &str, key: &str) -> bool {
    let rest = path.strip_prefix('/').and_then(|path| path.strip_prefix(key));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

async fn openapi_v2_paths_as_v3(cx: Context, index: Index) -> Checked {
    let whole = cx.send(Request::get("/openapi/v2")).await?;
    if [403, 404].contains(&whole.status()) {
        return Err(cx.lacks("OpenAPI", format!("GET /openapi/v2 returns {}", whole.brief())));
    }
    let all: BTreeSet<_> = paths(document(&whole)?).collect();
    let foreign = crate::openapi::custom_groups(&cx).await?;
    for key in index.group_versions() {
        let (group, _) = group_version(key).unwrap_or_default();
        if !is_of_the_project(group) || foreign.contains(group) {
            continue;
        }
        let response = cx.send(get(index.expect_url(key)?)).await?;
        let described: BTreeSet<_> = paths(document(&response)?).collect();
        let known: BTreeSet<_> = all.iter().copied().filter(|path| is_below(path, key)).collect();
        let lacks = some_of(described.difference(&known).copied());
        let adds = some_of(known.difference(&described).copied());
        let actual = format!("without {lacks:?}, and with {adds:?}");
        whole.expect(known == described, format!("the paths of {}", response.request.path), actual)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_group_versions_are_known() {
        assert_eq!(group_version("api/v1"), Some(("", "v1")));
        assert_eq!(group_version("apis/apps/v1"), Some(("apps", "v1")));
        assert!(
            ["api", "apis", "apis/apps", "version", "openid/v1/jwks"]
                .iter()
                .all(|key| group_version(key).is_none())
        );
    }

    #[test]
    fn paths_are_below_a_whole_step() {
        assert!(is_below("/api/v1/pods", "api/v1") && is_below("/api/v1", "api/v1"));
        assert!(!is_below("/api/v1beta1/pods", "api/v1") && !is_below("/apis/apps/v1", "api/v1"));
    }
}
