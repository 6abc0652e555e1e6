//! String fields that objects of every kind have.
//!
//! Another manager has created the object, so the applies of a scenario need only the texts that they test:
//! [`crate::string_map`] has the place of the texts.

use super::ApplyFixture;
use super::owner::{self, Owner};
use crate::prelude::*;
use crate::string_map;

/// The manager that creates the object.
pub(crate) const CREATOR: &str = "creator";

/// A write other than an apply.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// PUT of the whole object.
    Put,
    /// A merge patch.
    Merge,
    /// A JSON patch.
    Json,
    /// A strategic merge patch, for built-in types only.
    Strategic,
}

impl ApplyFixture {
    /// The fixture of an object of the scenario's subject that [`CREATOR`] has created with these texts.
    pub(crate) async fn of_a_thing(cx: &Context, texts: &[(&str, &str)]) -> Result<Self, Halt> {
        let fixture = Self::of_the_subject(cx).await?;
        fixture.posted(CREATOR, &fixture.whole(texts)).await?;
        Ok(fixture)
    }

    /// These texts, as fields of an object.
    pub(crate) fn texts<'a>(&self, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Value {
        let texts = texts.into_iter().map(|(key, text)| (key.to_owned(), json!(text)));
        string_map::merge(&self.collection, &Value::Object(texts.collect()))
    }

    /// A change of an existing text, based on the stored object.
    pub(crate) async fn changing(
        &self,
        way: Way,
        manager: &str,
        key: &str,
        text: &str,
    ) -> Result<Request, Halt> {
        let texts = self.texts([(key, text)]);
        Ok(match way {
            Way::Put => self.putting(manager, &self.now_with(key, text).await?),
            Way::Merge => self.merging(manager, &texts),
            Way::Json => {
                let path = self.text_at(key);
                self.editing(manager, &json!([{ "op": "replace", "path": path, "value": text }]))
            }
            Way::Strategic => self.merging_strategically(manager, &texts),
        })
    }

    /// The removal of an existing text, by PUT of the stored object or by a merge patch.
    pub(crate) async fn removing(&self, way: Way, manager: &str, key: &str) -> Result<Request, Halt> {
        if !matches!(way, Way::Put) {
            return Ok(self.merging(manager, &string_map::merge(&self.collection, &json!({ key: null }))));
        }
        let mut whole = self.read().await?.written()?.json().clone();
        let texts = whole.pointer_mut(string_map::place(&self.collection)).and_then(Value::as_object_mut);
        texts.and_then(|texts| texts.shift_remove(key));
        Ok(self.putting(manager, &whole))
    }

    /// The path of a text, as in `fieldsV1`: `f:data/f:a`.
    pub(crate) fn path_of_text(&self, key: &str) -> String {
        let steps = string_map::place(&self.collection).trim_start_matches('/').split('/').chain([key]);
        steps.map(|step| format!("f:{step}")).collect::<Vec<_>>().join("/")
    }

    /// The path of a text, as in causes of a conflict: `.data.a`.
    pub(crate) fn field_of_text(&self, key: &str) -> String {
        format!("{}.{key}", string_map::place(&self.collection).replace('/', "."))
    }

    /// The response and the stored object have these texts.
    pub(crate) async fn expect_texts(&self, response: &Exchange, texts: &[string_map::Expected]) -> Checked {
        string_map::expect_stored(&self.collection, self.name, response, texts).await
    }

    /// Exactly these owners have a text.
    pub(crate) fn expect_owners(&self, response: &Exchange, key: &str, owners: &[Owner]) -> Checked {
        owner::expect_owners(response, &self.path_of_text(key), owners)
    }
}
