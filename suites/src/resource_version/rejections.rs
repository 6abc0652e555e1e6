//! Lists that must be rejected for their parameters.

use harness::Match;

use crate::prelude::*;
use crate::rejections::{self, Rejection, refused_list};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[
    refused_list("rv-match-unknown-value-422", &[422], |collection, version| {
        vec![collection.list().at(version).param("resourceVersionMatch", "Newest")]
    })
    .reason("Invalid"),
    refused_list("rv-match-case-sensitive", &[400, 422], |collection, version| {
        ["exact", "notOlderThan"]
            .map(|value| collection.list().at(version).param("resourceVersionMatch", value))
            .into()
    }),
    refused_list("rv-match-without-rv-invalid", &[400, 422], |collection, _| {
        let lists = [Match::Exact, Match::NotOlderThan].map(|how| collection.list().matching(how).at(""));
        lists.into_iter().flat_map(|list| [list.clone(), list.limit(2)]).collect()
    }),
    refused_list("rv-list-continue-malformed-400", &[400], |collection, _| {
        ["garbage", "not-a-token", "!!!!"].map(|token| collection.list().limit(2).after(token)).into()
    })
    .also("pagination-malformed-token"),
];
