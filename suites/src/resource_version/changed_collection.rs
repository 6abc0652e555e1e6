//! The fixtures of this area: collections, and their earlier states.

use crate::prelude::*;

/// A collection that changes after a list.
pub(super) struct Past {
    /// With `a`, the changed `b`, `d`, `e`, and the new `f`.
    pub(super) collection: Collection,
    /// The list, with `a`, `b`, `c`, `d`, `e`.
    pub(super) before: Page,
}

impl Fixture for Past {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let FiveObjects(collection) = FiveObjects::arrange(cx).await?;
        let before = collection.now().await?;
        change(&collection).await?;
        Ok(Self { collection, before })
    }
}

/// A collection with the objects `a`, `b`, `c`, `d`, `e`.
pub(super) struct FiveObjects(pub(super) Collection);

impl Fixture for FiveObjects {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_all(&["a", "b", "c", "d", "e"]).await?;
        Ok(Self(collection))
    }
}

/// Updates, deletes and creates.
pub(super) async fn change(collection: &Collection) -> Checked {
    collection.write("b", "second").await?;
    collection.write("c", "second").await?;
    collection.delete("c").await?;
    collection.create("f").await.map(drop)
}

/// All states of a collection, the empty one first.
pub(super) struct History {
    states: Vec<Vec<Value>>,
}

impl History {
    /// Writes to a collection and lists it after each write.
    pub(super) async fn arrange(collection: &Collection) -> Result<Self, Halt> {
        let mut history = Self { states: vec![Vec::new()] };
        for name in ["a", "b", "c", "d", "e"] {
            collection.create(name).await?;
            history.record(&collection.now().await?);
        }
        collection.write("b", "second").await?;
        history.record(&collection.now().await?);
        collection.delete("d").await?;
        history.record(&collection.now().await?);
        Ok(history)
    }

    fn record(&mut self, page: &Page) {
        self.states.push(content(std::slice::from_ref(page)));
    }

    /// Whether the items of these pages are one of the states.
    pub(super) fn has(&self, pages: &[Page]) -> bool {
        self.states.contains(&content(pages))
    }
}

fn content(pages: &[Page]) -> Vec<Value> {
    Object::contents(pages.iter().flat_map(Page::own_items))
}
