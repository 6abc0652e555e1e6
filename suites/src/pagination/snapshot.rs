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

/// What happens to the collection after the first page was read.
#[derive(Debug, Clone, Copy)]
enum Change {
    Creation,
    Update,
    Deletion,
    All,
}

/// What is expected of the later pages, given the list before the change.
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

async fn pinned(cx: Context, (change, judge): (Change, Check)) -> Checked {
    let mut reading = ChunkedRead::begin(&cx).await?;
    reading.change(change).await?;

    reading.go_on().await?;

    judge(&reading)
}

async fn pagination_fresh_list_sees_changes(cx: Context) -> Checked {
    let mut reading = ChunkedRead::begin(&cx).await?;
    reading.change(Change::All).await?;
    reading.go_on().await?;

    for list in [reading.collection.list(), reading.collection.list().limit(500)] {
        let page = list.page().await?;

        let (updated, deleted) = reading.late();
        let value = page.item(updated).map_or("nothing", Object::value);
        page.expect(value == "second", format!("{updated} with the value second"), value)?;
        page.expect(page.item(deleted).is_none(), format!("no {deleted}: it was deleted"), "it is listed")?;
        let created = NEW.into_iter().all(|name| page.item(name).is_some());
        page.expect(created, format!("the new objects {}", NEW.join(", ")), page.names().join(", "))?;
    }
    Ok(())
}

async fn pagination_then_watch(cx: Context) -> Checked {
    let mut reading = ChunkedRead::begin(&cx).await?;
    reading.change(Change::All).await?;
    reading.go_on().await?;
    let (updated, deleted) = reading.late();

    let mut watch = reading.collection.watch().at(&reading.last().version).open().await?;

    let new = NEW.map(|name| ("ADDED", name));
    for (kind, name) in new.into_iter().chain([("MODIFIED", updated), ("DELETED", deleted)]) {
        expect_change(&cx, &mut watch, kind, name).await?;
    }
    Ok(())
}

/// The next event. A version may expire at any time: that is a test error.
async fn expect_change(cx: &Context, watch: &mut Watch, kind: &str, name: &str) -> Checked {
    let expected = format!("{kind} {name}");
    let event = watch.event_or_fail(&expected).await?;
    if event.kind == "ERROR" && event.object.json()["code"] == 410 {
        return Err(cx.test_error("watch from the version of the pages", event.brief()).into());
    }
    let right = event.kind == kind && event.object.name() == name;
    if right { Ok(()) } else { Err(watch.fail(expected, event.brief())) }
}

/// Objects created after the first page was read: before, between and after the others, should names give the order.
const NEW: [&str; 3] = ["0", "f-and-a-half", "z"];

/// A collection that is being read in chunks.
struct ChunkedRead {
    collection: Collection,
    whole: Page,
    first: Page,
    rest: Vec<Page>,
}

impl ChunkedRead {
    /// Reads a list whole, and then its first page.
    async fn begin(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_all(&NAMES).await?;
        let whole = collection.now().await?;
        let first = collection.list().limit(2).page().await?;
        let reading = Self { collection, whole, first, rest: Vec::new() };
        if reading.first.token.is_none() || reading.ours_to_come().len() < 2 {
            Err(no_token())
        } else {
            Ok(reading)
        }
    }

    /// Those of our objects that the first page does not show.
    fn ours_to_come(&self) -> Vec<&str> {
        let names = self.whole.own_names().into_iter();
        names.filter(|name| self.first.item(name).is_none()).collect()
    }

    /// The last two objects to come: one is updated, the other deleted.
    fn late(&self) -> (&str, &str) {
        let ours = self.ours_to_come();
        (ours[ours.len() - 1], ours[ours.len() - 2])
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

    /// Reads the other pages.
    async fn go_on(&mut self) -> Checked {
        self.rest = self.collection.list().pages_after(&self.first, &[3]).await?;
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
            let expected = "no object that was created after the first page";
            page.expect(new.is_empty(), expected, new.join(", "))
        })
    }

    fn shows_the_old_content(&self) -> Checked {
        let (updated, _) = self.late();
        let (page, item) = self.find(updated)?;
        let old = self.whole.item(updated);
        let brief = |item: &Object| format!("{updated} at {} with value {:?}", item.version(), item.value());
        page.expect(
            old.is_some_and(|old| (old.version(), old.value()) == (item.version(), item.value())),
            format!("the old {}", old.map(brief).unwrap_or_default()),
            brief(item),
        )
    }

    fn shows_the_deleted_object(&self) -> Checked {
        let (_, deleted) = self.late();
        self.find(deleted).map(drop)
    }

    /// One of our objects on the later pages.
    fn find(&self, name: &str) -> Result<(&Page, &Object), Halt> {
        let found = self.rest.iter().find_map(|page| Some((page, page.item(name)?)));
        let shown: Vec<_> = self.rest.iter().flat_map(Page::names).collect();
        let expected = format!("{name} on a later page, as it was there when the list began");
        found.ok_or_else(|| self.last().fail(expected, shown.join(", ")))
    }
}
