//! Conflicts about what was owned in another way, or through another version.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::story::conflict::expect_conflicts;
use crate::story::expect_value;
use crate::story::morph::{Morph, Topology, map};
use crate::story::own_type::in_two_versions;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario(
            "apply-conflicts-topology-to-atomic",
            a_change_of_the_whole_is_in_the_way_of_who_owned_a_key,
        )
        .scenario("apply-conflicts-topology-to-granular-none", keys_of_what_was_a_whole_are_nobodys)
        .scenario("apply-conflicts-across-versions", what_was_applied_in_one_version_is_owned_in_another)
}

async fn a_change_of_the_whole_is_in_the_way_of_who_owned_a_key(cx: Context) -> Result<(), Halt> {
    let morph = Morph::of(&cx, Topology::Granular).await?;
    let story = &morph.story;
    story.applied("m1", &map(&json!({ "a": "1" }))).await?;
    story.applied("m2", &map(&json!({ "b": "1" }))).await?;
    morph.becomes(Topology::Atomic).await?;
    story.merged("u", &json!({ "spec": { "value": "x" } })).await?;

    let refused = story.ask(story.applying("m2", &map(&json!({ "a": "1", "b": "2" })))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.map")])
}

async fn keys_of_what_was_a_whole_are_nobodys(cx: Context) -> Result<(), Halt> {
    let morph = Morph::of(&cx, Topology::Atomic).await?;
    let story = &morph.story;
    story.applied("m1", &map(&json!({ "a": "1", "b": "1" }))).await?;
    morph.becomes(Topology::Granular).await?;

    let answer = story.ask(story.applying("m2", &map(&json!({ "a": "2" })))).await?;

    expect_value(&answer, "/spec/map", &json!({ "a": "2", "b": "1" }))
}

async fn what_was_applied_in_one_version_is_owned_in_another(cx: Context) -> Result<(), Halt> {
    let [first, second] = in_two_versions(&cx).await?;
    first.applied("m1", &json!({ "spec": { "size": 2 } })).await?;

    let refused = second.ask(second.applying("m2", &json!({ "spec": { "size": 3 } }))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.size")])
}
