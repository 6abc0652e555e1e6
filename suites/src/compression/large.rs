//! A large object, and the responses with it.

use super::gzip::{compressed, is_compressed};
use crate::prelude::*;

/// The length of the text in the object, in bytes: nearly twice the length from which kube-apiserver compresses. It also
/// fits into an annotation.
const LENGTH: usize = 250 << 10;

/// The words of the text: any compressor halves it.
const WORDS: [&str; 8] = ["ready", "namespace", "true", "none", "container", "volume", "status", "w1"];

/// Words in an order without a period.
fn text() -> String {
    let mut text = String::with_capacity(LENGTH + 16);
    let mut state: u32 = 1;
    while text.len() < LENGTH {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(WORDS[(state >> 29) as usize]);
        text.push(' ');
    }
    text
}

/// A collection with a large object. Skips where the type takes none.
pub(super) struct Large {
    pub(super) cx: Context,
    pub(super) collection: Collection,
}

impl Fixture for Large {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        let created = cx.send(Request::post(collection.path(), &collection.body(NAME, &text()))).await?;
        if let status @ (400 | 413 | 422) = created.status() {
            return Err(Halt::skip(format!("the type takes no text of {LENGTH} bytes: HTTP {status}")));
        }
        // Not its object: the response may be compressed.
        if !created.succeeded() {
            return Err(cx.test_error("create a large object", created.brief()).into());
        }
        Ok(Self { cx: cx.clone(), collection })
    }
}

impl Large {
    /// The compressed response. Skips where the server does not compress it: compression is optional.
    pub(super) async fn offered(&self, query: Query) -> Result<Arc<Exchange>, Halt> {
        let response = compressed(query).await?;
        response.expect_status(&[200])?;
        if is_compressed(&response) {
            return Ok(response);
        }
        Err(self.cx.lacks("APIResponseCompression", "a large response is not compressed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_as_long_as_it_must_be() {
        assert!((LENGTH..LENGTH + 16).contains(&text().len()));
        assert!(WORDS.iter().all(|word| text().contains(word)));
    }
}
