//! The deprecated built-in APIs, and what the warning about an API says.

use crate::api_resources::{self, Type};
use crate::discovery;
use crate::prelude::*;
use crate::removed_apis::api::Api;
use crate::removed_apis::{DEPRECATED, require_minor};
use crate::verbs::or_note;
use crate::warning;

/// Lists the objects of a deprecated API. Skips without permission; a kube-apiserver must serve it, others may lack it.
pub(super) async fn list(cx: &Context, api: Api) -> Result<Arc<Exchange>, Halt> {
    let response = cx.send(Request::get(api.path()).query("limit", 1)).await?;
    let refused = || format!("the user of kube-assay may not list {}", api.plural);
    Halt::skip_unless(response.status() != 403, refused())?;
    if response.status() != 404 || discovery::is_whole_but(cx, "") {
        response.expect_status(&[200])?;
        return Ok(response);
    }
    Err(cx.lacks(api.kind, response.brief()))
}

/// The deprecated APIs of the server's release, each with a list of it. Skips where none can be listed.
pub(super) async fn listed(cx: &Context) -> Result<Vec<(Api, Arc<Exchange>)>, Halt> {
    let minor = require_minor(cx)?;
    let mut lists = Vec::new();
    for (_, api) in DEPRECATED.iter().filter(|(since, _)| *since <= minor) {
        if let Some(list) = or_note(cx, list(cx, *api).await)? {
            lists.push((*api, list));
        }
    }
    Halt::skip_unless(!lists.is_empty(), "the server lists no deprecated API")?;
    Ok(lists)
}

/// The built-in types whose lists warn that they are deprecated, with those lists.
pub(super) async fn warned(cx: &Context) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    let mut lists = api_resources::lists_of(cx, api_resources::built_in(cx).await?).await?;
    lists.retain(|(_, list)| texts(list).next().is_some());
    Ok(lists)
}

/// The warnings of a response that its API is deprecated.
pub(super) fn texts(response: &Exchange) -> impl Iterator<Item = String> {
    warning::texts(response).into_iter().filter(|text| text.contains(" is deprecated"))
}

/// The major and minor of the release that a warning names as the first without the API.
pub(super) fn removal(text: &str) -> Option<(u32, u32)> {
    let (_, rest) = text.split_once("unavailable in v")?;
    let (major, rest) = rest.split_once('.')?;
    let minor = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The version and kind that a warning recommends.
pub(super) fn replacement(text: &str) -> Option<&str> {
    text.split_once("; use ").map(|(_, replacement)| replacement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_has_the_release_of_the_removal_and_a_replacement() {
        let text = "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use \
                    flowcontrol.apiserver.k8s.io/v1 FlowSchema";
        assert_eq!(removal(text), Some((1, 32)));
        assert_eq!(replacement(text), Some("flowcontrol.apiserver.k8s.io/v1 FlowSchema"));
        let text = "v1 ComponentStatus is deprecated in v1.19+";
        assert_eq!((removal(text), replacement(text)), (None, None));
    }
}
