//! The fixture of this area: a collection whose old versions have expired.

use harness::decimal;

use crate::prelude::*;

/// A collection as it was and as it is.
#[derive(Debug)]
pub(super) struct Past {
    /// As it is: `a`, `b` changed, `d`, `e`.
    pub(super) collection: Collection,
    /// As it was: `a`, `b`, `c`, `d`.
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

    /// The first answer that does not show the collection as it was.
    ///
    /// Where our own version does not expire, the lowest of all may have done so long ago.
    pub(super) async fn outlived(&self, ask: impl Fn(&str) -> Query) -> Result<Arc<Exchange>, Halt> {
        let held = match self.waited_for(&ask).await {
            Err(Halt::Skipped(held)) => held,
            answer => return answer,
        };
        if let Some(lowest) = self.lowest() {
            let answer = ask(&lowest.version).await?;
            if !shows(&answer, &lowest) {
                return Ok(answer);
            }
        }
        Err(Halt::Skipped(held))
    }

    async fn waited_for(&self, ask: impl Fn(&str) -> Query) -> Result<Arc<Exchange>, Halt> {
        let deadline = self.cx.compaction().await?;
        let asked = self.cx.poll(deadline, || async {
            let answer = ask(&self.before.version).await?;
            Ok((!shows(&answer, &self.before)).then_some(answer))
        });
        asked.await?.ok_or_else(still_held)
    }

    /// A version that the server does not hold any more, as it says of an exact list.
    pub(super) async fn expired(&self) -> Result<String, Halt> {
        let answer = self.outlived(|version| self.collection.list().exactly(version)).await?;
        match answer.request.parameter("resourceVersion") {
            Some(version) if answer.expired() => Ok(version),
            _ => Err(Halt::Skipped(format!(
                "nothing shows that a version has expired: an exact list was answered with {}",
                answer.brief()
            ))),
        }
    }

    /// A version as old as can be: one that has expired, if there is any.
    pub(super) async fn oldest(&self) -> Result<String, Halt> {
        match (self.expired().await, self.lowest()) {
            (Err(Halt::Skipped(_)), Some(lowest)) => Ok(lowest.version),
            (expired, _) => expired,
        }
    }

    /// The collection at version 1, which is before it was created; only where versions are numbers.
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

/// Whether a list shows exactly this.
pub(super) fn shows(answer: &Exchange, past: &Page) -> bool {
    let page = answer.page();
    page.is_ok_and(|page| page.version == past.version && page.expect_items(&past.items).is_ok())
}

/// A version that outlives our leave to wait.
pub(super) fn still_held() -> Halt {
    Halt::Skipped("the server still holds the version".to_owned())
}
