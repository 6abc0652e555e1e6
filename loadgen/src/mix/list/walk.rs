//! The rest of a list in pages.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::requests::{Page, Reading, Room};
use crate::scan::ListedObject;

/// The rest of a list in pages.
#[derive(Clone)]
pub(super) struct Walk {
    pub(super) token: String,
    /// When the first page was read.
    pub(super) began: Instant,
    pub(super) room: Room,
    /// The name of an object that the earlier pages lack, and a later one must have.
    pub(super) sought: Option<String>,
    /// The names on the earlier pages, if all pages are read.
    pub(super) earlier: Option<BTreeSet<String>>,
}

impl Walk {
    /// The pages behind this one, which was read like this, of a list with this room.
    ///
    /// All pages show one version: the list lacks the objects that are created during the walk.
    pub(super) fn behind(
        page: &Page,
        (reading, listed): (Reading, Option<&[ListedObject]>),
        whole: Room,
    ) -> Option<Self> {
        let Reading::Items { sought, room, earlier, .. } = reading else { return None };
        let (sought, room) = (sought.filter(|_| page.lacks_sought), room.behind(page, whole));
        let earlier = earlier.zip(listed).map(|(mut earlier, listed)| {
            earlier.extend(listed.iter().map(|one| one.name.clone()));
            earlier
        });
        page.goes_on.clone().map(|token| Self { token, began: Instant::now(), room, sought, earlier })
    }

    /// Replaces the rest of the list in a place by that of one that has ended later.
    ///
    /// Requests overlap on a slow server or machine: another list must not discard one whose pages are all read.
    pub(super) fn replace(waiting: &mut Option<Self>, walk: Option<Self>) {
        let is_read = |walk: Option<&Self>| walk.is_some_and(|walk| walk.earlier.is_some());
        if is_read(walk.as_ref()) || !is_read(waiting.as_ref()) {
            *waiting = walk;
        }
    }
}
