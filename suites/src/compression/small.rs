//! Small responses: compressed or not, they are readable.

use super::gzip::{accepting, coding, compressed, unpacked};
use crate::prelude::*;

rows![compression_threshold, compression_unknown_coding_identity, compression_error_bodies];

/// The JSON of a response, compressed or not.
fn readable(response: &Exchange) -> Result<Value, Halt> {
    /// More than any small object has.
    const MOST: usize = 1 << 20;
    let json = serde_json::from_slice(&unpacked(response, MOST)?);
    json.map_err(|why| response.fail("JSON in the coding that Content-Encoding names", why.to_string()))
}

async fn compression_threshold(stored: StoredObject) -> Checked {
    let got = compressed(stored.get()).await?;

    got.expect_status(&[200])?;
    let name = &readable(&got)?["metadata"]["name"];
    got.expect(name == stored.read.name(), format!("the object {}", stored.read.name()), name.to_string())
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
    let missing = compressed(collection.get(NAME)).await?;

    missing.expect_status(&[404])?;
    let status = readable(&missing)?;
    let right = status["kind"] == "Status" && status["code"] == 404;
    missing.expect(right, "a Status of code 404", status.to_string())
}
