//! The syntax of finalizer names.

use super::{FIRST, FOREGROUND, ORPHAN, expect_invalid};
use crate::finalizers;
use crate::prelude::*;
use crate::rejections::{RejectionFixture, rejected};
use crate::warning;

/// A well-formed name without a domain.
const PLAIN: &str = "plainname";

pub(super) fn rows() -> Vec<Row> {
    vec![
        invalid::<Collection>("deletion-gc-finalizers-mutually-exclusive-422", &[&[ORPHAN, FOREGROUND]]),
        invalid::<Collection>(
            "deletion-finalizer-name-syntax-422",
            &[&["not a name!"], &[FIRST, "kube-assay.dev/not/one"]],
        ),
        invalid::<ConfigMaps>("deletion-builtin-finalizer-needs-domain-422", &[&[PLAIN]]).own_kinds(),
        row!(deletion_cr_finalizer_warning).own_kinds(),
    ]
}

/// Creates of objects with each of these lists of finalizers must be rejected.
fn invalid<C: RejectionFixture>(clause: &'static str, finalizers: &'static [&'static [&'static str]]) -> Row {
    let requests = |collection: &C| -> Vec<_> {
        finalizers.iter().map(|list| create(collection.collection(), list)).collect()
    };
    let check = |refused: &Exchange| expect_invalid(refused, "metadata.finalizers");
    rejected(clause, &[422], requests).reason("Invalid").and(check).row()
}

fn create(collection: &Collection, finalizers: &[&str]) -> Request {
    post_with(collection, NAME, |body| body["metadata"]["finalizers"] = json!(finalizers))
}

async fn deletion_cr_finalizer_warning(cx: Context, collection: CustomResources) -> Checked {
    let created = cx.send(create(&collection, &[PLAIN])).await?;

    finalizers::expect(&created, &[PLAIN])?;
    let headers: Vec<_> = warning::headers(&created).collect();
    let named = headers.iter().any(|header| header.contains("metadata.finalizers"));
    created.expect(named, "a Warning header about metadata.finalizers", format!("{headers:?}"))
}
