//! Snapshot consistency of all chunks of one list.

use super::chunks::NAMES;
use crate::limit_support::no_token;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(PINNED, Kinds::Namespaced, pinned),
        vec![row!(pagination_fresh_list_sees_changes).namespaced(), row!(pagination_then_watch).namespaced()],
    ]
    .concat()
}

/// A change of the collection after the first page.
#[derive(Debug, Clone, Copy)]
enum Change {
    Creation,
    Update,
    Deletion,
    All,
}

/// A check of the later pages, given the list before the change.
type Check = fn(&ChunkedRead) -> Checked;

/// Changes between pages, a row per clause.
#[rustfmt::skip]
const PINNED: &[(&str, (Change, Check))] = &[
    //  clause                              between pages     the later pages
    ("pagination-same-rv",                 (Change::All,      ChunkedRead::has_one_version)),
    ("pagination-snapshot-create-hidden",  (Change::Creation, ChunkedRead::hides_the_new_objects)),
    ("pagination-snapshot-update-hidden",  (Change::Update,   ChunkedRead::shows_the_old_content)),
    ("pagination-snapshot-delete-hidden",  (Change::Deletion, ChunkedRead::shows_the_deleted_object)),
];

async fn pinned(cx: Context, (change, check): (Change, Check)) -> Checked {
    check(&ChunkedRead::with(&cx, change).await?)
}

async fn pagination_fresh_list_sees_changes(cx: Context) -> Checked {
    let reading = ChunkedRead::with(&cx, Change::All).await?;

    for list in [reading.collection.list(), reading.collection.list().limit(500)] {
        let page = list.page().await?;

        let (updated, deleted) = reading.late();
        let value = page.item(updated).map_or("no item", Object::value);
        page.expect(value == "second", format!("{updated} with the value second"), value)?;
        page.expect(page.item(deleted).is_none(), format!("no {deleted} after its deletion"), "an item")?;
        let created = NEW.into_iter().all(|name| page.item(name).is_some());
        page.expect(created, format!("the new objects {}", NEW.join(", ")), page.names().join(", "))?;
    }
    Ok(())
}

async fn pagination_then_watch(cx: Context) -> Checked {
    let reading = ChunkedRead::with(&cx, Change::All).await?;
    let (updated, deleted) = reading.late();

    let mut watch = reading.collection.watch().at(&reading.last().version).open().await?;

    let new = NEW.map(|name| ("ADDED", name));
    for (kind, name) in new.into_iter().chain([("MODIFIED", updated), ("DELETED", deleted)]) {
        expect_change(&cx, &mut watch, kind, name).await?;
    }
    Ok(())
}

/// The next event. An expired version is a test error: versions may expire at any time.
async fn expect_change(cx: &Context, watch: &mut Watch, kind: &str, name: &str) -> Checked {
    let expected = format!("{kind} {name}");
    let event = watch.event_or_fail(&expected).await?;
    if event.expired() {
        return Err(cx.test_error("watch from the version of the pages", event.brief()).into());
    }
    let same = event.kind == kind && event.object.name() == name;
    watch.expect_that(same, expected, event.brief())
}

/// Objects created after the first page, with names before, between and after the others.
const NEW: [&str; 3] = ["0", "f-and-a-half", "z"];

/// A collection read in chunks.
struct ChunkedRead {
    collection: Collection,
    whole: Page,
    first: Page,
    rest: Vec<Page>,
}

impl ChunkedRead {
    /// Reads a list whole, and then its pages, with a change after the first.
    async fn with(cx: &Context, change: Change) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_all(&NAMES).await?;
        let whole = collection.now().await?;
        let first = collection.list().limit(2).page().await?;
        let mut reading = Self { collection, whole, first, rest: Vec::new() };
        if reading.first.token.is_none() || reading.own_rest().len() < 2 {
            return Err(no_token());
        }
        reading.change(change).await?;
        reading.rest = reading.collection.list().pages_after(&reading.first, &[3]).await?;
        Ok(reading)
    }

    /// The scenario's own objects that are not on the first page.
    fn own_rest(&self) -> Vec<&str> {
        let names = self.whole.own_names().into_iter();
        names.filter(|name| self.first.item(name).is_none()).collect()
    }

    /// The updated object and the deleted one: the last two of the list.
    fn late(&self) -> (&str, &str) {
        let own = self.own_rest();
        (own[own.len() - 1], own[own.len() - 2])
    }

    async fn change(&self, change: Change) -> Checked {
        let (updated, deleted) = self.late();
        if matches!(change, Change::Creation | Change::All) {
            self.collection.create_all(&NEW).await?;
        }
        if matches!(change, Change::Update | Change::All) {
            self.collection.write(updated, "second").await?;
        }
        if matches!(change, Change::Deletion | Change::All) {
            self.collection.delete(deleted).await?;
        }
        Ok(())
    }

    fn last(&self) -> &Page {
        self.rest.last().unwrap_or(&self.first)
    }

    fn has_one_version(&self) -> Checked {
        self.rest.iter().try_for_each(|page| page.expect_version(&self.first.version))
    }

    fn hides_the_new_objects(&self) -> Checked {
        self.rest.iter().try_for_each(|page| {
            let new: Vec<_> = NEW.into_iter().filter(|name| page.item(name).is_some()).collect();
            page.expect(new.is_empty(), "no objects created after the first page", new.join(", "))
        })
    }

    fn shows_the_old_content(&self) -> Checked {
        let (updated, _) = self.late();
        let (page, item) = self.find(updated)?;
        let brief = |item: &Object| format!("{updated} at {} with value {:?}", item.version(), item.value());
        let before = self.whole.item(updated).map(brief).unwrap_or_default();
        page.expect(brief(item) == before, format!("{before}, as before the update"), brief(item))
    }

    fn shows_the_deleted_object(&self) -> Checked {
        let (_, deleted) = self.late();
        self.find(deleted).map(drop)
    }

    /// An object on the later pages.
    fn find(&self, name: &str) -> Result<(&Page, &Object), Halt> {
        let found = self.rest.iter().find_map(|page| Some((page, page.item(name)?)));
        let names: Vec<_> = self.rest.iter().flat_map(Page::names).collect();
        let expected = format!("{name} on a later page, as at the time of the first page");
        found.ok_or_else(|| self.last().fail(expected, names.join(", ")))
    }
}
