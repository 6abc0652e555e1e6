//! Area `bookmarks`: BOOKMARK events of watches.
//!
//! A server need not send any: that none comes is never held against it. kube-apiserver sends one about two seconds
//! before a watch ends by its `timeoutSeconds`, where something has been written since the watch began.

mod bookmarked_watch;
mod object;
mod parameter;
mod version;

suite!["bookmarks", version, object, parameter];
