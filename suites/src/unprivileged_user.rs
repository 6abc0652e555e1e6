//! A user without permissions.

use crate::prelude::*;
use crate::restricted_user::impersonate;

/// The request, sent as a user of this scenario without any role.
pub(crate) fn sends(cx: &Context, request: Request) -> Request {
    impersonate(&cx.own_name("user"), request)
}

/// The rejection of the request, sent as this user. Skips without permission to impersonate, and where the request succeeds.
pub(crate) async fn is_refused(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let response = cx.send(sends(cx, request)).await?;
    Halt::skip_unless(!response.text().contains("impersonate"), "no permission to impersonate users")?;
    if response.succeeded() {
        return Err(cx.lacks("RBAC", format!("a user without a role gets {}", response.brief())));
    }
    Ok(response)
}
