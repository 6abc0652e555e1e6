//! Watches of every type that discovery lists.

use crate::api_resources::{self, Type};
use crate::prelude::*;

rows![watch_all_object_types.own_kinds(), watch_unsupported_405.own_kinds().read_only()];

/// How many types are asked about at a time.
const AT_A_TIME: usize = 6;

async fn watch_all_object_types(cx: Context) -> Checked {
    const LONGEST: Duration = Duration::from_secs(10);
    let mut paths = ours(&cx).await?;
    let types = api_resources::all(&cx).await?;
    if let Some(unwatched) = types.iter().find(|ty| ty.is_written() && !ty.can("watch")) {
        let actual = format!("no watch among the verbs of {}", unwatched.path());
        return Err(cx.failed("the verb watch for each type whose objects are stored", actual, None));
    }
    let watched = types.iter().filter(|ty| ty.is_stored());
    paths.extend(watched.map(Type::path));

    let began = Instant::now();
    for some in paths.chunks(AT_A_TIME) {
        try_join_all(some.iter().map(|path| expect_watched(&cx, path))).await?;
        if began.elapsed() > LONGEST {
            cx.note("this took long, so that not all types were asked about");
            break;
        }
    }
    Ok(())
}

/// Types whose objects we may surely list and watch.
async fn ours(cx: &Context) -> Result<Vec<String>, Halt> {
    let mut paths = vec![cx.configmaps().await?.everywhere().path()];
    if cx.target_info().serves("apiextensions.k8s.io") {
        paths.push(cx.custom_resources().await?.everywhere().path());
    }
    Ok(paths)
}

/// The collection can be watched from the version of its list.
async fn expect_watched(cx: &Context, path: &str) -> Checked {
    let Some(listed) = list(cx, path).await? else { return Ok(()) };
    let watch = Request::get(path).query("watch", 1).query("timeoutSeconds", 5);
    let Opening::Refused(refused) = cx.open(watch.query("resourceVersion", &listed.version)).await? else {
        return Ok(());
    };
    // We may be allowed to list only, and types go as well as come.
    if refused.status() == 403 || list(cx, path).await?.is_none() {
        return Ok(());
    }
    Err(refused.fail(format!("a watch of {path}, HTTP 200"), refused.brief()))
}

/// The list, if we may have it and it has a version.
async fn list(cx: &Context, path: &str) -> Result<Option<Page>, Halt> {
    let listed = cx.send(Request::get(path).query("limit", 1)).await?;
    let page =
        listed.json().filter(|_| listed.status() == 200).and_then(|json| Page::read(json, listed.index));
    Ok(page.filter(|page| !page.version.is_empty()))
}

async fn watch_unsupported_405(cx: Context) -> Checked {
    let types = api_resources::all(&cx).await?;
    let mut unwatched = types.iter().filter(|ty| ty.is_core() && ty.can("list") && !ty.can("watch"));
    let Some(ty) = unwatched.next() else {
        return Err(Halt::Skipped(
            "every type of the core group that can be listed can be watched".to_owned(),
        ));
    };
    let watch = Request::get(ty.path()).query("watch", 1).query("timeoutSeconds", 5);

    let opening = cx.open_within(watch, cx.event_timeout()).await?;

    match opening {
        Some(Opening::Refused(refused)) => refused.expect_error(&[405], &["MethodNotAllowed"]).map(drop),
        Some(Opening::Watch(mut watch)) => Err(watch.fail("405 MethodNotAllowed", "HTTP 200, a stream")),
        None => {
            // A server that answers nothing else either is busy, and nobody knows what it would say.
            list(&cx, &ty.path()).await?;
            Err(cx.failed("405 MethodNotAllowed", "no answer", None))
        }
    }
}
