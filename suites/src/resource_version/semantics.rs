//! The semantics "most recent", "not older than", "exact" and "continue token".

use super::changed_collection::{Past, change, five_things};
use super::{READER, rounds, shown};
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
            row!(rv_sem_exact_honours_selectors).namespaced(),
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
        is_there(&collection, "a", Some(&value)).await?;
        collection.create("b").await?;
        is_there(&collection, "b", Some("first")).await?;
        collection.delete("b").await?;
        is_there(&collection, "b", None).await?;
    }
    Ok(())
}

/// Get and list without a version show the object with this value, or not at all.
async fn is_there(collection: &Collection, name: &str, value: Option<&str>) -> Checked {
    let reader = |request: harness::Request| request.connection(READER);
    let expected = shown(name, value);

    let got = collection.get(name).with(reader).await?;
    got.expect_status(&[if value.is_some() { 200 } else { 404 }])?;
    let object = value.is_some().then(|| got.object()).transpose()?;
    let found = object.as_ref().map(Object::value);
    got.expect(found == value, expected.as_str(), shown(name, found))?;

    for list in [collection.list(), collection.list().limit(500)] {
        let page = list.with(reader).page().await?;
        let found = page.item(name).map(Object::value);
        page.expect(found == value, expected.as_str(), shown(name, found))?;
    }
    Ok(())
}

/// A list that is older than it says would, when watched from, tell again what it shows.
async fn rv_sem_notolder_list_rv_guarantee(collection: Collection) -> Checked {
    collection.create("a").await?;
    for sentinel in ["b", "c", "d"] {
        let written = collection.write("a", sentinel).await?;
        let version = written.version();

        let listed = collection.list().not_older_than(version).caught_up().await?.page()?;
        let mut watch = collection.watch().at(&listed.version).arranged().await?;
        collection.create(sentinel).await?;

        comes_next(&mut watch, sentinel, &listed, version).await?;
    }
    Ok(())
}

async fn comes_next(watch: &mut Watch, sentinel: &str, listed: &Page, version: &str) -> Checked {
    let event = watch.event_or_fail(&format!("ADDED {sentinel}")).await?;
    if event.kind == "ADDED" && event.object.name() == sentinel {
        return Ok(());
    }
    let expected = format!("a list at {version} or later: a watch from it begins with ADDED {sentinel}");
    let actual = format!("a list at {}: a watch from it begins with {}", listed.version, event.brief());
    Err(watch.fail(expected, actual))
}

async fn rv_sem_notolder_items_no_guarantee(collection: Collection) -> Checked {
    let untouched = collection.create("a").await?;
    collection.create("b").await?;
    let written = collection.write("b", "second").await?;

    let listed = collection.list().not_older_than(written.version()).caught_up().await?.page()?;

    let found = listed.item("a").map(Object::version);
    let expected = format!("a with its own version {:?}", untouched.version());
    listed.expect(found == Some(untouched.version()), expected, shown("a", found))
}

/// What is expected of an exact list, given the list as it was then.
type Check = fn(&PastList) -> Checked;

/// What an exact list shows, a row per clause.
#[rustfmt::skip]
const EXACT: &[(&str, Check)] = &[
    ("rv-sem-exact-list-rv-equal",        PastList::has_the_version_asked),
    ("rv-sem-exact-items-no-guarantee",   PastList::items_have_their_own_versions),
    ("rv-sem-exact-shows-deleted-object", PastList::shows_what_was_deleted_since),
    ("rv-sem-exact-hides-later-object",   PastList::hides_what_was_created_since),
];

async fn exact(cx: Context, judge: Check) -> Checked {
    let Past { collection, before } = Past::arrange(&cx).await?;

    let exact = collection.list().exactly(&before.version).held_page().await?;

    judge(&PastList { before, exact })
}

/// A list as it was, and an exact list at that version.
struct PastList {
    before: Page,
    exact: Page,
}

impl PastList {
    fn has_the_version_asked(&self) -> Checked {
        self.exact.expect_version(&self.before.version)
    }

    /// Whether all items are there is asked elsewhere.
    fn items_have_their_own_versions(&self) -> Checked {
        self.exact.items.iter().try_for_each(|item| {
            let Some(then) = self.before.item(item.name()) else { return Ok(()) };
            let brief = |item: &Object| format!("{} at {}", item.name(), item.version());
            self.exact.expect(item.version() == then.version(), brief(then), brief(item))
        })
    }

    fn shows_what_was_deleted_since(&self) -> Checked {
        let found = self.exact.item("c").map(Object::value);
        let expected = "c with \"first\": it was changed and deleted since";
        self.exact.expect(found == Some("first"), expected, shown("c", found))
    }

    fn hides_what_was_created_since(&self) -> Checked {
        let shown = self.exact.names().join(", ");
        self.exact.expect(self.exact.item("f").is_none(), "no f: it was created since", shown)
    }
}

async fn rv_sem_exact_honours_selectors(collection: Collection) -> Checked {
    collection.create_labelled("a", "assay", "then").await?;
    let before = collection.now().await?;
    collection.patch("a", &json!({ "metadata": { "labels": { "assay": "now" } } })).await?;

    let list = collection.list().exactly(&before.version);
    let then = list.clone().labels("assay=then").held_page().await?;
    let now = list.labels("assay=now").held_page().await?;

    then.expect_names(&["a"])?;
    now.expect_names(&[])
}

async fn rv_sem_continue_keeps_first_version(cx: Context) -> Checked {
    let collection = five_things(&cx).await?;
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

/// More than there are.
const MOST_PAGES: usize = 20;

async fn rv_sem_continue_token_suffices(cx: Context) -> Checked {
    let Past { collection, before } = Past::arrange(&cx).await?;

    let first = collection.list().exactly(&before.version).limit(2).held_page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;
    let next = collection.list().limit(2).next_page(token).await?;

    next.expect_version(&before.version)
}
