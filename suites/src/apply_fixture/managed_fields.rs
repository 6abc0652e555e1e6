//! The apply fixture for `managedFields`.

use super::ApplyFixture;
use super::owner::{Owner, expect_owned};
use crate::prelude::*;
use crate::string_map;

impl ApplyFixture {
    /// About an object of the scenario's subject that is not there yet. Skips where the server does not apply, and so
    /// need not record who owns what.
    pub(crate) async fn of_a_new_thing(cx: &Context) -> Result<Self, Halt> {
        let fixture = Self::of_the_subject(cx).await?;
        // Of another name, should the dry run be none.
        let other = fixture.of("probe");
        other.send(other.applying("kube-assay-probe", &json!({})).query("dryRun", "All")).await?;
        Ok(fixture)
    }

    /// The same about an object that is there, with the text `kept`.
    pub(crate) async fn of_a_tracked_thing(cx: &Context) -> Result<Self, Halt> {
        Self::of_a_new_thing(cx).await?;
        Self::of_a_thing(cx, &[("kept", "yes")]).await
    }

    /// The object as it is now, with another text: for a PUT.
    pub(crate) async fn now_with(&self, key: &str, text: &str) -> Result<Value, Halt> {
        let mut whole = self.read().await?.written()?.json().clone();
        if let Some(texts) = whole.pointer_mut(string_map::place(&self.collection)) {
            texts[key] = text.into();
        }
        Ok(whole)
    }

    /// A text's place as a JSON pointer.
    pub(crate) fn text_at(&self, key: &str) -> String {
        format!("{}/{key}", string_map::place(&self.collection))
    }

    /// An owner owns exactly these texts; of no texts, it has no entry.
    pub(crate) fn expect_owned_texts(&self, response: &Exchange, owner: Owner, keys: &[&str]) -> Checked {
        let paths: Vec<_> = keys.iter().map(|key| self.path_of_text(key)).collect();
        expect_owned(response, owner, &paths.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
