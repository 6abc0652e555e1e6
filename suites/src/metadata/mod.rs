//! Area `metadata`: what every object says of itself, what of it is the client's, and what is the server's alone.

mod always;
mod annotation;
mod creation;
mod deletion;
mod generation;
mod label;
mod name;
mod namespace;
mod pod;
mod published;
mod system;
mod uid;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let generic = [
        always::add,
        name::add,
        name::add_namespaced,
        namespace::add,
        uid::add,
        generation::add,
        creation::add,
        deletion::add,
        label::add,
        annotation::add,
    ];
    let suite = generic.iter().fold(Suite::new("metadata"), |suite, add| add(suite)).on_custom_resources();
    let particular = [namespace::add_particular, system::add, published::add, pod::add];
    particular.iter().fold(suite, |suite, add| add(suite))
}
