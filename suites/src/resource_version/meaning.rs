//! What "most recent", "not older than", "exact" and "continuation" mean.

use harness::{Collection, Context, Halt, Object, Page, Suite, Watch};
use serde_json::json;

use super::past::{Past, change, five_things};
use super::{READER, no_token, rounds, shown};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("rv-sem-most-recent-consistent", what_was_acknowledged_is_read)
        .also("collections-consistent-read")
        .scenario("rv-sem-notolder-list-rv-guarantee", a_list_not_older_says_so_itself)
        .scenario("rv-sem-notolder-items-no-guarantee", a_list_not_older_keeps_old_items)
        .table(EXACT, exact)
        .scenario("rv-sem-exact-honours-selectors", an_exact_list_selects_by_the_labels_of_then)
        .scenario("rv-sem-continue-keeps-first-version", all_pages_have_the_version_of_the_first)
        .scenario("rv-sem-continue-token-suffices", the_token_carries_the_version)
}

async fn what_was_acknowledged_is_read(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        things.write("a", &value).await?;
        is_there(&things, "a", Some(&value)).await?;
        things.create("b").await?;
        is_there(&things, "b", Some("first")).await?;
        things.delete("b").await?;
        is_there(&things, "b", None).await?;
    }
    Ok(())
}

/// Get and list without a version show the object with this value, or not at all.
async fn is_there(things: &Collection, name: &str, value: Option<&str>) -> Result<(), Halt> {
    let reader = |request: harness::Request| request.lane(READER);
    let expected = shown(name, value);

    let got = things.get(name).with(reader).await?;
    got.expect_status(&[if value.is_some() { 200 } else { 404 }])?;
    let object = value.is_some().then(|| got.object()).transpose()?;
    let found = object.as_ref().map(Object::value);
    got.expect(found == value, expected.as_str(), shown(name, found))?;

    for list in [things.list(), things.list().limit(500)] {
        let page = list.with(reader).page().await?;
        let found = page.item(name).map(Object::value);
        page.expect(found == value, expected.as_str(), shown(name, found))?;
    }
    Ok(())
}

/// A list that is older than it says would, when watched from, tell again what it shows.
async fn a_list_not_older_says_so_itself(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    for sentinel in ["b", "c", "d"] {
        let written = things.write("a", sentinel).await?;
        let version = written.version();

        let listed = things.list().not_older_than(version).caught_up().await?.page()?;
        let mut watch = things.watch().at(&listed.version).arranged().await?;
        things.create(sentinel).await?;

        comes_next(&mut watch, sentinel, &listed, version).await?;
    }
    Ok(())
}

async fn comes_next(watch: &mut Watch, sentinel: &str, listed: &Page, version: &str) -> Result<(), Halt> {
    let event = watch.event_or_fail(&format!("ADDED {sentinel}")).await?;
    if event.kind == "ADDED" && event.object.name() == sentinel {
        return Ok(());
    }
    let expected = format!("a list at {version} or later: a watch from it begins with ADDED {sentinel}");
    let actual = format!("a list at {}: a watch from it begins with {}", listed.version, event.brief());
    Err(watch.fail(expected, actual))
}

async fn a_list_not_older_keeps_old_items(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let untouched = things.create("a").await?;
    things.create("b").await?;
    let written = things.write("b", "second").await?;

    let listed = things.list().not_older_than(written.version()).caught_up().await?.page()?;

    let found = listed.item("a").map(Object::version);
    let expected = format!("a with its own version {:?}", untouched.version());
    listed.expect(found == Some(untouched.version()), expected, shown("a", found))
}

/// What is expected of an exact list, given the list as it was then.
type Judge = fn(&Then) -> Result<(), Halt>;

/// What an exact list shows, a row per clause.
#[rustfmt::skip]
const EXACT: &[(&str, Judge)] = &[
    ("rv-sem-exact-list-rv-equal",        Then::has_the_version_asked),
    ("rv-sem-exact-items-no-guarantee",   Then::items_have_their_own_versions),
    ("rv-sem-exact-shows-deleted-object", Then::shows_what_was_deleted_since),
    ("rv-sem-exact-hides-later-object",   Then::hides_what_was_created_since),
];

async fn exact(cx: Context, judge: Judge) -> Result<(), Halt> {
    let Past { things, before } = Past::arrange(&cx).await?;

    let exact = things.list().exactly(&before.version).held_page().await?;

    judge(&Then { before, exact })
}

/// A list as it was, and an exact list at that version.
struct Then {
    before: Page,
    exact: Page,
}

impl Then {
    fn has_the_version_asked(&self) -> Result<(), Halt> {
        self.exact.expect_version(&self.before.version)
    }

    /// Whether all items are there is asked elsewhere.
    fn items_have_their_own_versions(&self) -> Result<(), Halt> {
        self.exact.items.iter().try_for_each(|item| {
            let Some(then) = self.before.item(item.name()) else { return Ok(()) };
            let brief = |item: &Object| format!("{} at {}", item.name(), item.version());
            self.exact.expect(item.version() == then.version(), brief(then), brief(item))
        })
    }

    fn shows_what_was_deleted_since(&self) -> Result<(), Halt> {
        let found = self.exact.item("c").map(Object::value);
        let expected = "c with \"first\": it was changed and deleted since";
        self.exact.expect(found == Some("first"), expected, shown("c", found))
    }

    fn hides_what_was_created_since(&self) -> Result<(), Halt> {
        let shown = self.exact.names().join(", ");
        self.exact.expect(self.exact.item("f").is_none(), "no f: it was created since", shown)
    }
}

async fn an_exact_list_selects_by_the_labels_of_then(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_labelled("a", "assay", "then").await?;
    let before = things.now().await?;
    things.patch("a", &json!({ "metadata": { "labels": { "assay": "now" } } })).await?;

    let list = things.list().exactly(&before.version);
    let then = list.clone().labels("assay=then").held_page().await?;
    let now = list.labels("assay=now").held_page().await?;

    then.expect_names(&["a"])?;
    now.expect_names(&[])
}

async fn all_pages_have_the_version_of_the_first(cx: Context) -> Result<(), Halt> {
    let things = five_things(&cx).await?;
    things.create_all(&["v", "w", "x", "y", "z"]).await?;
    let mut page = things.list().limit(2).page().await?;
    let version = page.version.clone();
    let Some(mut token) = page.token.take() else { return Err(no_token()) };

    for round in 0.. {
        if round == 0 {
            change(&things).await?;
        }
        things.write("y", &format!("write-{round}")).await?;
        page = things.list().limit(2).next_page(&token).await?;

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

async fn the_token_carries_the_version(cx: Context) -> Result<(), Halt> {
    let Past { things, before } = Past::arrange(&cx).await?;

    let first = things.list().exactly(&before.version).limit(2).held_page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;
    let next = things.list().limit(2).next_page(token).await?;

    next.expect_version(&before.version)
}
