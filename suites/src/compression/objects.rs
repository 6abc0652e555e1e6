//! Gets of large objects, and all responses to clients that accept gzip.

use harness::invariant;

use super::gzip::{accepting, expect_same, says_whether_compressed};
use super::large::Large;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(compression_get_gzip).namespaced(),
        row!(compression_header_truthful).namespaced(),
        invariant("compression-header-truthful", says_whether_compressed),
    ]
}

async fn compression_get_gzip(large: Large) -> Checked {
    let get = large.collection.get(NAME);
    let version = |response: &Exchange| response.object().map(|object| object.version().to_owned());

    // A controller may write the object in between.
    let unchanged = large.cx.eventually(|| async {
        let (before, compressed) = (get.clone().await?, large.offered(get.clone()).await?);
        let plain = get.clone().await?;
        Ok((version(&before)? == version(&plain)?).then_some((compressed, plain)))
    });
    let changes = || large.cx.test_error("get an object twice in one version", "it changes all the time");
    let (compressed, plain) = unchanged.await?.ok_or_else(changes)?;

    expect_same(&compressed, &plain)
}

async fn compression_header_truthful(Large { cx, collection }: Large) -> Checked {
    let root = collection.resource().root();
    let paths = [
        collection.path(),
        collection.path_of(NAME),
        collection.path_of("missing"),
        root,
        "/version".to_owned(),
    ];
    for path in paths {
        let response = cx.send(accepting(Request::get(path), "gzip")).await?;

        // An error may have no body.
        if let Some(result) = says_whether_compressed(&response) {
            response.expect_passed(Some(result), "")?;
        }
    }
    Ok(())
}
