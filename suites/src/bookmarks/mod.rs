//! Area `bookmarks`: what they promise to who asks for them.
//!
//! A server need not send any: that none comes is never held against it. kube-apiserver sends one about two seconds
//! before a watch ends by its `timeoutSeconds`, where something has been written since the watch began.

mod asked;
mod marked;
mod object;
mod version;

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    let generic = version::add(object::add(asked::add(Suite::new("bookmarks"))));
    asked::add_of_events(generic.on_custom_resources())
}
