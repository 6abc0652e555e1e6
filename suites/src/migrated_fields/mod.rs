//! Area `migrated-fields`: what changed between a removed version of an API and its replacement.
//!
//! Most rules are rows of tables: a manifest, changes of it, and the result of its creation as a dry run.

mod apps;
mod budgets;
mod certificates;
mod creation;
mod definitions;
mod draft;
mod endpoint_slices;
mod events;
mod ingresses;
mod manifest;
mod priority_levels;
mod reviews;
mod webhooks;

suite![
    "migrated-fields",
    priority_levels,
    endpoint_slices,
    events,
    budgets,
    webhooks,
    definitions,
    reviews,
    certificates,
    ingresses,
    apps
];
