//! A small Kubernetes API server that is right, and wrong on request.
//!
//! It serves namespaces, config maps, secrets, events, service accounts, leases, cluster roles, deployments, jobs and pods
//! (which nobody runs), custom resource definitions and what these define, with the semantics of lists, watches,
//! versions and writes that the catalogue of clauses demands. Its [`Fault`]s break one clause each, so that a suite can prove that it notices.
//!
//! ```no_run
//! # async fn example() -> Result<(), reference::Error> {
//! let faults = reference::faults().filter(|fault| fault.name == "health-plain-body-ok").collect();
//! let server = reference::Server::start(reference::Options { faults, ..Default::default() }).await?;
//! println!("{} {}", server.url(), server.admin_token());
//! server.stop().await;
//! # Ok(())
//! # }
//! ```
//!
//! This crate shares no type with the rest of the project: shared types would share mistakes.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::enum_glob_use, reason = "a test that cannot go on says so")
)]

mod about;
mod accept;
mod admission;
mod aggregation;
mod api;
mod apply;
mod auth;
mod binding;
mod body;
mod builtin;
mod cluster;
mod deadline;
mod decode;
mod definition;
mod delete;
mod discovery;
mod document;
mod event;
mod failure;
pub mod fault;
mod faults;
mod field_validation;
mod front;
mod health;
mod kind;
mod lever;
mod lifecycle;
mod list;
mod list_options;
mod managed;
mod metadata;
mod nonresource;
mod openapi;
mod options;
mod patch;
mod pods;
mod protobuf;
mod publisher;
mod quantity;
mod query;
mod rbac;
mod registry;
mod represent;
mod resource;
mod review;
mod route;
mod scale;
mod schema;
mod selector;
mod server;
mod shard;
mod store;
mod strategy;
mod token;
mod update;
mod validation;
mod variant;
mod watch;
mod write;

pub use fault::{Bug, Fault, FaultLayer, Rule};
pub use faults::{bugs, faults, needs};
pub use front::{Answer, Carrier, Front};
pub use server::{Error, Options, Server};
pub use store::StoreFlaw;
pub use variant::{Habit, Variant, variants};
