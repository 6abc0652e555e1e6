//! The apply fixture for `managedFields`.

use super::ApplyFixture;
use super::owner::{Owner, expect_owned};
use crate::prelude::*;
use crate::string_map;

impl ApplyFixture {
    /// The fixture of a missing object of the scenario's subject. Skips where the server does not support apply, and so
    /// need not track field managers.
    pub(crate) async fn of_a_new_thing(cx: &Context) -> Result<Self, Halt> {
        let fixture = Self::of_the_subject(cx).await?;
        // Another name, in case the server ignores the dry run.
        let other = fixture.of("probe");
        other.send(other.applying("kube-assay-probe", &json!({})).query("dryRun", "All")).await?;
        Ok(fixture)
    }

    /// The fixture of an existing object, with the text `kept`.
    pub(crate) async fn of_a_tracked_thing(cx: &Context) -> Result<Self, Halt> {
        Self::of_a_new_thing(cx).await?;
        Self::of_a_thing(cx, &[("kept", "yes")]).await
    }

    /// The stored object with another text: for a PUT.
    pub(crate) async fn now_with(&self, key: &str, text: &str) -> Result<Value, Halt> {
        self.read().await?.written()?.with(&self.texts([(key, text)]))
    }

    /// The JSON pointer to a text.
    pub(crate) fn text_at(&self, key: &str) -> String {
        format!("{}/{key}", string_map::place(&self.collection))
    }

    /// An owner has exactly these texts; without texts, it has no entry.
    pub(crate) fn expect_owned_texts(&self, response: &Exchange, owner: Owner, keys: &[&str]) -> Checked {
        let paths: Vec<_> = keys.iter().map(|key| self.path_of_text(key)).collect();
        expect_owned(response, owner, &paths.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
