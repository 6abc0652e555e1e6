//! `details` of a Status: group, kind and name.

use crate::invalid_requests::{self, MISSING};
use crate::patch_types;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [table(DETAILS, Kinds::All, details), vec![row!(status_object_conflict_custom_details)]].concat()
}

/// The subject of the details of a Status.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    Kind,
    Object,
}

/// The reason for an invalid request, and the subject of the details of its Status.
#[rustfmt::skip]
const DETAILS: &[(&str, (&str, Named))] = &[
    ("status-object-notfound-details-kind",      ("NotFound",      Named::Kind)),
    ("status-object-notfound-details-name",      ("NotFound",      Named::Object)),
    ("status-object-alreadyexists-details-kind", ("AlreadyExists", Named::Kind)),
    ("status-object-alreadyexists-details-name", ("AlreadyExists", Named::Object)),
    ("status-object-invalid-details-kind",       ("Invalid",       Named::Kind)),
    ("status-object-invalid-details-name",       ("Invalid",       Named::Object)),
];

async fn details(cx: Context, (reason, named): (&'static str, Named)) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;
    let name = match reason {
        "NotFound" => MISSING,
        "Invalid" => "b",
        _ => NAME,
    };

    for response in rejections(&cx, &stored, reason).await? {
        named.expect(&response, &stored.collection, name)?;
    }
    Ok(())
}

/// Sends the invalid requests that must be rejected with this reason.
pub(super) async fn rejections(
    cx: &Context,
    stored: &StoredObject,
    reason: &'static str,
) -> Result<Vec<Arc<Exchange>>, Halt> {
    let mut responses = Vec::new();
    for invalid in invalid_requests::all(stored).into_iter().filter(|invalid| invalid.reason == reason) {
        let response = cx.send(invalid.request).await?;
        response.expect_error(&[invalid.code], &[reason])?;
        responses.push(response);
    }
    Ok(responses)
}

impl Named {
    /// The details, if any, name the kind and the group of the collection, or the object.
    pub(super) fn expect(self, response: &Exchange, collection: &Collection, name: &str) -> Checked {
        let resource = collection.resource();
        match self {
            Self::Kind => {
                // Of an invalid object, kube-apiserver gives the kind instead of the resource.
                let kinds = [resource.plural.as_str(), resource.kind.as_str()];
                let legal = if response.status() == 422 { &kinds[..] } else { &kinds[..1] };
                expect_named(response, "kind", legal)?;
                expect_named(response, "group", &[&resource.group])
            }
            Self::Object => expect_named(response, "name", &[&collection.name_of(name)]),
        }
    }
}

/// A field of the details is one of these, or absent.
pub(super) fn expect_named(response: &Exchange, field: &str, legal: &[&str]) -> Checked {
    let actual = response.json().map_or(&Value::Null, |status| &status["details"][field]);
    let right = actual.is_null() || actual.as_str().is_some_and(|actual| legal.contains(&actual));
    response.expect(right, format!("details.{field}: {}, if any", legal.join(" or ")), actual.to_string())
}

async fn status_object_conflict_custom_details(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    let collection = &stored.collection;
    for response in rejections(&cx, &stored, "Conflict").await? {
        Named::Object.expect(&response, collection, NAME)?;
        expect_causes_with_fields(&response)?;
    }

    let apply = |manager: &str, label: &str| {
        let resource = collection.resource();
        let body = json!({
            "apiVersion": resource.api_version(), "kind": resource.kind,
            "metadata": { "name": collection.name_of(NAME), "labels": { "assay-wanted": label } },
        });
        cx.send(patch_types::apply(collection, NAME, manager, &body))
    };
    let first = apply("kube-assay-first", "this").await?;
    if first.status() == 415 {
        cx.note("conflicts of field managers not tested: the server does not support apply");
        return Ok(());
    }
    first.written()?;
    let second = apply("kube-assay-second", "that").await?;
    second.expect_error(&[409], &["Conflict"])?;
    expect_causes_with_fields(&second)
}

/// Each cause, if there are any, has a reason and a field.
fn expect_causes_with_fields(response: &Exchange) -> Checked {
    let causes = response.json().and_then(|status| status["details"]["causes"].as_array());
    let incomplete = causes.into_iter().flatten().find(|cause| {
        let has = |field: &str| cause[field].as_str().is_some_and(|text| !text.is_empty());
        !(has("reason") && has("field"))
    });
    let actual = incomplete.map(ToString::to_string).unwrap_or_default();
    response.expect(incomplete.is_none(), "causes with a reason and a field", actual)
}
