//! Area `bookmarks`: BOOKMARK events of watches.
//!
//! Bookmarks are optional: scenarios skip where none arrives. kube-apiserver sends a bookmark about two seconds before
//! the end of a watch with `timeoutSeconds`, if a write happened since the watch began.

mod bookmarked_watch;
mod object;
mod parameter;
mod version;

suite!["bookmarks", version, object, parameter];
