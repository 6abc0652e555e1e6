//! Ownership after an applier moves to another API version.

use crate::apply_fixture::custom_type::in_two_versions;
use crate::apply_fixture::owner::{entries, owners_text};
use crate::prelude::*;

rows![apply_ownership_change_api_version.own_kinds()];

async fn apply_ownership_change_api_version(cx: Context) -> Checked {
    let [first, second] = in_two_versions(&cx).await?;
    first.applied("m1", &json!({ "spec": { "value": "x", "size": 2 } })).await?;

    let response = second.send(second.applying("m1", &json!({ "spec": { "size": 2 } }))).await?;

    response.expect_values(&[("/spec/size", json!(2)), ("/spec/value", Value::Null)])?;
    let (object, version) = (response.object()?, second.collection.resource().api_version());
    let own: Vec<_> = entries(&object).iter().filter(|entry| entry["manager"] == "m1").collect();
    let one = own.len() == 1 && own[0]["apiVersion"] == version.as_str();
    response.expect(
        one,
        format!("one entry of m1, of apiVersion {version}"),
        format!("{own:?}: {}", owners_text(&object)),
    )
}
