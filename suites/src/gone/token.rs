//! Continue tokens of an expired `resourceVersion`.

use super::REASONS;
use super::expired_collection::{shows, still_held};
use super::list::require_410;
use crate::prelude::*;

rows![
    gone_list_continue_expired_410.namespaced().also("pagination-expired-410"),
    gone_list_continue_expired_new_token
        .namespaced()
        .also("pagination-expired-token-offered")
        .also("pagination-inconsistent-continue"),
];

/// The scenarios of the area `pagination` about expired tokens.
pub(crate) fn pagination_rows() -> Vec<Row> {
    vec![row!(pagination_omit_limit_fallback).namespaced()]
}

async fn gone_list_continue_expired_410(cx: Context) -> Checked {
    let list = PartlyReadList::arrange(&cx).await?;

    let refused = list.outlived(&cx).await?;

    refused.expect_error(&[410], REASONS).map(drop)
}

async fn gone_list_continue_expired_new_token(cx: Context) -> Checked {
    let list = PartlyReadList::arrange(&cx).await?;
    let refused = list.refused(&cx).await?;

    let offered = refused.json().and_then(|status| status["metadata"]["continue"].as_str());
    let Some(token) = offered.filter(|token| !token.is_empty()) else {
        return Err(refused.fail("a Status with a new token in metadata.continue", "no token"));
    };
    let rest = list.rest(token).await?;

    let left = list.left().await?;
    rest.expect_items(&left)?;
    rest.expect(
        rest.version != list.first.version,
        "a resourceVersion other than that of the first page",
        rest.version.clone(),
    )
}

async fn pagination_omit_limit_fallback(cx: Context) -> Checked {
    let list = PartlyReadList::arrange(&cx).await?;
    list.refused(&cx).await?;

    let page = list.collection.list().page().await?;

    page.expect_names(&["a", "b", "c", "d", "e", "f"])
}

/// A list of which two pages were read before a change.
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
            return Err(Halt::skip("the server returns all items at once, without a token"));
        };
        let second = collection.list().limit(2).next_page(&token).await?;
        collection.write("d", "second").await?;
        collection.create("f").await?;
        Ok(Self { collection, first, token, second })
    }

    /// The first response to the token that differs from the second page.
    async fn outlived(&self, cx: &Context) -> Result<Arc<Exchange>, Halt> {
        let deadline = cx.compaction().await?;
        let differs = cx.poll(deadline, || async {
            let response = self.collection.list().limit(2).after(&self.token).await?;
            Ok((!shows(&response, &self.second)).then_some(response))
        });
        differs.await?.ok_or_else(still_held)
    }

    /// The 410 response to the token. Skips for any other response: another scenario is about the code.
    async fn refused(&self, cx: &Context) -> Result<Arc<Exchange>, Halt> {
        require_410(self.outlived(cx).await?)
    }

    /// The items after the first page, as they are now.
    async fn left(&self) -> Result<Vec<Object>, Halt> {
        let last = self.first.items.last().map(Object::name);
        let mut items = self.collection.now().await?.items;
        let read = items.iter().position(|item| Some(item.name()) == last).map_or(0, |at| at + 1);
        Ok(items.split_off(read))
    }

    /// All items from a token on, as one list; its pages have one version.
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
