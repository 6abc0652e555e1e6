//! The fixture of this area: a collection that changed after it was listed.

use crate::prelude::*;

/// A collection as it was and as it is.
pub(super) struct Past {
    /// As it is: `a`, `b` changed, `d`, `e`, and `f` new.
    pub(super) collection: Collection,
    /// As it was: `a`, `b`, `c`, `d`, `e`.
    pub(super) before: Page,
}

impl Past {
    /// Lists a collection, and changes it.
    pub(super) async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = five_things(cx).await?;
        let before = collection.now().await?;
        change(&collection).await?;
        Ok(Self { collection, before })
    }
}

/// A collection of five.
pub(super) async fn five_things(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.collection_under_test().await?;
    collection.create_all(&["a", "b", "c", "d", "e"]).await?;
    Ok(collection)
}

/// Updates, deletes and creates.
pub(super) async fn change(collection: &Collection) -> Checked {
    collection.write("b", "second").await?;
    collection.write("c", "second").await?;
    collection.delete("c").await?;
    collection.create("f").await.map(drop)
}

/// All states that a collection has gone through, the empty one first.
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

    /// Whether these pages together show one of the states.
    pub(super) fn has(&self, pages: &[Page]) -> bool {
        self.states.contains(&content(pages))
    }
}

fn content(pages: &[Page]) -> Vec<Value> {
    Object::contents(pages.iter().flat_map(Page::own_items))
}
