//! Field validation of bodies in YAML.

use super::{TWICE, UNKNOWN, at, twice, warning, with_unknown};
use crate::patch_types;
use crate::prelude::*;

rows![fieldval_yaml_bodies_checked];

async fn fieldval_yaml_bodies_checked(cx: Context, collection: ClosedSchema) -> Checked {
    let post = |text: &str| {
        patch_types::raw(Request::new(Method::POST, collection.path()), "application/yaml", text)
    };
    let valid = cx.send(at("Strict", post(&patch_types::yaml(&collection.body("valid", "first"))))).await?;
    Halt::skip_unless(valid.status() != 415, "the server takes no YAML")?;
    valid.expect_status(&[201])?;
    let unknown = patch_types::yaml(&with_unknown(&collection, "a"));
    let mut labelled = collection.body("a", "first");
    labelled["metadata"]["labels"][TWICE] = json!("1");
    let twice = twice(&patch_types::yaml(&labelled));

    for text in [&unknown, &twice] {
        let refused = cx.send(at("Strict", post(text))).await?;
        refused.expect_error(&[400], &["BadRequest"])?;
    }
    expect_absent(&collection, "a").await?;

    let warned = cx.send(at("Warn", post(&format!("{UNKNOWN}: 1\n{twice}")))).await?;
    warned.expect_status(&[201])?;
    warning::expect(&warned, UNKNOWN)?;
    warning::expect(&warned, TWICE)
}
