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

use harness::{Checked, Request, Suite};

use crate::apply_fixture::Story;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "apply-requests",
        [
            create::rows(),
            concurrent_apply::rows(),
            invalid_body::rows(),
            rejections::rows(),
            field_manager::rows(),
            media_types::rows(),
            body::rows(),
            escapes::rows(),
            identity::rows(),
            system_metadata::rows(),
            resource_version::rows(),
            uid::rows(),
            last_applied_annotation::rows(),
            endpoint::rows(),
            authorization::rows(),
            repeated_apply::rows(),
            dry_run::rows(),
            status::rows(),
            terminating_object::rows(),
        ],
    )
}

/// Who applies.
const MANAGER: &str = "kube-assay-one";
/// Somebody else.
const OTHER: &str = "kube-assay-other";

/// Applies that are refused with one of these codes and leave no trace, whether the object is there or not.
async fn expect_refused(story: &Story, requests: &[Request], legal: &[u16]) -> Checked {
    for request in requests {
        story.ask(request.clone()).await?.expect_refusal(legal)?;
        story.expect_absent().await?;
    }
    let before = story.created(&[("kept", "yes")]).await?;
    for request in requests {
        story.ask(request.clone()).await?.expect_refusal(legal)?;
        story.expect_unchanged(&before).await?;
    }
    Ok(())
}
