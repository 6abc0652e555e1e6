//! The level Warn: one Warning header for each field.

use super::{TWICE, UNKNOWN, at, post, post_text, warning, with_duplicate, with_unknown};
use crate::deployments;
use crate::prelude::*;

rows![
    fieldval_warn_header_unknown,
    fieldval_warn_header_duplicate,
    fieldval_warn_one_item_per_field,
    fieldval_warn_header_format,
    fieldval_warn_nested_path.own_kinds(),
];

async fn fieldval_warn_header_unknown(cx: Context, collection: ClosedSchema) -> Checked {
    let mut body = with_unknown(&collection, "a");
    body["metadata"]["assayWithin"] = json!(1);

    let created = cx.send(at("Warn", post(&collection, &body))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;
    warning::expect(&created, "metadata.assayWithin")
}

async fn fieldval_warn_header_duplicate(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(at("Warn", post_text(&collection, &with_duplicate(&collection, "a")))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, &format!("metadata.labels.{TWICE}"))
}

/// Unknown fields; no name contains another.
const THREE: [&str; 3] = ["assayFirst", "assaySecond", "assayThird"];

async fn fieldval_warn_one_item_per_field(cx: Context, collection: ClosedSchema) -> Checked {
    let mut body = collection.body("a", "first");
    for field in THREE {
        body[field] = json!(1);
    }

    let created = cx.send(at("Warn", post(&collection, &body))).await?;

    created.expect_status(&[201])?;
    let texts: Vec<_> = THREE.iter().flat_map(|field| warning::naming(&created, field)).collect();
    let own = |text: &String| THREE.iter().filter(|field| text.contains(**field)).count() == 1;
    let each = THREE.iter().all(|field| warning::naming(&created, field).len() == 1);
    let expected = format!("one Warning for each of {THREE:?}");
    created.expect(each && texts.iter().all(own), expected, warning::shown(&created))
}

/// A name that needs escapes.
const ODD: &str = "assay\"odd\\name";

async fn fieldval_warn_header_format(cx: Context, collection: ClosedSchema) -> Checked {
    let mut body = with_unknown(&collection, "a");
    body[ODD] = json!(1);

    let created = cx.send(at("Warn", post(&collection, &body))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;
    warning::expect(&created, "odd")?;
    for header in warning::headers(&created) {
        let warnings = warning::parse(header).unwrap_or_default();
        let formed = |warning: &warning::Warning| warning.code == "299" || !warning.text.contains("assay");
        let right = !warnings.is_empty() && warnings.iter().all(formed);
        created.expect(right, r#"Warning: 299 - "text", with escaped quotes"#, header)?;
    }
    Ok(())
}

async fn fieldval_warn_nested_path(cx: Context, collection: Deployments) -> Checked {
    let mut body = deployments::body("a");
    body["spec"]["template"]["spec"]["containers"][0][UNKNOWN] = json!(1);

    let created = cx.send(at("Warn", post(&collection, &body))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, "spec.template.spec.containers[0].assayUnknown")
}
