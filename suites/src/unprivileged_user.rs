//! A user without permissions.

use crate::prelude::*;
use crate::restricted_user::in_the_name_of;

/// The request in the name of this scenario's user.
pub(crate) fn sends(cx: &Context, request: Request) -> Request {
    in_the_name_of(&cx.own_name("user"), request)
}

/// The refusal of a request in that name, which would succeed in ours. Skips where we may not act for others, or everybody may do everything.
pub(crate) async fn is_refused(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let response = cx.send(sends(cx, request)).await?;
    if response.text().contains("impersonate") {
        return Err(Halt::Skipped("we may not act in the name of others".to_owned()));
    }
    if response.succeeded() {
        return Err(cx.lacks("RBAC", format!("a user without rights is answered {}", response.brief())));
    }
    Ok(response)
}
