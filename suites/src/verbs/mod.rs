//! Area `verbs`: the methods of the API, as the API conventions describe them.
//!
//! Much of it other areas ask in their own words: update, patch, deletion and watch name the clauses of this area beside
//! theirs.

mod delete;
mod discovery;
mod grace_period;
mod json;
mod object;
mod patch;
mod put;
mod rejections;
mod strategic;
mod watch;

suite!["verbs", put, object, delete, grace_period, watch, discovery, patch, json, rejections, strategic];
