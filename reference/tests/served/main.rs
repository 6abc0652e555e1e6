//! Tests of the server over HTTP.
#![allow(clippy::unwrap_used, reason = "a test panics on errors")]

mod admission;
mod applies;
mod client;
mod compression;
mod definitions;
mod deletions;
mod faults;
mod fields;
mod health;
mod lists;
mod malformed_requests;
mod managers;
mod objects;
mod owners;
mod rules;
mod unreadable;
mod versions;
mod watches;
mod workloads;
