//! Area `streaming-list`: a watch that begins with the whole state, and says when it has told it.

mod closing;
mod form;
mod initial;
mod refused;
mod told;
mod version;

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    let parts = [initial::add, closing::add, version::add, refused::add, form::add];
    let generic = parts.iter().fold(Suite::new("streaming-list"), |suite, add| add(suite));
    form::add_custom(generic.on_custom_resources())
}
