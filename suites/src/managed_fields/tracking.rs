//! Tracking of `managedFields` from creation on, in every response.

use crate::apply_fixture::owner::{
    applier, entries, expect_no_entry, expect_owns, expect_owns_none, owners_text, updater,
};
use crate::prelude::*;

rows![
    managed_fields_tracked_on_post,
    managed_fields_tracked_on_apply_create,
    managed_fields_stored_in_metadata,
    managed_fields_in_metadata_only_reads,
    managed_fields_no_last_applied_annotation,
    managed_fields_tracked_since_118.own_kinds(),
    managed_fields_accept_drop,
    managed_fields_deleted_object_recreated,
];

async fn managed_fields_tracked_on_post(fixture: Untracked) -> Checked {
    let posted = fixture.write_response(fixture.posting("p", &fixture.whole(&[("a", "1")]))).await?;

    for response in [posted, fixture.read().await?] {
        expect_owns(&response, updater("p"), &[&fixture.path_of_text("a")])?;
    }
    Ok(())
}

async fn managed_fields_tracked_on_apply_create(fixture: Untracked) -> Checked {
    let mut whole = fixture.whole(&[("a", "1")]);
    whole["metadata"]["labels"]["l"] = json!("x");

    let applied = fixture.write_response(fixture.applying("m1", &whole)).await?;

    let text = fixture.path_of_text("a");
    let paths = [text.as_str(), "f:metadata/f:labels/f:l"];
    expect_owns(&applied, applier("m1"), &paths)?;
    expect_owns_none(&applied, updater("m1"), &paths)
}

/// Whether two objects have the same entries, in any order.
fn have_same_entries(one: &Object, other: &Object) -> bool {
    let (one, other) = (entries(one), entries(other));
    one.len() == other.len() && one.iter().all(|entry| other.contains(entry))
}

async fn managed_fields_stored_in_metadata(fixture: Tracked) -> Checked {
    let name = fixture.collection.name_of(fixture.name);
    let only = format!("metadata.name={name}");
    let page = fixture.collection.list().fields(&only).page().await?;
    let mut watch = fixture.collection.watch().fields(&only).at(&page.version).open_as_fixture().await?;

    let applied = fixture.write_response(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_owned_texts(&applied, applier("m1"), &["a"])?;
    let written = applied.object()?;
    let expected = format!("the entries of the response to the write: {}", owners_text(&written));
    let got = fixture.read().await?;
    let object = got.object()?;
    got.expect(have_same_entries(&object, &written), &expected, owners_text(&object))?;
    let page = fixture.collection.list().fields(&only).page().await?;
    let listed = page.item(&name).ok_or_else(|| page.fail(&expected, "no such item"))?;
    page.expect(have_same_entries(listed, &written), &expected, owners_text(listed))?;
    let event = watch.expect("MODIFIED", &name).await?;
    watch.expect_that(have_same_entries(&event, &written), expected, owners_text(&event))
}

const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

async fn managed_fields_in_metadata_only_reads(cx: Context, fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let whole = fixture.read().await?.object()?;

    let got = cx.send(Request::get(fixture.path()).accept(METADATA)).await?;

    cx.require_feature("PartialObjectMetadata", got.status() != 406, got.brief())?;
    let object = got.object()?;
    got.expect(
        have_same_entries(&object, &whole),
        format!("the entries of the whole object: {}", owners_text(&whole)),
        owners_text(&object),
    )
}

/// The annotation of client-side apply.
const LAST: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

async fn managed_fields_no_last_applied_annotation(fixture: Untracked) -> Checked {
    let first =
        fixture.write_response(fixture.applying("m1", &fixture.whole(&[("a", "1"), ("b", "1")]))).await?;
    expect_no_annotation(&first)?;
    let second = fixture.write_response(fixture.applying("m1", &fixture.whole(&[("b", "1")]))).await?;
    expect_no_annotation(&second)?;

    fixture.expect_texts(&second, &[("a", None), ("b", Some("1"))]).await
}

fn expect_no_annotation(response: &Exchange) -> Checked {
    response.expect_value(LAST, &Value::Null)
}

/// Types with objects that no controller acts on, each with a minimal spec.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("", "configmaps", "ConfigMap", "null"),
    ("", "secrets", "Secret", "null"),
    ("", "serviceaccounts", "ServiceAccount", "null"),
    ("", "services", "Service", r#"{ "ports": [{ "port": 80 }] }"#),
    ("", "limitranges", "LimitRange", "null"),
    ("", "resourcequotas", "ResourceQuota", "null"),
    ("rbac.authorization.k8s.io", "roles", "Role", "null"),
    ("coordination.k8s.io", "leases", "Lease", "null"),
    ("networking.k8s.io", "networkpolicies", "NetworkPolicy", r#"{ "podSelector": {} }"#),
];

async fn managed_fields_tracked_since_118(cx: Context) -> Checked {
    ApplyFixture::of_a_new_thing(&cx).await?;
    let mut kinds = Vec::new();
    for &(group, plural, kind, spec) in KINDS {
        let spec: Value = serde_json::from_str(spec).unwrap_or_default();
        let collection = cx.collection_if_listed(Resource::of(group, "v1", plural, kind)).await?;
        kinds.extend(collection.map(|collection| (collection, spec)));
    }
    if cx.target_info().serves("apiextensions.k8s.io") {
        kinds.push((cx.gizmos().await?, Value::Null));
    }
    for (collection, spec) in kinds {
        let mut fields = json!({ "metadata": { "labels": { "l": "x" } } });
        if spec.is_object() {
            fields["spec"] = spec;
        }
        let fixture = ApplyFixture::new(&cx, collection);
        let posted = fixture.send(fixture.posting("p", &fields)).await?;
        expect_owns(&posted, updater("p"), &["f:metadata/f:labels/f:l"])?;
    }
    Ok(())
}

async fn managed_fields_accept_drop(cx: Context, fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let accept = "application/json; drop=metadata.managedFields";
    let got = cx.send(Request::get(fixture.path()).accept(accept)).await?;

    fixture.expect_owned_texts(&*fixture.read().await?, applier("m1"), &["a"])?;
    cx.require_feature("ManagedFieldsOptOut", got.status() != 406, got.brief())?;
    got.object().map(drop)
}

async fn managed_fields_deleted_object_recreated(cx: Context, fixture: Untracked) -> Checked {
    let whole = fixture.whole(&[("a", "1")]);
    fixture.applied("m1", &whole).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;
    fixture.collection.delete(fixture.name).await?;
    let gone = cx.eventually(|| async { Ok((fixture.read().await?.status() == 404).then_some(())) });
    gone.await?.ok_or_else(|| cx.test_error("delete the object", "it still exists"))?;

    let again = fixture.write_response(fixture.applying("m1", &whole)).await?;

    again.expect_status(&[201])?;
    expect_owns(&again, applier("m1"), &[&fixture.path_of_text("a")])?;
    expect_no_entry(&again, applier("m2"))
}
