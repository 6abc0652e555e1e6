//! Stories of the scenario's subject, whatever its type: what managers write into it are texts.

use harness::{Context, Exchange, Halt, Object, Request};
use serde_json::{Map, Value, json};

use super::Story;
use crate::texts::{self, Expected};
use crate::{forms, unchanged};

impl Story {
    /// About an object of the scenario's subject.
    pub(crate) async fn of_the_subject(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, cx.things().await?))
    }

    /// The whole object with these texts: as much as it takes to create it.
    pub(crate) fn whole(&self, texts: &[(&str, &str)]) -> Value {
        texts::body(&self.things, self.name, texts)
    }

    /// What says which object it is, and these texts.
    pub(crate) fn holding(&self, texts: &[(&str, &str)]) -> Value {
        let texts: Map<_, _> = texts.iter().map(|(key, text)| ((*key).to_owned(), json!(text))).collect();
        self.body(&texts::merge(&self.things, &Value::Object(texts)))
    }

    /// An apply of this body.
    pub(crate) fn applying_body(&self, manager: &str, body: &Value) -> Request {
        forms::apply(&self.things, self.name, manager, body)
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
        texts::create(&self.things, self.name, texts).await?;
        self.read().await?.written()
    }

    /// How an owner's path to a text is written.
    pub(crate) fn path_to(&self, key: &str) -> String {
        let place = texts::place(&self.things).trim_start_matches('/');
        format!("f:{}/f:{key}", place.replace('/', "/f:"))
    }

    /// The answer, and what is stored, show an object with these texts.
    pub(crate) async fn expect_stored(&self, answer: &Exchange, texts: &[Expected]) -> Result<(), Halt> {
        texts::expect_stored(&self.things, self.name, answer, texts).await
    }

    /// There is no such object.
    pub(crate) async fn expect_absent(&self) -> Result<(), Halt> {
        unchanged::expect_absent(&self.things, self.name).await
    }

    /// The object is as it was when it was read.
    pub(crate) async fn expect_unchanged(&self, before: &Object) -> Result<(), Halt> {
        unchanged::expect_unchanged(&self.things, self.name, before).await
    }
}
