//! Entries of writes through subresources.

use crate::apply_fixture::owner::{
    Owner, applier, entries, entry_of, expect_no_entry, expect_owns, owned_by, owners_text, updater,
};
use crate::prelude::*;

rows![
    managed_fields_entry_subresource.with_status(),
    managed_fields_subresource_distinguishes_manager.with_status(),
    managed_fields_subresource_api_version_is_main.with_status(),
    managed_fields_not_changeable_via_subresource.with_status(),
];

/// The response to a patch of the status; a failure is a test error.
async fn patch_status(
    fixture: &ApplyFixture,
    form: &str,
    manager: &str,
    body: &Value,
) -> Result<Arc<Exchange>, Halt> {
    fixture.write_response(status_patch(fixture, form, manager, body)).await
}

fn status_patch(fixture: &ApplyFixture, form: &str, manager: &str, body: &Value) -> Request {
    let request = Request::new(Method::PATCH, fixture.collection.status_path_of(fixture.name));
    request.json(form, body).query("fieldManager", manager)
}

/// The manager owns a field of the status.
fn expect_owns_status(response: &Exchange, manager: &'static str, operation: &'static str) -> Checked {
    let owner = Owner { manager, operation, subresource: "status" };
    let object = response.object()?;
    let owns = owned_by(&object, owner).iter().any(|path| path.starts_with("f:status/"));
    response.expect(owns, format!("{owner} as owner of a field of the status"), owners_text(&object))
}

async fn managed_fields_entry_subresource(fixture: Tracked) -> Checked {
    let status = patch_status(&fixture, MERGE, "u", &fixture.collection.status_change("v")?).await?;
    expect_owns_status(&status, "u", "Update")?;
    expect_no_entry(&status, updater("u"))?;

    let merged = fixture.write_response(fixture.merging("u", &fixture.texts([("a", "1")]))).await?;
    fixture.expect_owned_texts(&merged, updater("u"), &["a"])?;
    expect_owns_status(&merged, "u", "Update")?;

    let by_json = fixture.collection.status_change("w")?["status"].take();
    for (manager, form, body) in [
        ("j", JSON, json!([{ "op": "add", "path": "/status", "value": by_json }])),
        ("s", STRATEGIC, fixture.collection.status_change("x")?),
    ] {
        let request = status_patch(&fixture, form, manager, &body);
        if let Some(patched) = fixture.cx.send_if_offered(request).await? {
            expect_owns_status(&patched, manager, "Update")?;
        }
    }
    Ok(())
}

async fn managed_fields_subresource_distinguishes_manager(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let body = fixture.body(&fixture.collection.status_change("v")?);

    let status = patch_status(&fixture, APPLY, "m1", &body).await?;
    fixture.expect_owned_texts(&status, applier("m1"), &["a"])?;
    expect_owns_status(&status, "m1", "Apply")?;
    let applied = status.object()?.json()["status"].clone();

    let again = fixture.write_response(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;
    fixture.expect_owned_texts(&again, applier("m1"), &["b"])?;
    expect_owns_status(&again, "m1", "Apply")?;
    again.expect_value("/status", &applied)
}

async fn managed_fields_subresource_api_version_is_main(cx: Context, fixture: Tracked) -> Checked {
    Halt::skip_unless(fixture.collection.has_scale(), "the type has no scale subresource")?;
    fixture.merged("p", &json!({ "spec": { "replicas": 1 } })).await?;
    let path = fixture.collection.scale_path_of(fixture.name);
    let scale = cx.send(Request::get(&path)).await?.written()?;
    let scale = scale.with(&json!({ "spec": { "replicas": 2 } }))?;

    cx.send(Request::put(&path, &scale).query("fieldManager", "u")).await?.expect_status(&[200])?;

    let got = fixture.read().await?;
    let owner = updater("u").through("scale");
    expect_owns(&got, owner, &["f:spec/f:replicas"])?;
    let object = got.object()?;
    let version = entry_of(&object, owner).map_or(&Value::Null, |entry| &entry["apiVersion"]);
    let main = fixture.collection.resource().api_version();
    got.expect(*version == main, format!("an entry of {owner} with apiVersion {main}"), version.to_string())
}

async fn managed_fields_not_changeable_via_subresource(fixture: Tracked) -> Checked {
    let before = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let mut change = fixture.collection.status_change("v")?;
    change["metadata"] = json!({ "managedFields": [{}] });

    let status = patch_status(&fixture, MERGE, "u", &change).await?;

    let object = status.object()?;
    let stay = entries(&before).iter().all(|entry| entries(&object).contains(entry));
    status.expect(stay, format!("the entries of before: {}", owners_text(&before)), owners_text(&object))?;
    expect_owns_status(&status, "u", "Update")
}
