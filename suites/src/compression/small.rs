//! Small responses: compressed or not, they are readable.

use super::gzip::{accepting, coding, compressed, expect_same, unpacked};
use crate::prelude::*;

rows![compression_threshold, compression_unknown_coding_identity, compression_error_bodies];

/// More bytes than any small object has.
const MOST: usize = 1 << 20;

async fn compression_threshold(stored: StoredObject) -> Checked {
    let got = compressed(stored.get()).await?;

    got.expect_status(&[200])?;
    let object: Option<Value> = serde_json::from_slice(&unpacked(&got, MOST)?).ok();
    let is_own = object.is_some_and(|object| object["metadata"]["name"] == stored.read.name());
    got.expect(is_own, "the object in the coding that Content-Encoding names", got.brief())
}

/// A server may know some of these codings, but not all.
async fn compression_unknown_coding_identity(stored: StoredObject) -> Checked {
    for known in [&[][..], &["br", "zstd"]] {
        let codings = [known, &["x-unknown"]].concat().join(", ");
        let got = stored.get().with(|request| accepting(request, &codings)).await?;

        got.expect_status(&[200])?;
        let coding = coding(&got);
        let legal = coding.is_empty() || known.contains(&coding.as_str());
        got.expect(legal, "no Content-Encoding", format!("Content-Encoding: {coding}"))?;
        if coding.is_empty() {
            got.object()?;
        }
    }
    Ok(())
}

async fn compression_error_bodies(collection: Collection) -> Checked {
    let plain = collection.get(NAME).await?;

    let missing = compressed(collection.get(NAME)).await?;

    missing.expect_status(&[404])?;
    expect_same(&missing, &plain)
}
