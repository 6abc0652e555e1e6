//! The `resourceVersion` parameter on list: the published table, a row per cell.

use std::collections::BTreeSet;

use harness::{Match, decimal};

use super::changed_collection::{FiveObjects, History, Past, change};
use super::collection::expect_version;
use super::{READER, described, rounds};
use crate::limit_support::{no_token, require_limit};
use crate::prelude::*;
use crate::representations::METADATA_LIST;

pub(super) fn rows() -> Vec<Row> {
    [
        table(LIST, Kinds::Namespaced, list),
        vec![row!(rv_list_continue_without_limit).namespaced().also("pagination-continue-without-limit")],
    ]
    .concat()
}

/// The semantics of a cell of the table.
#[derive(Debug, Clone, Copy)]
enum Semantics {
    MostRecent,
    Any,
    NotOlder,
    Exact,
    Continuation,
    Invalid(&'static [u16]),
}

use Semantics::{Any, Continuation, Exact, Invalid, MostRecent, NotOlder};

/// The parameters `limit` and `continue`.
#[derive(Debug, Clone, Copy)]
enum Paging {
    Whole,
    Limit(usize),
    /// The page after the first, by its token.
    Next,
}

use Paging::{Limit, Next, Whole};

/// The parameter `resourceVersion`.
#[derive(Debug, Clone, Copy)]
enum VersionParameter {
    Unset,
    Zero,
    Given,
}

use VersionParameter::{Given, Unset, Zero};

/// The text has "invalid"; kube-apiserver returns 422.
const REJECTED: Semantics = Invalid(&[400, 422]);

type Cell = (Match, Paging, VersionParameter, Semantics);

/// The table "resourceVersion for list".
#[rustfmt::skip]
const LIST: &[(&str, Cell)] = &[
    //  clause                                  match                paging      version  the list is
    ("rv-list-nomatch-nolimit-unset",          (Match::Unset,        Whole,      Unset,   MostRecent)),
    ("rv-list-nomatch-nolimit-zero",           (Match::Unset,        Whole,      Zero,    Any)),
    ("rv-list-nomatch-nolimit-nonzero",        (Match::Unset,        Whole,      Given,   NotOlder)),
    ("rv-list-nomatch-limit-unset",            (Match::Unset,        Limit(500), Unset,   MostRecent)),
    ("rv-list-nomatch-limit-zero",             (Match::Unset,        Limit(2),   Zero,    Any)),
    ("rv-list-nomatch-limit-nonzero",          (Match::Unset,        Limit(500), Given,   Exact)),
    ("rv-list-nomatch-continue-unset",         (Match::Unset,        Next,       Unset,   Continuation)),
    ("rv-list-nomatch-continue-zero",          (Match::Unset,        Next,       Zero,    Continuation)),
    ("rv-list-nomatch-continue-nonzero-400",   (Match::Unset,        Next,       Given,   Invalid(&[400]))),
    ("rv-list-exact-nolimit-unset-invalid",    (Match::Exact,        Whole,      Unset,   REJECTED)),
    ("rv-list-exact-nolimit-zero-invalid",     (Match::Exact,        Whole,      Zero,    REJECTED)),
    ("rv-list-exact-nolimit-nonzero",          (Match::Exact,        Whole,      Given,   Exact)),
    ("rv-list-exact-limit-unset-invalid",      (Match::Exact,        Limit(2),   Unset,   REJECTED)),
    ("rv-list-exact-limit-zero-invalid",       (Match::Exact,        Limit(2),   Zero,    REJECTED)),
    ("rv-list-exact-limit-nonzero",            (Match::Exact,        Limit(2),   Given,   Exact)),
    ("rv-list-notolder-nolimit-unset-invalid", (Match::NotOlderThan, Whole,      Unset,   REJECTED)),
    ("rv-list-notolder-nolimit-zero",          (Match::NotOlderThan, Whole,      Zero,    Any)),
    ("rv-list-notolder-nolimit-nonzero",       (Match::NotOlderThan, Whole,      Given,   NotOlder)),
    ("rv-list-notolder-limit-unset-invalid",   (Match::NotOlderThan, Limit(2),   Unset,   REJECTED)),
    ("rv-list-notolder-limit-zero",            (Match::NotOlderThan, Limit(2),   Zero,    Any)),
    ("rv-list-notolder-limit-nonzero",         (Match::NotOlderThan, Limit(500), Given,   NotOlder)),
];

async fn list(cx: Context, cell: Cell) -> Checked {
    match cell.3 {
        MostRecent => expect_most_recent(&cx, cell).await,
        Any => expect_known_state(&cx, cell).await,
        NotOlder => expect_not_older(&cx, cell).await,
        Exact => expect_past(&cx, cell).await,
        Continuation => expect_continuation(&cx, cell).await,
        Invalid(legal) => expect_rejected(&cx, cell, legal).await,
    }
}

/// The list of a cell. The version is that of cells with a given one.
fn query(collection: &Collection, (matching, paging, parameter, _): Cell, version: &str) -> Query {
    let query = collection.list().with(|request| request.connection(READER)).matching(matching);
    let query = match parameter {
        Unset => query,
        Zero => query.at("0"),
        Given => query.at(version),
    };
    match paging {
        Whole => query,
        Limit(limit) => query.limit(limit),
        Next => query.limit(2),
    }
}

async fn expect_most_recent(cx: &Context, cell: Cell) -> Checked {
    let FiveObjects(collection) = FiveObjects::arrange(cx).await?;
    for round in rounds() {
        let value = format!("write-{round}");
        collection.write("c", &value).await?;

        let listed = query(&collection, cell, "").page().await?;

        expect_value(&listed, "c", &value)?;
    }
    Ok(())
}

async fn expect_known_state(cx: &Context, cell: Cell) -> Checked {
    let collection = cx.collection_under_test().await?;
    let history = History::arrange(&collection).await?;

    let first = query(&collection, cell, "").page().await?;
    let rest = collection.list().pages_after(&first, &[2]).await?;

    let pages = [vec![first], rest].concat();
    pages.iter().try_for_each(expect_version)?;
    let names: Vec<_> = pages.iter().flat_map(Page::own_names).collect();
    let actual = format!("the items [{}], in versions of different states", names.join(", "));
    pages[0].expect(history.has(&pages), "a current or earlier state of the collection", actual)
}

async fn expect_not_older(cx: &Context, cell: Cell) -> Checked {
    let FiveObjects(collection) = FiveObjects::arrange(cx).await?;
    let first = collection.get("a").object().await?;
    for round in rounds().take(10) {
        let value = format!("write-{round}");
        let written = collection.write("c", &value).await?;

        let listed = query(&collection, cell, written.version()).retry_on_504().await?.page()?;

        expect_value(&listed, "c", &value)?;
    }
    let old = if decimal(first.version()).is_some() { "1" } else { first.version() };
    let listed = query(&collection, cell, old).await?;
    listed.expect(listed.status() == 200, "HTTP 200 for an old version", listed.brief())
}

async fn expect_past(cx: &Context, cell: Cell) -> Checked {
    let Past { collection, before } = Past::arrange(cx).await?;
    if let (Match::Unset, Limit(_), ..) = cell {
        require_limit(&collection).await?;
    }

    let first = query(&collection, cell, &before.version).page_at_past_version().await?;
    let rest = collection.list().pages_after(&first, &[2]).await?;

    for page in [std::slice::from_ref(&first), &rest].concat() {
        page.expect_version(&before.version)?;
    }
    together(&first, &rest).expect_items(&before.items)?;
    if let (Match::Exact, Whole, ..) = cell {
        let metadata =
            query(&collection, cell, &before.version).with(|request| request.accept(METADATA_LIST));
        return expect_past_metadata(metadata, &before).await;
    }
    Ok(())
}

/// Metadata alone has the same past items, where the server returns it.
async fn expect_past_metadata(list: Query, before: &Page) -> Checked {
    let listed = list.await?;
    if listed.status() == 406 || listed.expired() {
        return Ok(());
    }
    let page = listed.page()?;
    page.expect_version(&before.version)?;
    // In any order: not every server sorts.
    let versions = |page: &Page| -> BTreeSet<_> {
        page.items.iter().map(|item| format!("{} at {}", item.name(), item.version())).collect()
    };
    let [expected, actual] = [before, &page].map(|page| Vec::from_iter(versions(page)).join(", "));
    page.expect(expected == actual, expected, actual)
}

async fn expect_continuation(cx: &Context, cell: Cell) -> Checked {
    let FiveObjects(collection) = FiveObjects::arrange(cx).await?;
    let (whole, first) = (collection.now().await?, collection.list().limit(2).page().await?);
    let token = first.token.as_deref().ok_or_else(no_token)?;
    change(&collection).await?;

    let next = query(&collection, cell, "").next_page(token).await?;

    // A list at version 0 may ignore the limit.
    next.expect_version(&first.version)?;
    let rest: Vec<_> = whole.items.iter().filter(|item| first.item(item.name()).is_none()).collect();
    let unchanged = |item: &Object| rest.iter().any(|before| before.untyped() == item.untyped());
    let names: Vec<_> = rest.iter().map(|item| item.name()).collect();
    let empty = next.items.is_empty() && !rest.is_empty();
    let expected = format!("unchanged items of [{}]", names.join(", "));
    let actual = format!("[{}]", next.names().join(", "));
    next.expect(next.items.iter().all(unchanged) && !empty, expected, actual)
}

async fn expect_rejected(cx: &Context, cell: Cell, legal: &[u16]) -> Checked {
    let FiveObjects(collection) = FiveObjects::arrange(cx).await?;
    let first = collection.list().limit(2).page().await?;

    let mut list = query(&collection, cell, &first.version);
    if let Next = cell.1 {
        list = list.after(first.token.as_deref().ok_or_else(no_token)?);
    }

    list.await?.expect_rejection(legal).map(drop)
}

async fn rv_list_continue_without_limit(FiveObjects(collection): FiveObjects) -> Checked {
    let whole = collection.now().await?;
    let first = collection.list().limit(2).page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;

    let rest = collection.list().next_page(token).await?;

    rest.expect_version(&first.version)?;
    together(&first, &[rest]).expect_items(&whole.items)
}

/// The items of all pages as one page.
pub(super) fn together(first: &Page, rest: &[Page]) -> Page {
    let mut whole = rest.last().unwrap_or(first).clone();
    whole.items = [first].into_iter().chain(rest).flat_map(|page| page.items.clone()).collect();
    whole
}

fn expect_value(page: &Page, name: &str, value: &str) -> Checked {
    let actual = page.item(name).map(Object::value);
    page.expect(actual == Some(value), described(name, Some(value)), described(name, actual))
}
