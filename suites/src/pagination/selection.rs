//! Chunks of lists with selectors, and of all namespaces.

use super::chunks::{Paged, counts_no_rest};
use crate::limit_support::no_token;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(UNCOUNTED, Kinds::Namespaced, uncounted),
        vec![
            row!(pagination_selector_short_pages).also("pagination-continue-decides-end"),
            row!(pagination_all_namespaces).namespaced(),
            row!(pagination_token_cannot_escape_scope).namespaced(),
        ],
    ]
    .concat()
}

/// A selector of a list.
#[derive(Debug, Clone, Copy)]
enum By {
    Label,
    Name,
    Namespace,
}

/// Selectors without remainingItemCount, a row per clause.
#[rustfmt::skip]
const UNCOUNTED: &[(&str, &[By])] = &[
    ("pagination-remaining-count-label-selector", &[By::Label]),
    ("pagination-remaining-count-field-selector", &[By::Namespace, By::Name]),
];

async fn uncounted(cx: Context, selections: &'static [By]) -> Checked {
    let collection = some_selected(&cx).await?;

    for by in selections {
        let pages = by.select(&cx, &collection).await?.pages(&[2]).await?;

        pages.iter().try_for_each(counts_no_rest)?;
    }
    Ok(())
}

async fn pagination_selector_short_pages(cx: Context) -> Checked {
    let collection = some_selected(&cx).await?;
    // The collection of a type without namespaces has objects of others: the label alone excludes them.
    let selections = if collection.is_namespaced() { &[By::Label, By::Name][..] } else { &[By::Label] };

    for by in selections {
        let paged = Paged::read(by.select(&cx, &collection).await?, &[2]).await?;

        paged.show_no_item_twice()?;
        if !collection.is_namespaced() && paged.has_more() {
            return Err(Halt::skip(
                "the server applies the selector after the limit: too many pages have no item",
            ));
        }
        paged.show_each_item_once()?;
    }
    Ok(())
}

async fn pagination_all_namespaces(cx: Context, collection: Collection) -> Checked {
    let mut created = mark(&cx, &collection).await?;
    for _ in 0..2 {
        created.extend(mark(&cx, &collection.within(&cx.another_namespace().await?)).await?);
    }
    created.sort();

    let pages = marked(&cx, &collection.everywhere()).pages(&[2]).await?;

    let last = &pages[pages.len() - 1];
    if last.token.is_some() {
        // A server that applies the selector after the limit returns empty pages where others have many objects.
        let cause = format!("a token on page {}", pages.len());
        return Err(cx.test_error("page through all namespaces", cause).into());
    }
    let mut items: Vec<_> = pages.iter().flat_map(keys).collect();
    items.sort();
    last.expect(items == created, format!("each of {} once", created.join(", ")), items.join(", "))
}

async fn pagination_token_cannot_escape_scope(cx: Context, collection: Collection) -> Checked {
    let other = collection.within(&cx.another_namespace().await?);
    mark(&cx, &collection).await?;
    mark(&cx, &other).await?;
    let everywhere = marked(&cx, &collection.everywhere());
    let elsewhere = [other.list().pages(&[1]).await?, everywhere.pages(&[1]).await?].concat();
    if elsewhere.iter().all(|page| page.token.is_none()) {
        return Err(no_token());
    }

    let namespace = cx.namespace().await?;
    for token in elsewhere.into_iter().filter_map(|page| page.token) {
        let listed = collection.list().limit(500).after(&token).await?;

        listed.expect_status(&[200, 400, 410, 422])?;
        if listed.succeeded() {
            let page = listed.page()?;
            let own = page.items.iter().all(|item| item.namespace() == namespace);
            let actual: Vec<_> = keys(&page).collect();
            page.expect(own, format!("a rejection, or objects of {namespace}"), actual.join(", "))?;
        }
    }
    Ok(())
}

/// The label of the selected objects. Its value, which is the scenario's own, excludes those of other scenarios.
const MARK: &str = "assay-mark";

/// Creates three marked objects; returns their keys.
async fn mark(cx: &Context, collection: &Collection) -> Result<Vec<String>, Halt> {
    let mut created = Vec::new();
    for name in ["a", "b", "c"] {
        let object = collection.create_labelled(name, MARK, &cx.own_name("mark")).await?;
        created.push(format!("{}/{name}", object.namespace()));
    }
    Ok(created)
}

/// A list of the marked objects.
fn marked(cx: &Context, collection: &Collection) -> Query {
    collection.list().labels(&format!("{MARK}={}", cx.own_name("mark")))
}

/// Three marked objects between unmarked ones.
async fn some_selected(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.collection_under_test().await?;
    mark(cx, &collection).await?;
    collection.create_all(&["0", "a-and-a-half", "d", "e"]).await?;
    Ok(collection)
}

impl By {
    async fn select(self, cx: &Context, collection: &Collection) -> Result<Query, Halt> {
        match self {
            Self::Label => Ok(marked(cx, collection)),
            Self::Name => Ok(collection.list().fields("metadata.name!=d")),
            Self::Namespace => {
                let namespace = format!("metadata.namespace={}", cx.namespace().await?);
                Ok(collection.everywhere().list().fields(&namespace))
            }
        }
    }
}

/// Namespace and name of each item.
fn keys(page: &Page) -> impl Iterator<Item = String> {
    page.items.iter().map(|item| format!("{}/{}", item.namespace(), item.name()))
}
