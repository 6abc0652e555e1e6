//! Texts of the object of a story: all types have some, so that one scenario asks the same of all (see [`crate::texts`]).

use harness::{Context, Exchange, Halt};
use serde_json::{Map, Value, json};

use super::Story;
use super::owner::{Owner, expect_owned};
use crate::texts::{self, Expected};

impl Story {
    /// About an object of the scenario's subject that is not there yet. Skips where the server does not apply, and so
    /// need not know who owns what.
    pub(crate) async fn of_a_new_thing(cx: &Context) -> Result<Self, Halt> {
        let story = Self::new(cx, cx.things().await?);
        story.ask(story.applying("kube-assay-probe", &json!({})).query("dryRun", "All")).await?;
        Ok(story)
    }

    /// About an object of the scenario's subject that somebody has created as a whole, with the text `kept`: whoever
    /// applies may apply parts of it.
    pub(crate) async fn of_a_thing(cx: &Context) -> Result<Self, Halt> {
        let story = Self::of_a_new_thing(cx).await?;
        story.posted("kube-assay-creator", &story.whole(&[("kept", "yes")])).await?;
        Ok(story)
    }

    /// All that an object of its type must have, and these texts.
    pub(crate) fn whole(&self, texts: &[(&str, &str)]) -> Value {
        texts::body(&self.things, self.name, texts)
    }

    /// These texts and nothing else, as fields to be applied or merged.
    pub(crate) fn texts(&self, texts: &[(&str, &str)]) -> Value {
        let texts: Map<_, _> = texts.iter().map(|(key, text)| ((*key).to_owned(), json!(text))).collect();
        texts::merge(&self.things, &Value::Object(texts))
    }

    /// The object as it is now, with another text: for a PUT.
    pub(crate) async fn now_with(&self, key: &str, text: &str) -> Result<Value, Halt> {
        let mut whole = self.read().await?.written()?.json().clone();
        if let Some(texts) = whole.pointer_mut(texts::place(&self.things)) {
            texts[key] = text.into();
        }
        Ok(whole)
    }

    /// A text's place as a JSON pointer.
    pub(crate) fn text_at(&self, key: &str) -> String {
        format!("{}/{key}", texts::place(&self.things))
    }

    /// A text's path among the fields that are owned, such as `f:data/f:k`.
    pub(crate) fn text_path(&self, key: &str) -> String {
        self.text_at(key).replace('/', "/f:").trim_start_matches('/').to_owned()
    }

    /// A text as causes of conflicts call it, such as `.data.k`.
    pub(crate) fn text_field(&self, key: &str) -> String {
        self.text_at(key).replace('/', ".")
    }

    /// The answer shows the object with these texts.
    pub(crate) fn expect_texts(&self, answer: &Exchange, expected: &[Expected]) -> Result<(), Halt> {
        texts::expect(&self.things, answer, expected)
    }

    /// An owner owns exactly these texts; of no texts, it has no entry.
    pub(crate) fn expect_owned_texts(
        &self,
        answer: &Exchange,
        owner: Owner,
        keys: &[&str],
    ) -> Result<(), Halt> {
        let paths: Vec<_> = keys.iter().map(|key| self.text_path(key)).collect();
        expect_owned(answer, owner, &paths.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
