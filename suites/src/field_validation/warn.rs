//! Warn: the request succeeds, and the client is told of every field.

use harness::{Context, Halt, Suite};
use serde_json::json;

use super::unknown::expect_dropped;
use super::{TWICE, UNKNOWN, at, post, post_text, warning, with_duplicate, with_unknown};
use crate::deployments;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-warn-succeeds", warn_drops_what_is_unknown)
        .on_every_shape()
        .scenario("fieldval-warn-header-unknown", an_unknown_field_is_named_by_its_path)
        .on_every_shape()
        .scenario("fieldval-warn-header-duplicate", a_duplicate_field_is_named_by_its_path)
        .on_every_shape()
        .scenario("fieldval-warn-one-item-per-field", each_field_has_a_warning_of_its_own)
        .on_every_shape()
        .scenario("fieldval-warn-header-format", a_warning_has_code_agent_and_quoted_text)
        .on_every_shape()
}

/// Adds what is asked of types with lists.
pub(super) fn add_of_some_types(suite: Suite) -> Suite {
    suite.scenario("fieldval-warn-nested-path", a_path_names_the_element_of_a_list)
}

async fn warn_drops_what_is_unknown(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(at("Warn", post(&things, &with_unknown(&things, "a")))).await?;

    created.expect_status(&[201])?;
    expect_dropped(&things, &created, &[UNKNOWN]).await
}

async fn an_unknown_field_is_named_by_its_path(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = with_unknown(&things, "a");
    body["metadata"]["assayWithin"] = json!(1);

    let created = cx.send(at("Warn", post(&things, &body))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;
    warning::expect(&created, "metadata.assayWithin")
}

async fn a_duplicate_field_is_named_by_its_path(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(at("Warn", post_text(&things, &with_duplicate(&things, "a")))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, &format!("metadata.labels.{TWICE}"))
}

/// Fields of which no name contains another.
const THREE: [&str; 3] = ["assayFirst", "assaySecond", "assayThird"];

async fn each_field_has_a_warning_of_its_own(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = things.body("a", "first");
    for field in THREE {
        body[field] = json!(1);
    }

    let created = cx.send(at("Warn", post(&things, &body))).await?;

    created.expect_status(&[201])?;
    let told: Vec<_> = THREE.iter().flat_map(|field| warning::naming(&created, field)).collect();
    let own = |text: &String| THREE.iter().filter(|field| text.contains(**field)).count() == 1;
    let each = THREE.iter().all(|field| warning::naming(&created, field).len() == 1);
    let expected = format!("one Warning for each of {THREE:?}");
    created.expect(each && told.iter().all(own), expected, warning::shown(&created))
}

/// A name that has to be escaped.
const ODD: &str = "assay\"odd\\name";

async fn a_warning_has_code_agent_and_quoted_text(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = with_unknown(&things, "a");
    body[ODD] = json!(1);

    let created = cx.send(at("Warn", post(&things, &body))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;
    warning::expect(&created, "odd")?;
    for header in warning::headers(&created) {
        let formed = warning::read(header).is_some();
        created.expect(formed, r#"Warning: 299 - "text", quotes within it escaped"#, header)?;
    }
    Ok(())
}

async fn a_path_names_the_element_of_a_list(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body("a");
    body["spec"]["template"]["spec"]["containers"][0][UNKNOWN] = json!(1);

    let created = cx.send(at("Warn", post(&things, &body))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, "spec.template.spec.containers[0].assayUnknown")
}
