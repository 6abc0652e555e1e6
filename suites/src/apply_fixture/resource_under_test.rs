//! The apply fixture on the resource under test.

use super::ApplyFixture;
use crate::prelude::*;
use crate::{patch_types, string_map, unchanged_object};

impl ApplyFixture {
    /// The fixture of an object of the scenario's subject.
    pub(crate) async fn of_the_subject(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, cx.collection_under_test().await?))
    }

    /// The complete object with these texts.
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

    /// An apply of the complete object.
    pub(crate) fn applying_whole(&self, manager: &str, texts: &[(&str, &str)]) -> Request {
        self.applying_body(manager, &self.whole(texts))
    }

    /// An apply of these texts alone.
    pub(crate) fn applying_texts(&self, manager: &str, texts: &[(&str, &str)]) -> Request {
        self.applying_body(manager, &self.holding(texts))
    }

    /// Creates the complete object by a POST, as a part of the fixture, and reads it.
    pub(crate) async fn created(&self, texts: &[(&str, &str)]) -> Result<Object, Halt> {
        string_map::create(&self.collection, self.name, texts).await?;
        self.read().await?.written()
    }

    /// The object does not exist.
    pub(crate) async fn expect_absent(&self) -> Checked {
        unchanged_object::expect_absent(&self.collection, self.name).await
    }

    /// The object is unchanged since it was read.
    pub(crate) async fn expect_unchanged(&self, before: &Object) -> Checked {
        unchanged_object::expect_unchanged(&self.collection, self.name, before).await
    }
}
