//! Area `apply-ownership`: field ownership, and how it moves between managers.

mod defaulted_fields;
mod removed_fields;
mod scale;
mod shared_fields;
mod topology;
mod transfer;
mod update;
mod version;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "apply-ownership",
        [
            shared_fields::rows(),
            update::rows(),
            defaulted_fields::rows(),
            removed_fields::rows(),
            topology::rows(),
            transfer::rows(),
            version::rows(),
            scale::rows(),
        ],
    )
}
