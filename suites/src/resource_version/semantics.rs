//! The semantics "most recent", "not older than", "exact" and "continue token".

use super::changed_collection::{FiveObjects, Past, change};
use super::{READER, described, rounds};
use crate::limit_support::no_token;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        vec![
            row!(rv_sem_most_recent_consistent).namespaced().also("collections-consistent-read"),
            row!(rv_sem_notolder_list_rv_guarantee).namespaced(),
            row!(rv_sem_notolder_items_no_guarantee).namespaced(),
        ],
        table(EXACT, Kinds::Namespaced, exact),
        vec![
            row!(rv_sem_exact_honours_selectors),
            row!(rv_sem_continue_keeps_first_version).namespaced(),
            row!(rv_sem_continue_token_suffices).namespaced(),
        ],
    ]
    .concat()
}

async fn rv_sem_most_recent_consistent(collection: Collection) -> Checked {
    collection.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        collection.write("a", &value).await?;
        expect_now(&collection, "a", Some(&value)).await?;
        collection.create("b").await?;
        expect_now(&collection, "b", Some("first")).await?;
        collection.delete("b").await?;
        expect_now(&collection, "b", None).await?;
    }
    Ok(())
}

/// GET and LIST without a version have the object with this value, or not at all.
async fn expect_now(collection: &Collection, name: &str, value: Option<&str>) -> Checked {
    let reader = |request: Request| request.connection(READER);
    let expected = described(name, value);

    let got = collection.get(name).with(reader).await?;
    got.expect_status(&[if value.is_some() { 200 } else { 404 }])?;
    let object = value.is_some().then(|| got.object()).transpose()?;
    let actual = object.as_ref().map(Object::value);
    got.expect(actual == value, expected.as_str(), described(name, actual))?;

    for list in [collection.list(), collection.list().limit(500)] {
        let page = list.with(reader).page().await?;
        let actual = page.item(name).map(Object::value);
        page.expect(actual == value, expected.as_str(), described(name, actual))?;
    }
    Ok(())
}

/// If a list is newer than its version, a watch from that version repeats changes that the list already has.
async fn rv_sem_notolder_list_rv_guarantee(collection: Collection) -> Checked {
    collection.create("a").await?;
    for sentinel in ["b", "c", "d"] {
        let written = collection.write("a", sentinel).await?;
        let version = written.version();

        let listed = collection.list().not_older_than(version).retry_on_504().await?.page()?;
        let mut watch = collection.watch().at(&listed.version).open_as_fixture().await?;
        collection.create(sentinel).await?;

        let event = watch.event_or_fail(&format!("ADDED {sentinel}")).await?;
        let next = event.kind == "ADDED" && event.object.name() == sentinel;
        let expected = format!("a list at {version} or later: a watch from it begins with ADDED {sentinel}");
        let actual = format!("a list at {}: a watch from it begins with {}", listed.version, event.brief());
        watch.expect_that(next, expected, actual)?;
    }
    Ok(())
}

async fn rv_sem_notolder_items_no_guarantee(collection: Collection) -> Checked {
    let untouched = collection.create("a").await?;
    collection.create("b").await?;
    let written = collection.write("b", "second").await?;

    let listed = collection.list().not_older_than(written.version()).retry_on_504().await?.page()?;

    let actual = listed.item("a").map(Object::version);
    let expected = format!("a with its own version {:?}", untouched.version());
    listed.expect(actual == Some(untouched.version()), expected, described("a", actual))
}

/// A check of an exact list, given the list before the changes.
type Check = fn(&Page, &Page) -> Checked;

/// Checks of an exact list, a row per clause.
#[rustfmt::skip]
const EXACT: &[(&str, Check)] = &[
    ("rv-sem-exact-list-rv-equal",        has_the_requested_version),
    ("rv-sem-exact-items-no-guarantee",   has_items_of_their_own_versions),
    ("rv-sem-exact-shows-deleted-object", has_the_deleted_object),
    ("rv-sem-exact-hides-later-object",   lacks_the_later_object),
];

async fn exact(cx: Context, check: Check) -> Checked {
    let Past { collection, before } = Past::arrange(&cx).await?;

    let exact = collection.list().exactly(&before.version).page_at_past_version().await?;

    check(&exact, &before)
}

fn has_the_requested_version(exact: &Page, before: &Page) -> Checked {
    exact.expect_version(&before.version)
}

/// Another scenario tests that no item is missing.
fn has_items_of_their_own_versions(exact: &Page, before: &Page) -> Checked {
    exact.items.iter().try_for_each(|item| {
        let Some(before) = before.item(item.name()) else { return Ok(()) };
        let brief = |item: &Object| format!("{} at {}", item.name(), item.version());
        exact.expect(item.version() == before.version(), brief(before), brief(item))
    })
}

fn has_the_deleted_object(exact: &Page, _: &Page) -> Checked {
    let actual = exact.item("c").map(Object::value);
    let expected = "c with \"first\", as before its change and deletion";
    exact.expect(actual == Some("first"), expected, described("c", actual))
}

fn lacks_the_later_object(exact: &Page, _: &Page) -> Checked {
    exact.expect(exact.item("f").is_none(), "no f: its creation is later", exact.names().join(", "))
}

async fn rv_sem_exact_honours_selectors(collection: Collection) -> Checked {
    collection.create_labelled("a", "assay", "then").await?;
    let before = collection.now().await?;
    collection.patch("a", &json!({ "metadata": { "labels": { "assay": "now" } } })).await?;

    let list = collection.list().exactly(&before.version);
    let then = list.clone().labels("assay=then").page_at_past_version().await?;
    let now = list.labels("assay=now").page_at_past_version().await?;

    // The collection of a type without namespaces has objects of others.
    let name = collection.name_of("a");
    then.expect(then.item(&name).is_some(), "a, which had the label then", then.names().join(", "))?;
    now.expect(now.item(&name).is_none(), "no a: it had another label then", now.names().join(", "))
}

async fn rv_sem_continue_keeps_first_version(FiveObjects(collection): FiveObjects) -> Checked {
    collection.create_all(&["v", "w", "x", "y", "z"]).await?;
    let mut page = collection.list().limit(2).page().await?;
    let version = page.version.clone();
    let Some(mut token) = page.token.take() else { return Err(no_token()) };

    for round in 0.. {
        if round == 0 {
            change(&collection).await?;
        }
        collection.write("y", &format!("write-{round}")).await?;
        page = collection.list().limit(2).next_page(&token).await?;

        page.expect_version(&version)?;
        match page.token.take() {
            Some(next) if round < MOST_PAGES => token = next,
            _ => break,
        }
    }
    Ok(())
}

/// A limit that a correct server does not reach.
const MOST_PAGES: usize = 20;

async fn rv_sem_continue_token_suffices(Past { collection, before }: Past) -> Checked {
    let first = collection.list().exactly(&before.version).limit(2).page_at_past_version().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;
    let next = collection.list().limit(2).next_page(token).await?;

    next.expect_version(&before.version)
}
