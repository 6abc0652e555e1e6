//! `details` of a Status: group, kind and name.

use crate::invalid_requests::{self, MISSING};
use crate::patch_types;
use crate::prelude::*;
use crate::scenario::Fixture;

pub(super) fn rows() -> Vec<Row> {
    [
        table(DETAILS, Kinds::All, details_name_what_was_refused),
        vec![row!(status_object_conflict_custom_details)],
    ]
    .concat()
}

/// Which mistake is made, and what its details name.
type NamedRow = (&'static str, Named);

#[derive(Debug, Clone, Copy)]
enum Named {
    Kind,
    Object,
}

#[rustfmt::skip]
const DETAILS: &[(&str, NamedRow)] = &[
    ("status-object-notfound-details-kind",      ("NotFound",      Named::Kind)),
    ("status-object-notfound-details-name",      ("NotFound",      Named::Object)),
    ("status-object-alreadyexists-details-kind", ("AlreadyExists", Named::Kind)),
    ("status-object-alreadyexists-details-name", ("AlreadyExists", Named::Object)),
    ("status-object-invalid-details-kind",       ("Invalid",       Named::Kind)),
    ("status-object-invalid-details-name",       ("Invalid",       Named::Object)),
];

async fn details_name_what_was_refused(cx: Context, row: NamedRow) -> Checked {
    let (reason, named) = row;
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;
    let collection = &stored.collection;

    for mistake in invalid_requests::all(&stored).into_iter().filter(|mistake| mistake.reason == reason) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_error(&[mistake.code], &[reason])?;
        match named {
            Named::Kind => expect_kind(&refused, collection)?,
            Named::Object => {
                let name = match reason {
                    "NotFound" => MISSING,
                    "Invalid" => "b",
                    _ => NAME,
                };
                expect_named(&refused, "name", &[&collection.name_of(name)])?;
            }
        }
    }
    Ok(())
}

/// The kind, if any, is the resource; of an invalid object, it may be the kind. The group, if any, is the resource's.
pub(super) fn expect_kind(refused: &Exchange, collection: &Collection) -> Checked {
    let resource = collection.resource();
    let kinds = [resource.plural.as_str(), resource.kind.as_str()];
    let legal = if refused.status() == 422 { &kinds[..] } else { &kinds[..1] };
    expect_named(refused, "kind", legal)?;
    expect_named(refused, "group", &[&resource.group])
}

/// A member of the details is one of these, or is not there.
pub(super) fn expect_named(refused: &Exchange, field: &str, legal: &[&str]) -> Checked {
    let details = refused.json().map_or(&Value::Null, |status| &status["details"]);
    let named = &details[field];
    let right = named.is_null() || named.as_str().is_some_and(|named| legal.contains(&named));
    refused.expect(right, format!("details.{field}: {}, if any", legal.join(" or ")), named.to_string())
}

async fn status_object_conflict_custom_details(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    let collection = &stored.collection;
    for mistake in invalid_requests::all(&stored).into_iter().filter(|mistake| mistake.reason == "Conflict") {
        let refused = cx.send(mistake.request).await?;

        refused.expect_error(&[409], &["Conflict"])?;
        expect_named(&refused, "name", &[&collection.name_of(NAME)])?;
        expect_causes_with_fields(&refused)?;
    }

    // Two managers want one label to be different.
    let wants = |value: &str| {
        let resource = collection.resource();
        json!({
            "apiVersion": resource.api_version(), "kind": resource.kind,
            "metadata": { "name": collection.name_of(NAME), "labels": { "assay-wanted": value } },
        })
    };
    let first = cx.send(patch_types::apply(collection, NAME, "kube-assay-first", &wants("this"))).await?;
    if first.status() == 415 {
        cx.note("not asked about conflicts of managers: this server does not apply");
        return Ok(());
    }
    first.written()?;
    let refused = cx.send(patch_types::apply(collection, NAME, "kube-assay-second", &wants("that"))).await?;
    refused.expect_error(&[409], &["Conflict"])?;
    expect_causes_with_fields(&refused)
}

/// Each cause, if there are any, says with which field the conflict is.
fn expect_causes_with_fields(refused: &Exchange) -> Checked {
    let causes = refused.json().and_then(|status| status["details"]["causes"].as_array());
    let lacking = causes.into_iter().flatten().find(|cause| {
        let said = |field: &str| cause[field].as_str().is_some_and(|text| !text.is_empty());
        !(said("reason") && said("field"))
    });
    let shown = lacking.map(ToString::to_string).unwrap_or_default();
    refused.expect(lacking.is_none(), "causes with a reason and a field", shown)
}
