//! What nearly every file of scenarios uses.

pub(crate) use harness::{
    Checked, Collection, Context, Exchange, Halt, Instant, Kinds, Method, Next, Object, Opening, Page, Query,
    Request, Resource, Row, Watch, WatchEvent, table, try_join_all,
};
pub(crate) use serde_json::{Value, json};
pub(crate) use std::sync::Arc;
pub(crate) use std::time::Duration;

pub(crate) use crate::apply_fixture::ApplyFixture;
pub(crate) use crate::object_fixture::{NAME, StoredObject, post_with};
pub(crate) use crate::patch_types::{APPLY, JSON, MERGE, STRATEGIC};
pub(crate) use crate::scenario::{
    ClosedSchema, ConfigMapApplyFixture, ConfigMaps, CreatedByOther, CustomResources, DeploymentApplyFixture,
    Deployments, Fixture, Gizmo, OpenCustomResources, Outdated, Scaled, Tracked, Untracked,
};
pub(crate) use crate::unchanged_object::expect_absent;
