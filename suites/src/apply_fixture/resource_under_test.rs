//! The apply fixture on the resource under test.

use super::ApplyFixture;
use crate::prelude::*;
use crate::{patch_types, string_map, unchanged_object};

impl ApplyFixture {
    /// About an object of the scenario's subject.
    pub(crate) async fn of_the_subject(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, cx.collection_under_test().await?))
    }

    /// The whole object with these texts: as much as it takes to create it.
    pub(crate) fn whole(&self, texts: &[(&str, &str)]) -> Value {
        string_map::body(&self.collection, self.name, texts)
    }

    /// The identity of the object, and these texts.
    pub(crate) fn holding(&self, texts: &[(&str, &str)]) -> Value {
        self.body(&self.texts(texts.iter().copied()))
    }

    /// An apply of this body.
    pub(crate) fn applying_body(&self, manager: &str, body: &Value) -> Request {
        patch_types::apply(&self.collection, self.name, manager, body)
    }

    /// An apply of the whole object.
    pub(crate) fn applying_whole(&self, manager: &str, texts: &[(&str, &str)]) -> Request {
        self.applying_body(manager, &self.whole(texts))
    }

    /// An apply of nothing but these texts.
    pub(crate) fn applying_texts(&self, manager: &str, texts: &[(&str, &str)]) -> Request {
        self.applying_body(manager, &self.holding(texts))
    }

    /// Creates the whole object by a POST, as a part of what leads up to a question, and reads it.
    pub(crate) async fn created(&self, texts: &[(&str, &str)]) -> Result<Object, Halt> {
        string_map::create(&self.collection, self.name, texts).await?;
        self.read().await?.written()
    }

    /// There is no such object.
    pub(crate) async fn expect_absent(&self) -> Checked {
        unchanged_object::expect_absent(&self.collection, self.name).await
    }

    /// The object is as it was when it was read.
    pub(crate) async fn expect_unchanged(&self, before: &Object) -> Checked {
        unchanged_object::expect_unchanged(&self.collection, self.name, before).await
    }
}
