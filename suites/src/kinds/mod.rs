//! Area `kinds`: `apiVersion` and kind of every document, and the paths of resources.

mod definition;
mod discovery;
mod document;
mod event;
mod identity;
mod invariants;
mod lifecycle;
pub(crate) mod list;
mod openapi;
mod pod;
mod rejections;
mod scale;
mod subresource;

suite![
    "kinds",
    invariants,
    lifecycle,
    identity,
    list,
    document,
    rejections,
    subresource,
    discovery,
    definition,
    openapi,
    scale,
    pod,
    event
];
