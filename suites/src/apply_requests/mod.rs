//! Area `apply-requests`: what an apply may look like, what of it is refused, and what it is answered.

mod access;
mod again;
mod annotation;
mod body;
mod create;
mod dry;
mod ending;
mod escapes;
mod field_manager;
mod identity;
mod invalid;
mod many;
mod media;
mod metadata;
mod place;
mod status;
mod uid;
mod version;

use harness::{Checked, Request, Suite};

use crate::story::Story;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "apply-requests",
        [
            create::rows(),
            many::rows(),
            invalid::rows(),
            field_manager::rows(),
            media::rows(),
            body::rows(),
            escapes::rows(),
            identity::rows(),
            metadata::rows(),
            version::rows(),
            uid::rows(),
            annotation::rows(),
            place::rows(),
            access::rows(),
            again::rows(),
            dry::rows(),
            status::rows(),
            ending::rows(),
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
