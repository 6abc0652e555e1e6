//! Custom resource definitions: fields of each version in place of common ones, and required fields.

use super::creation::{Case, Creations, INVALID, REQUIRED, accepted, create, creations, invalid};
use super::draft::Draft;
use super::manifest::{Manifest, REMOVED, manifest};
use crate::definitions::{self, PLURAL};
use crate::prelude::*;
use crate::removed_apis::api::cluster;
use crate::tables::response::{TABLE, Table};

pub(super) fn rows() -> Vec<Row> {
    let own = [
        row!(migrated_fields_crd_spec_subresources_removed).own_kinds().waits(),
        row!(migrated_fields_crd_spec_printercolumns_removed).own_kinds(),
        row!(migrated_fields_crd_preserveunknownfields_in_schema).own_kinds().waits(),
    ];
    table(CREATIONS, Kinds::Own, create).into_iter().chain(own).collect()
}

/// A definition with one version, whose schema keeps unknown fields.
const DEFINITION: Manifest = manifest(
    cluster("apiextensions.k8s.io/v1", "customresourcedefinitions", "CustomResourceDefinition"),
    |cx, _| definitions::body(cx, &definitions::group(cx, "migrated")),
)
.of_feature("CustomResources");

const DEFINITIONS: &[Manifest] = &[DEFINITION];

const SCHEMA: &str = "/spec/versions/0/schema";
const CONVERSION: &str = "/spec/conversion";
const CLIENT: &str = r#"{"url":"https://127.0.0.1:1/"}"#;
const WEBHOOK: &str = r#"{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://127.0.0.1:1/"},"conversionReviewVersions":["v1"]}}"#;
const OLD_WEBHOOK: &str = r#"{"strategy":"Webhook","webhookClientConfig":{"url":"https://127.0.0.1:1/"},"conversionReviewVersions":["v1"]}"#;
const COLUMN: &str = r#"[{"name":"A","type":"string","jsonPath":".spec.a"}]"#;

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-crd-scope-required", creations(DEFINITIONS, &[invalid(&[("/spec/scope", REMOVED)], REQUIRED, &["spec.scope"])])),
    ("migrated-fields-crd-spec-version-removed", creations(DEFINITIONS, &[
        invalid(&[("/spec/version", r#""v1""#), ("/spec/versions", REMOVED)], INVALID, &[]).unknown(&["spec.version"]),
        accepted(&[("/spec/version", r#""v1""#)], &[("/spec/version", "null")]).unknown(&["spec.version"]),
    ])),
    ("migrated-fields-crd-spec-validation-removed", creations(DEFINITIONS, &[
        accepted(&[("/spec/validation", r#"{"openAPIV3Schema":{"type":"object"}}"#)], &[("/spec/validation", "null")])
            .unknown(&["spec.validation"]),
    ])),
    ("migrated-fields-crd-conversion-webhook-clientconfig-moved", creations(DEFINITIONS, &[
        invalid(&[(CONVERSION, OLD_WEBHOOK)], INVALID, &[])
            .unknown(&["spec.conversion.webhookClientConfig", "spec.conversion.conversionReviewVersions"]),
        accepted(&[(CONVERSION, WEBHOOK)], &[(CONVERSION, WEBHOOK)]),
    ])),
    ("migrated-fields-crd-conversion-reviewversions-moved", creations(DEFINITIONS, &[
        invalid(
            &[("/spec/conversion/strategy", r#""Webhook""#), ("/spec/conversion/webhook/clientConfig", CLIENT)], REQUIRED,
            &["spec.conversion.conversionReviewVersions", "spec.conversion.webhook.conversionReviewVersions"],
        ),
    ])),
    ("migrated-fields-crd-schema-required", creations(DEFINITIONS, &[
        invalid(&[(SCHEMA, REMOVED)], REQUIRED, &["spec.versions[0].schema.openAPIV3Schema"]),
    ])),
    ("migrated-fields-crd-schema-structural", creations(DEFINITIONS, &[
        invalid(
            &[(SCHEMA, r#"{"openAPIV3Schema":{"properties":{"a":{"type":"string"}}}}"#)], REQUIRED,
            &["spec.validation.openAPIV3Schema.type", "spec.versions[0].schema.openAPIV3Schema.type"],
        ),
        invalid(
            &[(SCHEMA, r#"{"openAPIV3Schema":{"type":"object","properties":{"a":{}}}}"#)], REQUIRED,
            &["spec.validation.openAPIV3Schema.properties[a].type", "spec.versions[0].schema.openAPIV3Schema.properties[a].type"],
        ),
    ])),
    ("migrated-fields-crd-preserveunknownfields-true-refused", creations(DEFINITIONS, &[
        invalid(&[("/spec/preserveUnknownFields", "true")], INVALID, &["spec.preserveUnknownFields"]),
        accepted(&[("/spec/preserveUnknownFields", "false")], &[]),
    ])),
    ("migrated-fields-crd-printercolumn-jsonpath-renamed", creations(DEFINITIONS, &[
        invalid(
            &[(COLUMNS, r#"[{"name":"A","type":"string","JSONPath":".spec.a"}]"#)], REQUIRED,
            &["spec.additionalPrinterColumns[0].JSONPath", "spec.versions[0].additionalPrinterColumns[0].JSONPath",
              "spec.versions[0].additionalPrinterColumns[0].jsonPath"],
        )
        .unknown(&["spec.versions[0].additionalPrinterColumns[0].JSONPath"]),
        accepted(&[(COLUMNS, COLUMN)], &[(COLUMNS, COLUMN)]),
    ])),
];

const COLUMNS: &str = "/spec/versions/0/additionalPrinterColumns";

/// Creates a definition that has a field at the top, where it is unknown, and in its second version. Returns the paths of
/// its versions.
async fn define(cx: &Context, field: &str, value: &Value) -> Result<[String; 2], Halt> {
    let mut definition = definitions::body(cx, &definitions::group(cx, "migrated"));
    let spec = &mut definition["spec"];
    spec[field] = value.clone();
    spec["versions"] = json!([definitions::version("v1"), definitions::version("v2")]);
    spec["versions"][1][field] = value.clone();
    let root = format!("/apis/{}", spec["group"].as_str().unwrap_or_default());
    let namespace = cx.namespace().await?;
    let [first, second] =
        ["v1", "v2"].map(|version| format!("{root}/{version}/namespaces/{namespace}/{PLURAL}"));
    definitions::serve(cx, &definition, &first).await?;
    Ok([first, second])
}

const SUBRESOURCES: Case =
    accepted(&[("/spec/subresources", r#"{"status":{}}"#)], &[("/spec/subresources", "null")])
        .unknown(&["spec.subresources"]);

async fn migrated_fields_crd_spec_subresources_removed(cx: Context) -> Checked {
    SUBRESOURCES.run(&Draft::of(&cx, DEFINITION).await?).await?;

    let [first, second] = define(&cx, "subresources", &json!({ "status": {} })).await?;
    create_object(&cx, &first, &json!({})).await?.written()?;

    cx.send(Request::get(format!("{first}/{NAME}/status"))).await?.expect_status(&[404])?;
    cx.send(Request::get(format!("{second}/{NAME}/status"))).await?.expect_status(&[200])
}

const PRINTER_COLUMNS: Case = accepted(
    &[("/spec/additionalPrinterColumns", COLUMN)],
    &[("/spec/additionalPrinterColumns", "null"), (COLUMNS, "null")],
)
.unknown(&["spec.additionalPrinterColumns"]);

async fn migrated_fields_crd_spec_printercolumns_removed(cx: Context) -> Checked {
    PRINTER_COLUMNS.run(&Draft::of(&cx, DEFINITION).await?).await?;

    let column = json!([{ "name": "Migrated", "type": "string", "jsonPath": ".spec.a" }]);
    let [first, second] = define(&cx, "additionalPrinterColumns", &column).await?;

    for (path, expected) in [(first, false), (second, true)] {
        let table = Table::offered(&cx, cx.send(Request::get(path).accept(TABLE)).await?)?;
        let shown = table.columns().iter().any(|column| column["name"] == "Migrated");
        let version = if expected { "of the version" } else { "of the definition as a whole" };
        let expected_text = format!("the column {version} is {}shown", if expected { "" } else { "not " });
        table.expect_that(shown == expected, &expected_text, table.json())?;
    }
    Ok(())
}

async fn migrated_fields_crd_preserveunknownfields_in_schema(cx: Context) -> Checked {
    let definition = definitions::body(&cx, &definitions::group(&cx, "migrated"));
    let root = format!("/apis/{}/v1", definition["spec"]["group"].as_str().unwrap_or_default());
    let path = format!("{root}/namespaces/{}/{PLURAL}", cx.namespace().await?);
    definitions::serve(&cx, &definition, &path).await?;

    let created = create_object(&cx, &path, &json!({ "spec": { "x": { "y": [1] } }, "other": true })).await?;

    let kept = [("/spec/x", json!({ "y": [1] })), ("/other", json!(true))];
    created.expect_status(&[201])?;
    created.expect_values(&kept)?;
    cx.send(Request::get(format!("{path}/{NAME}"))).await?.expect_values(&kept)
}

/// Creates an object of the defined type in its first version, with these fields. kube-apiserver takes 2 s for the first
/// object of a type.
async fn create_object(cx: &Context, path: &str, fields: &Value) -> Result<Arc<Exchange>, Halt> {
    let group = path.split('/').nth(2).unwrap_or_default();
    let mut object = fields.clone();
    object["apiVersion"] = format!("{group}/v1").into();
    object["kind"] = "Trier".into();
    object["metadata"]["name"] = NAME.into();
    cx.yield_place_while(cx.send(Request::post(path, &object))).await
}
