//! Area `resource-uris`: the paths of collections, objects and subresources, the query, and the verbs.
//!
//! Scenarios of other areas test many clauses of this area beside their own.

mod authorization;
mod built_in_paths;
mod discovery;
mod equivalent_path;
mod method;
mod query;
mod rejections;
mod review;
mod scope;
mod subresource;
mod watch;

use crate::prelude::*;

suite![
    "resource-uris",
    method,
    watch,
    discovery,
    scope,
    built_in_paths,
    subresource,
    review,
    authorization,
    rejections,
    equivalent_path,
    query
];

/// The response is this object, by its uid.
fn expect_same(response: &Exchange, object: &Object) -> Checked {
    let (expected, actual) = (object.metadata("uid"), response.object()?);
    let right = actual.metadata("uid") == expected;
    response.expect(right, format!("{} of uid {expected}", object.name()), response.brief())
}

/// The response is this object, or the server does not know the path in this spelling.
fn expect_same_or_rejected(response: &Exchange, object: &Object) -> Checked {
    let elsewhere = [301, 302, 307, 308].contains(&response.status());
    if elsewhere || (400..500).contains(&response.status()) { Ok(()) } else { expect_same(response, object) }
}
