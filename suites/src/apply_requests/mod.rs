//! Area `apply-requests`: valid and invalid apply requests, and their responses.

mod authorization;
mod body;
mod concurrent_apply;
mod create;
mod dry_run;
mod endpoint;
mod escapes;
mod field_manager;
mod identity;
mod invalid_body;
mod last_applied_annotation;
mod media_types;
mod rejections;
mod repeated_apply;
mod resource_version;
mod status;
mod system_metadata;
mod terminating_object;
mod uid;

use crate::prelude::*;

suite![
    "apply-requests",
    create,
    concurrent_apply,
    invalid_body,
    rejections,
    field_manager,
    media_types,
    body,
    escapes,
    identity,
    system_metadata,
    resource_version,
    uid,
    last_applied_annotation,
    endpoint,
    authorization,
    repeated_apply,
    dry_run,
    status,
    terminating_object
];

/// The manager of applies.
const MANAGER: &str = "kube-assay-one";
/// Another manager.
const OTHER: &str = "kube-assay-other";

/// The server rejects these applies and stores nothing, whether the object exists or not.
async fn expect_refused(fixture: &ApplyFixture, requests: &[Request], legal: &[u16]) -> Checked {
    for request in requests {
        fixture.send(request.clone()).await?.expect_rejection(legal)?;
        fixture.expect_absent().await?;
    }
    let before = fixture.created(&[("kept", "yes")]).await?;
    for request in requests {
        fixture.send(request.clone()).await?.expect_rejection(legal)?;
        fixture.expect_unchanged(&before).await?;
    }
    Ok(())
}
