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

use harness::{Halt, Request, Suite};

use crate::story::Story;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [
        create::add,
        many::add,
        invalid::add,
        field_manager::add,
        media::add,
        body::add,
        escapes::add,
        identity::add,
        metadata::add,
        version::add,
        uid::add,
        annotation::add,
        place::add,
        access::add,
        again::add,
        dry::add,
        status::add,
        ending::add,
    ];
    parts.iter().fold(Suite::new("apply-requests"), |suite, add| add(suite))
}

/// Who applies.
const MANAGER: &str = "kube-assay-one";
/// Somebody else.
const OTHER: &str = "kube-assay-other";

/// Applies that are refused with one of these codes and leave no trace, whether the object is there or not.
async fn expect_refused(story: &Story, requests: &[Request], legal: &[u16]) -> Result<(), Halt> {
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
