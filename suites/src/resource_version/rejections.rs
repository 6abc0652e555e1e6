//! Lists that must be rejected for their parameters.

use harness::Match;

use crate::prelude::*;
use crate::rejections::{Listed, rejected};

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("rv-match-unknown-value-422", &[422], |listed: &Listed| {
            listed.collection.list().at(&listed.version).param("resourceVersionMatch", "Newest")
        })
        .reason("Invalid")
        .row()
        .namespaced(),
        rejected("rv-match-case-sensitive", &[400, 422], |listed: &Listed| {
            ["exact", "notOlderThan"].map(|value| {
                listed.collection.list().at(&listed.version).param("resourceVersionMatch", value)
            })
        })
        .row()
        .namespaced(),
        rejected("rv-match-without-rv-invalid", &[400, 422], |listed: &Listed| {
            let lists =
                [Match::Exact, Match::NotOlderThan].map(|how| listed.collection.list().matching(how).at(""));
            lists.into_iter().flat_map(|list| [list.clone(), list.limit(2)]).collect::<Vec<_>>()
        })
        .row()
        .namespaced(),
        rejected("rv-list-continue-malformed-400", &[400], |listed: &Listed| {
            ["garbage", "not-a-token", "!!!!"].map(|token| listed.collection.list().limit(2).after(token))
        })
        .row()
        .namespaced()
        .also("pagination-malformed-token"),
    ]
}
