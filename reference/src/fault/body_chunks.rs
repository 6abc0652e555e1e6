//! Body chunks: a response body split within words and characters, with pauses.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::unfold;

/// The maximum size of a chunk, in bytes.
const MAX_CHUNK: usize = 300;

/// The number of chunks in which pauses can occur, so that long bodies still end.
const PAUSABLE_CHUNKS: usize = 40;

/// The pause between two chunks.
const PAUSE: Duration = Duration::from_millis(1);

/// The same bytes, in chunks.
pub(super) fn cut(body: Body) -> Body {
    let pieces = ChunkedBody { body: body.into_data_stream(), rest: Bytes::new(), sent: 0 };
    Body::from_stream(unfold(pieces, async |mut pieces| {
        let piece = pieces.next().await?;
        Some((Ok::<_, Infallible>(piece), pieces))
    }))
}

struct ChunkedBody {
    body: BodyDataStream,
    rest: Bytes,
    sent: usize,
}

impl ChunkedBody {
    async fn next(&mut self) -> Option<Bytes> {
        while self.rest.is_empty() {
            self.rest = self.body.next().await?.ok()?;
        }
        if self.sent.is_multiple_of(3) && self.sent < PAUSABLE_CHUNKS {
            tokio::time::sleep(PAUSE).await;
        }
        self.sent += 1;
        Some(self.rest.split_to(size(&self.rest)))
    }
}

/// The size of the next chunk: up to the middle of the next multi-byte character if there is one.
fn size(rest: &[u8]) -> usize {
    let most = [3, 20, MAX_CHUNK][fastrand::usize(..3)].min(rest.len());
    let within = rest[..most].iter().position(|byte| !byte.is_ascii());
    within.map_or_else(|| fastrand::usize(1..=most), |at| at + 1)
}
