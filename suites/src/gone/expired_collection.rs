//! The fixture of this area: a collection whose old versions have expired.

use harness::decimal;

use crate::prelude::*;

/// A collection, and a list of it at an older version.
#[derive(Debug)]
pub(super) struct Past {
    /// Now: `a`, `b` changed, `d`, `e`.
    pub(super) collection: Collection,
    /// Before: `a`, `b`, `c`, `d`.
    pub(super) before: Page,
    cx: Context,
}

impl Past {
    /// Lists a collection and changes it.
    pub(super) async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_all(&["a", "b", "c", "d"]).await?;
        let before = collection.now().await?;
        collection.write("b", "second").await?;
        collection.delete("c").await?;
        collection.create("e").await?;
        Ok(Self { collection, before, cx: cx.clone() })
    }

    /// The first response that differs from the older list.
    ///
    /// Where the older version does not expire, the lowest of all may have expired long ago.
    pub(super) async fn outlived(&self, list: impl Fn(&str) -> Query) -> Result<Arc<Exchange>, Halt> {
        let held = match self.waited_for(&list).await {
            Err(Halt::Skipped(held)) => held,
            response => return response,
        };
        if let Some(lowest) = self.lowest() {
            let response = list(&lowest.version).await?;
            if !shows(&response, &lowest) {
                return Ok(response);
            }
        }
        Err(Halt::Skipped(held))
    }

    async fn waited_for(&self, list: impl Fn(&str) -> Query) -> Result<Arc<Exchange>, Halt> {
        let deadline = self.cx.compaction().await?;
        let differs = self.cx.poll(deadline, || async {
            let response = list(&self.before.version).await?;
            Ok((!shows(&response, &self.before)).then_some(response))
        });
        differs.await?.ok_or_else(still_held)
    }

    /// The first response to an exact list that differs from the older list.
    pub(super) async fn exact_list(&self) -> Result<Arc<Exchange>, Halt> {
        self.outlived(|version| self.collection.list().exactly(version)).await
    }

    /// A version for which an exact list returns 410. Skips if there is none.
    pub(super) async fn expired(&self) -> Result<String, Halt> {
        let response = self.exact_list().await?;
        match response.request.parameter("resourceVersion") {
            Some(version) if response.expired() => Ok(version),
            _ => Err(Halt::skip(format!(
                "no version has expired: an exact list returned {}",
                response.brief()
            ))),
        }
    }

    /// An expired version, or else the lowest one.
    pub(super) async fn oldest(&self) -> Result<String, Halt> {
        match (self.expired().await, self.lowest()) {
            (Err(Halt::Skipped(_)), Some(lowest)) => Ok(lowest.version),
            (expired, _) => expired,
        }
    }

    /// The empty collection at version 1, where versions are numbers.
    fn lowest(&self) -> Option<Page> {
        decimal(&self.before.version)?;
        Some(Page {
            version: "1".to_owned(),
            items: Vec::new(),
            token: None,
            remaining: None,
            shards: None,
            index: 0,
        })
    }
}

/// Whether the response is this list.
pub(super) fn shows(response: &Exchange, past: &Page) -> bool {
    let page = response.page();
    page.is_ok_and(|page| page.version == past.version && page.expect_items(&past.items).is_ok())
}

/// The skip where the version does not expire in time.
pub(super) fn still_held() -> Halt {
    Halt::skip("the server still holds the version")
}
