//! Faults that clients without a library meet.

use crate::fault::{Edit::*, Fault, When::*, on};

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("client-libraries-plain-http-enough", "the server returns 406 without Accept", &[NoHeader("accept")], &[Reject(406, "NotAcceptable", "no Accept")]),
    on("client-libraries-in-cluster-service-account", "the server does not know the user of a token that it issued", &[Plural("selfsubjectreviews")],
        &[Set("/status/userInfo/username", "\"system:anonymous\""), Set("/status/userInfo/groups", r#"["system:unauthenticated"]"#)]),
];
