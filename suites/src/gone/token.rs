//! Continue tokens of an expired `resourceVersion`.

use super::REASONS;
use super::expired_collection::{shows, still_held};
use crate::prelude::*;

rows![
    gone_list_continue_expired_410.namespaced().also("pagination-expired-410"),
    gone_list_continue_expired_new_token
        .namespaced()
        .also("pagination-expired-token-offered")
        .also("pagination-inconsistent-continue"),
];

/// What the area `pagination` alone says about expired tokens.
pub(crate) fn pagination_rows() -> Vec<Row> {
    vec![row!(pagination_omit_limit_fallback).namespaced()]
}

async fn gone_list_continue_expired_410(cx: Context) -> Checked {
    let begun = PartlyReadList::arrange(&cx).await?;

    let refused = begun.outlived(&cx).await?;

    refused.expect_error(&[410], REASONS).map(drop)
}

async fn gone_list_continue_expired_new_token(cx: Context) -> Checked {
    let begun = PartlyReadList::arrange(&cx).await?;
    let refused = begun.refused(&cx).await?;

    let offered = refused.json().and_then(|status| status["metadata"]["continue"].as_str());
    let Some(token) = offered.filter(|token| !token.is_empty()) else {
        return Err(refused.fail("a Status with a new token in metadata.continue", "none"));
    };
    let rest = begun.rest(token).await?;

    let left = begun.left().await?;
    rest.expect_items(&left)?;
    rest.expect(rest.version != begun.first.version, "a newer version than before", rest.version.clone())
}

async fn pagination_omit_limit_fallback(cx: Context) -> Checked {
    let begun = PartlyReadList::arrange(&cx).await?;
    begun.refused(&cx).await?;

    let listed = begun.collection.list().page().await?;

    listed.expect_names(&["a", "b", "c", "d", "e", "f"])
}

/// A list of which the first page was read, and that has changed since.
struct PartlyReadList {
    collection: Collection,
    first: Page,
    token: String,
    second: Page,
}

impl PartlyReadList {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        cx.may_expire()?;
        let collection = cx.collection_under_test().await?;
        collection.create_all(&["a", "b", "c", "d", "e"]).await?;
        let first = collection.list().limit(2).page().await?;
        let Some(token) = first.token.clone() else {
            return Err(Halt::Skipped("the server gives all items at once, so there is no token".to_owned()));
        };
        let second = collection.list().limit(2).next_page(&token).await?;
        collection.write("d", "second").await?;
        collection.create("f").await?;
        Ok(Self { collection, first, token, second })
    }

    /// The first answer to the token that does not show the second page as it was.
    async fn outlived(&self, cx: &Context) -> Result<Arc<Exchange>, Halt> {
        let deadline = cx.compaction().await?;
        let asked = cx.poll(deadline, || async {
            let answer = self.collection.list().limit(2).after(&self.token).await?;
            Ok((!shows(&answer, &self.second)).then_some(answer))
        });
        asked.await?.ok_or_else(still_held)
    }

    /// The answer 410 to the token; that it gets another one is asked above.
    async fn refused(&self, cx: &Context) -> Result<Arc<Exchange>, Halt> {
        let answer = self.outlived(cx).await?;
        if answer.expired() {
            return Ok(answer);
        }
        Err(Halt::Skipped(format!("the server does not answer 410, but {}", answer.brief())))
    }

    /// What comes after the first page, as it is now.
    async fn left(&self) -> Result<Vec<Object>, Halt> {
        let last = self.first.items.last().map(Object::name);
        let mut items = self.collection.now().await?.items;
        let read = items.iter().position(|item| Some(item.name()) == last).map_or(0, |at| at + 1);
        Ok(items.split_off(read))
    }

    /// All that a token leads to, as one list; its pages are of one version.
    async fn rest(&self, token: &str) -> Result<Page, Halt> {
        let mut rest = self.collection.list().limit(2).after(token).page().await?;
        while let Some(token) = rest.token.take() {
            let next = self.collection.list().limit(2).next_page(&token).await?;
            next.expect_version(&rest.version)?;
            rest = Page { items: [rest.items, next.items].concat(), ..next };
        }
        Ok(rest)
    }
}
