//! `ObjectMeta` and `ListMeta` in the published `OpenAPI` documents.

use std::collections::BTreeSet;

use crate::api_resources;
use crate::openapi::{self, Definition, GroupKind};
use crate::prelude::*;

rows![metadata_schema_declares_object_fields.own_kinds().read_only()];

/// The fields of the metadata of every type.
#[rustfmt::skip]
const FIELDS: [&str; 9] = [
    "namespace", "name", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "labels",
    "annotations",
];

async fn metadata_schema_declares_object_fields(cx: Context) -> Checked {
    let served = served(&cx).await?;
    let published = openapi::published(&cx).await?;

    for object in published.definitions_of_kinds(|kind| served.contains(kind)) {
        expect_type_and_metadata(&object)?;
    }
    for metadata in published.all_definitions().filter(|definition| definition.kind() == "ObjectMeta") {
        let missing = FIELDS.iter().find(|field| metadata.property(field).is_none());
        let actual = format!("no {}", missing.unwrap_or(&""));
        metadata.expect(missing.is_none(), &FIELDS.join(", "), &actual)?;
    }
    Ok(())
}

/// The schema of an object has kind, apiVersion and `ObjectMeta`.
fn expect_type_and_metadata(object: &Definition<'_>) -> Checked {
    let property = |name: &str| object.property(name).unwrap_or(&Value::Null);
    for field in ["kind", "apiVersion"] {
        let schema = property(field);
        object.expect(schema["type"] == "string", &format!("{field}, a string"), &schema.to_string())?;
    }
    let metadata = property("metadata");
    let shared = object.follow(metadata).kind() == "ObjectMeta";
    object.expect(shared, "metadata that refers to ObjectMeta", &metadata.to_string())
}

/// The kinds of the API resources in discovery.
async fn served(cx: &Context) -> Result<BTreeSet<GroupKind>, Halt> {
    let mut served = BTreeSet::new();
    for (root, discovered) in api_resources::discovered(cx).await? {
        let (group, version) = api_resources::group_version(&root);
        let types = api_resources::resources(&discovered).filter(|resource| !is_subresource(resource));
        served.extend(types.filter_map(|resource| {
            let kind = resource["kind"].as_str()?.to_owned();
            Some(GroupKind { group: group.to_owned(), version: version.to_owned(), kind })
        }));
    }
    Ok(served)
}

fn is_subresource(resource: &Value) -> bool {
    resource["name"].as_str().is_some_and(|name| name.contains('/'))
}
