//! Area `kinds`: `apiVersion` and kind of every document, and the paths of resources.

mod definition;
mod discovery;
mod document;
mod event;
mod identity;
mod invariants;
mod lifecycle;
mod list;
mod openapi;
mod pod;
mod scale;
mod subresource;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "kinds",
        [
            invariants::rows(),
            lifecycle::rows(),
            identity::rows(),
            list::rows(),
            document::rows(),
            identity::rejected_rows(),
            subresource::rows(),
            discovery::rows(),
            definition::rows(),
            openapi::rows(),
            scale::rows(),
            pod::rows(),
            event::rows(),
        ],
    )
}
