//! The `resourceVersion` parameter on list: the published table, a row per cell.

use harness::{Match, decimal};

use super::changed_collection::{History, Past, change, five_things};
use super::{READER, rounds, shown};
use crate::limit_support::no_token;
use crate::limit_support::require_limit;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(LIST, Kinds::Namespaced, list),
        vec![row!(rv_list_continue_without_limit).namespaced().also("pagination-continue-without-limit")],
    ]
    .concat()
}

/// What a cell of the table promises.
#[derive(Debug, Clone, Copy)]
enum Promise {
    MostRecent,
    Any,
    NotOlder,
    Exact,
    Continuation,
    Invalid(&'static [u16]),
}

use Promise::{Any, Continuation, Exact, Invalid, MostRecent, NotOlder};

/// How much is asked for.
#[derive(Debug, Clone, Copy)]
enum Paging {
    Whole,
    Limit(usize),
    /// The page after the first, by its token.
    Next,
}

use Paging::{Limit, Next, Whole};

/// The version that a cell is asked with.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Unset,
    Zero,
    SubjectSpec,
}

use Asked::{SubjectSpec, Unset, Zero};

/// The text says "invalid"; kube-apiserver says 422.
const REFUSED: Promise = Invalid(&[400, 422]);

type Cell = (Match, Paging, Asked, Promise);

/// The table "resourceVersion for list".
#[rustfmt::skip]
const LIST: &[(&str, Cell)] = &[
    //  clause                                  match                paging      version  the list is
    ("rv-list-nomatch-nolimit-unset",          (Match::Unset,        Whole,      Unset,   MostRecent)),
    ("rv-list-nomatch-nolimit-zero",           (Match::Unset,        Whole,      Zero,    Any)),
    ("rv-list-nomatch-nolimit-nonzero",        (Match::Unset,        Whole,      SubjectSpec,   NotOlder)),
    ("rv-list-nomatch-limit-unset",            (Match::Unset,        Limit(500), Unset,   MostRecent)),
    ("rv-list-nomatch-limit-zero",             (Match::Unset,        Limit(2),   Zero,    Any)),
    ("rv-list-nomatch-limit-nonzero",          (Match::Unset,        Limit(500), SubjectSpec,   Exact)),
    ("rv-list-nomatch-continue-unset",         (Match::Unset,        Next,       Unset,   Continuation)),
    ("rv-list-nomatch-continue-zero",          (Match::Unset,        Next,       Zero,    Continuation)),
    ("rv-list-nomatch-continue-nonzero-400",   (Match::Unset,        Next,       SubjectSpec,   Invalid(&[400]))),
    ("rv-list-exact-nolimit-unset-invalid",    (Match::Exact,        Whole,      Unset,   REFUSED)),
    ("rv-list-exact-nolimit-zero-invalid",     (Match::Exact,        Whole,      Zero,    REFUSED)),
    ("rv-list-exact-nolimit-nonzero",          (Match::Exact,        Whole,      SubjectSpec,   Exact)),
    ("rv-list-exact-limit-unset-invalid",      (Match::Exact,        Limit(2),   Unset,   REFUSED)),
    ("rv-list-exact-limit-zero-invalid",       (Match::Exact,        Limit(2),   Zero,    REFUSED)),
    ("rv-list-exact-limit-nonzero",            (Match::Exact,        Limit(2),   SubjectSpec,   Exact)),
    ("rv-list-notolder-nolimit-unset-invalid", (Match::NotOlderThan, Whole,      Unset,   REFUSED)),
    ("rv-list-notolder-nolimit-zero",          (Match::NotOlderThan, Whole,      Zero,    Any)),
    ("rv-list-notolder-nolimit-nonzero",       (Match::NotOlderThan, Whole,      SubjectSpec,   NotOlder)),
    ("rv-list-notolder-limit-unset-invalid",   (Match::NotOlderThan, Limit(2),   Unset,   REFUSED)),
    ("rv-list-notolder-limit-zero",            (Match::NotOlderThan, Limit(2),   Zero,    Any)),
    ("rv-list-notolder-limit-nonzero",         (Match::NotOlderThan, Limit(500), SubjectSpec,   NotOlder)),
];

async fn list(cx: Context, cell: Cell) -> Checked {
    match cell.3 {
        MostRecent => shows_every_write_at_once(&cx, cell).await,
        Any => shows_a_state_that_was(&cx, cell).await,
        NotOlder => shows_all_up_to_the_version(&cx, cell).await,
        Exact => shows_the_collection_as_it_was(&cx, cell).await,
        Continuation => goes_on_as_it_began(&cx, cell).await,
        Invalid(legal) => is_refused(&cx, cell, legal).await,
    }
}

/// The list of a cell, at this version where the cell gives one.
fn query(collection: &Collection, (matching, paging, asked, _): Cell, version: &str) -> Query {
    let query = collection.list().with(|request| request.connection(READER)).matching(matching);
    let query = match asked {
        Unset => query,
        Zero => query.at("0"),
        SubjectSpec => query.at(version),
    };
    match paging {
        Whole => query,
        Limit(limit) => query.limit(limit),
        Next => query.limit(2),
    }
}

async fn shows_every_write_at_once(cx: &Context, cell: Cell) -> Checked {
    let collection = five_things(cx).await?;
    for round in rounds() {
        let value = format!("write-{round}");
        collection.write("c", &value).await?;

        let listed = query(&collection, cell, "").page().await?;

        expect_value(&listed, "c", &value)?;
    }
    Ok(())
}

async fn shows_a_state_that_was(cx: &Context, cell: Cell) -> Checked {
    let collection = cx.collection_under_test().await?;
    let history = History::arrange(&collection).await?;

    let first = query(&collection, cell, "").page().await?;
    let rest = collection.list().pages_after(&first, &[2]).await?;

    let pages = [vec![first], rest].concat();
    for page in &pages {
        let real = !["", "0"].contains(&page.version.as_str());
        page.expect(real, "a list at a real version", format!("version {:?}", page.version))?;
    }
    let names: Vec<_> = pages.iter().flat_map(Page::own_names).collect();
    let shown = format!("the items [{}], of versions that were never there together", names.join(", "));
    pages[0].expect(history.has(&pages), "a state that the collection has had", shown)
}

async fn shows_all_up_to_the_version(cx: &Context, cell: Cell) -> Checked {
    let collection = five_things(cx).await?;
    let first = collection.get("a").object().await?;
    for round in rounds().take(10) {
        let value = format!("write-{round}");
        let written = collection.write("c", &value).await?;

        let listed = query(&collection, cell, written.version()).caught_up().await?.page()?;

        expect_value(&listed, "c", &value)?;
    }
    let old = if decimal(first.version()).is_some() { "1" } else { first.version() };
    let listed = query(&collection, cell, old).await?;
    listed.expect(listed.status() == 200, "HTTP 200, however old the version", listed.brief())
}

async fn shows_the_collection_as_it_was(cx: &Context, cell: Cell) -> Checked {
    let Past { collection, before } = Past::arrange(cx).await?;
    if let (Match::Unset, Limit(_), ..) = cell {
        require_limit(&collection).await?;
    }

    let first = query(&collection, cell, &before.version).held_page().await?;
    let rest = collection.list().pages_after(&first, &[2]).await?;

    for page in [std::slice::from_ref(&first), &rest].concat() {
        page.expect_version(&before.version)?;
    }
    together(&first, &rest).expect_items(&before.items)
}

async fn goes_on_as_it_began(cx: &Context, cell: Cell) -> Checked {
    let collection = five_things(cx).await?;
    let (whole, first) = (collection.now().await?, collection.list().limit(2).page().await?);
    let token = first.token.as_deref().ok_or_else(no_token)?;
    change(&collection).await?;

    let next = query(&collection, cell, "").next_page(token).await?;

    // What serves version 0 may ignore the limit.
    next.expect_version(&first.version)?;
    let rest: Vec<_> = whole.items.iter().filter(|item| first.item(item.name()).is_none()).collect();
    let shown = next.items.iter().all(|item| rest.iter().any(|known| known.untyped() == item.untyped()));
    let expected: Vec<_> = rest.iter().map(|item| item.name()).collect();
    let expected = format!("unchanged items of [{}]", expected.join(", "));
    let empty = next.items.is_empty() && !rest.is_empty();
    next.expect(shown && !empty, expected, format!("[{}]", next.names().join(", ")))
}

async fn is_refused(cx: &Context, cell: Cell, legal: &[u16]) -> Checked {
    let collection = five_things(cx).await?;
    let first = collection.list().limit(2).page().await?;

    let mut list = query(&collection, cell, &first.version);
    if let Next = cell.1 {
        list = list.after(first.token.as_deref().ok_or_else(no_token)?);
    }

    list.await?.expect_refusal(legal).map(drop)
}

async fn rv_list_continue_without_limit(cx: Context) -> Checked {
    let collection = five_things(&cx).await?;
    let whole = collection.now().await?;
    let first = collection.list().limit(2).page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;

    let rest = collection.list().next_page(token).await?;

    rest.expect_version(&first.version)?;
    together(&first, &[rest]).expect_items(&whole.items)
}

/// All items, as one page.
fn together(first: &Page, rest: &[Page]) -> Page {
    let mut whole = rest.last().unwrap_or(first).clone();
    whole.items = [first].into_iter().chain(rest).flat_map(|page| page.items.clone()).collect();
    whole
}

fn expect_value(page: &Page, name: &str, value: &str) -> Checked {
    let found = page.item(name).map(Object::value);
    page.expect(found == Some(value), shown(name, Some(value)), shown(name, found))
}
