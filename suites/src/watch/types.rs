//! Watches of every type that discovery lists.

use harness::join_all;

use crate::api_resources::{self, TimeForAllTypes, Type};
use crate::prelude::*;

rows![watch_all_object_types.own_kinds(), watch_unsupported_405.own_kinds().read_only()];

/// Number of types that are watched concurrently.
const AT_A_TIME: usize = 6;

async fn watch_all_object_types(cx: Context) -> Checked {
    let mut paths = vec![cx.configmaps().await?.everywhere().path()];
    if cx.target_info().serves("apiextensions.k8s.io") {
        paths.push(cx.custom_resources().await?.everywhere().path());
    }
    let types = api_resources::all(&cx).await?;
    if let Some(unwatched) = types.iter().find(|ty| ty.is_written() && !ty.can("watch")) {
        let actual = format!("no watch among the verbs of {}", unwatched.path());
        return Err(cx.failed("the verb watch for each type of stored objects", actual, None));
    }
    paths.extend(types.iter().filter(|ty| ty.is_stored()).map(Type::path));

    let (mut sent, time) = (0, TimeForAllTypes::of(&cx));
    for some in paths.chunks(AT_A_TIME) {
        for watched in join_all(some.iter().map(|path| expect_watch(&cx, path))).await {
            cx.or_unjudged(watched)?;
        }
        sent += some.len();
        if time.has_passed_before(&cx, sent, paths.len()) {
            break;
        }
    }
    Ok(())
}

/// A watch from the version of the list succeeds.
async fn expect_watch(cx: &Context, path: &str) -> Checked {
    let Some(listed) = list(cx, path).await? else { return Ok(()) };
    let watch = Request::get(path).query("watch", 1).query("timeoutSeconds", 5);
    let Opening::Rejected(refused) = cx.open(watch.query("resourceVersion", &listed.version)).await? else {
        return Ok(());
    };
    // The user may only be allowed to list, and the type may have been removed.
    if refused.status() == 403 || list(cx, path).await?.is_none() {
        return Ok(());
    }
    Err(refused.fail(format!("a watch of {path}, HTTP 200"), refused.brief()))
}

/// The list, if it succeeds and has a version.
async fn list(cx: &Context, path: &str) -> Result<Option<Page>, Halt> {
    let listed = cx.send(Request::get(path).query("limit", 1)).await?;
    api_resources::note_failed_list(cx, &listed);
    let page =
        listed.json().filter(|_| listed.status() == 200).and_then(|json| Page::read(json, listed.index));
    Ok(page.filter(|page| !page.version.is_empty()))
}

async fn watch_unsupported_405(cx: Context) -> Checked {
    let types = api_resources::all(&cx).await?;
    let mut unwatched = types.iter().filter(|ty| ty.is_core() && ty.can("list") && !ty.can("watch"));
    let Some(ty) = unwatched.next() else {
        return Err(Halt::skip("every listable type of the core group has the verb watch"));
    };
    let watch = Request::get(ty.path()).query("watch", 1).query("timeoutSeconds", 5);

    match cx.open_within(watch, cx.event_timeout()).await? {
        Some(Opening::Rejected(refused)) => refused.expect_error(&[405], &["MethodNotAllowed"]).map(drop),
        Some(Opening::Watch(mut watch)) => Err(watch.fail("405 MethodNotAllowed", "HTTP 200, a stream")),
        None => {
            // If the list gets no response either, the server is overloaded: a test error.
            list(&cx, &ty.path()).await?;
            Err(cx.failed("405 MethodNotAllowed", "no response", None))
        }
    }
}
