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

/// The label of all objects of a scenario.
const LABEL: (&str, &str) = ("assay-chunked", "yes");

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

/// A collection read in chunks, and the chunks of its lists with selectors.
struct ChunkedRead {
    collection: Collection,
    whole: Page,
    lists: Vec<Chunks>,
}

/// The chunks of one list.
struct Chunks {
    query: Query,
    first: Page,
    rest: Vec<Page>,
}

impl ChunkedRead {
    /// Reads a list whole, and then its pages, with a change after the first.
    async fn with(cx: &Context, change: Change) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        create_all(&collection, &NAMES).await?;
        let whole = collection.now().await?;
        let first = Chunks::begin(collection.list(), collection.list().limit(2).page().await?);
        let mut reading = Self { collection, whole, lists: vec![first] };
        if reading.lists[0].first.token.is_none() || reading.own_rest().len() < 2 {
            return Err(no_token());
        }
        reading.begin_with_selectors(cx).await?;
        reading.change(change).await?;
        for list in &mut reading.lists {
            list.rest = list.query.clone().pages_after(&list.first, &[3]).await?;
        }
        Ok(reading)
    }

    /// The first pages of the same list with a label selector and with a field selector, where the server offers them in
    /// chunks, and the objects to change come later.
    async fn begin_with_selectors(&mut self, cx: &Context) -> Checked {
        let (key, value) = LABEL;
        let (updated, deleted) = self.late();
        let other = NAMES.into_iter().find(|name| ![updated, deleted].contains(name)).unwrap_or_default();
        let selected = [
            self.collection.list().labels(&format!("{key}={value}")),
            self.collection.list().fields(&format!("metadata.name!={other}")),
        ];
        for query in selected {
            let Some(first) = cx.send_if_offered(query.clone().limit(2).into()).await? else { continue };
            let first = first.page()?;
            let (updated, deleted) = self.late();
            let later = [updated, deleted].iter().all(|name| first.item(name).is_none());
            if first.token.is_some() && later {
                self.lists.push(Chunks::begin(query, first));
            }
        }
        Ok(())
    }

    /// The scenario's own objects that are not on the first page.
    fn own_rest(&self) -> Vec<&str> {
        let names = self.whole.own_names().into_iter();
        names.filter(|name| self.lists[0].first.item(name).is_none()).collect()
    }

    /// The updated object and the deleted one: the last two of the list.
    fn late(&self) -> (&str, &str) {
        let own = self.own_rest();
        (own[own.len() - 1], own[own.len() - 2])
    }

    async fn change(&self, change: Change) -> Checked {
        let (updated, deleted) = self.late();
        if matches!(change, Change::Creation | Change::All) {
            create_all(&self.collection, &NEW).await?;
        }
        if matches!(change, Change::Update | Change::All) {
            self.collection.write(updated, "second").await?;
        }
        if matches!(change, Change::Deletion | Change::All) {
            self.collection.delete(deleted).await?;
        }
        Ok(())
    }

    /// The last page of the list without a selector.
    fn last(&self) -> &Page {
        self.lists[0].last()
    }

    /// The later pages of all lists.
    fn rest(&self) -> impl Iterator<Item = &Page> {
        self.lists.iter().flat_map(|list| &list.rest)
    }

    fn has_one_version(&self) -> Checked {
        self.lists.iter().try_for_each(|list| {
            list.rest.iter().try_for_each(|page| page.expect_version(&list.first.version))
        })
    }

    fn hides_the_new_objects(&self) -> Checked {
        self.rest().try_for_each(|page| {
            let new: Vec<_> = NEW.into_iter().filter(|name| page.item(name).is_some()).collect();
            page.expect(new.is_empty(), "no objects created after the first page", new.join(", "))
        })
    }

    fn shows_the_old_content(&self) -> Checked {
        let (updated, _) = self.late();
        let brief = |item: &Object| format!("{updated} at {} with value {:?}", item.version(), item.value());
        let before = self.whole.item(updated).map(brief).unwrap_or_default();
        self.lists.iter().try_for_each(|list| {
            let (page, item) = list.find(updated)?;
            page.expect(brief(item) == before, format!("{before}, as before the update"), brief(item))
        })
    }

    fn shows_the_deleted_object(&self) -> Checked {
        let (_, deleted) = self.late();
        self.lists.iter().try_for_each(|list| list.find(deleted).map(drop))
    }
}

impl Chunks {
    fn begin(query: Query, first: Page) -> Self {
        Self { query, first, rest: Vec::new() }
    }

    fn last(&self) -> &Page {
        self.rest.last().unwrap_or(&self.first)
    }

    /// An object on the later pages.
    fn find(&self, name: &str) -> Result<(&Page, &Object), Halt> {
        let found = self.rest.iter().find_map(|page| Some((page, page.item(name)?)));
        let names: Vec<_> = self.rest.iter().flat_map(Page::names).collect();
        let expected = format!("{name} on a later page, as at the time of the first page");
        found.ok_or_else(|| self.last().fail(expected, names.join(", ")))
    }
}

/// Creates objects with the label, in this order.
async fn create_all(collection: &Collection, names: &[&str]) -> Checked {
    let (key, value) = LABEL;
    for name in names {
        collection.create_labelled(name, key, value).await?;
    }
    Ok(())
}
