//! Drives the server over HTTP, as any client would.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so")]

mod admission;
mod applies;
mod client;
mod definitions;
mod deletions;
mod faults;
mod fields;
mod health;
mod lists;
mod managers;
mod objects;
mod owners;
mod unreadable;
mod versions;
mod watches;
mod workloads;
