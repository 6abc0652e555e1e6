//! How writes bring the records up to date.

use harness::{Context, Exchange, Halt, Suite};
use serde_json::json;

use crate::story::owner::{applier, entries, expect_no_entry, paths, told, updater};
use crate::story::text::Way;
use crate::story::{Story, expect_value};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("managed-fields-put-updates", a_put_owns_what_it_changes)
        .on_every_shape()
        .scenario("managed-fields-apply-updates", an_apply_owns_what_it_names_and_no_more)
        .on_every_shape()
        .scenario("managed-fields-patch-updates", a_patch_owns_what_it_changes)
        .on_every_shape()
        .scenario("managed-fields-removed-field-leaves-all-entries", nobody_owns_what_was_removed)
        .on_every_shape()
        .scenario(
            "managed-fields-ownership-only-change-bumps-resource-version",
            a_change_of_ownership_alone_is_a_write,
        )
        .on_every_shape()
        .scenario(
            "managed-fields-ownership-only-change-keeps-generation",
            a_change_of_ownership_alone_makes_no_generation,
        )
}

async fn a_put_owns_what_it_changes(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;

    let put = story.ask(story.putting("u", &story.now_with("a", "1").await?)).await?;

    for answer in [put, story.read().await?] {
        story.expect_owned_texts(&answer, updater("u"), &["a"])?;
    }
    Ok(())
}

async fn an_apply_owns_what_it_names_and_no_more(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;

    for key in ["a", "b"] {
        let applied = story.ask(story.applying("m1", &story.texts([(key, "1")]))).await?;

        story.expect_owned_texts(&applied, applier("m1"), &[key])?;
    }
    Ok(())
}

async fn a_patch_owns_what_it_changes(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;

    let merged = story.ask(story.merging("u", &story.texts([("a", "1")]))).await?;

    for answer in [merged, story.read().await?] {
        story.expect_owned_texts(&answer, updater("u"), &["a"])?;
    }
    Ok(())
}

async fn nobody_owns_what_was_removed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1"), ("b", "1")])).await?;

    for (way, key) in [(Way::Merge, "a"), (Way::Put, "b")] {
        let removed = story.ask(story.removing(way, "u", key).await?).await?;

        expect_unowned(&story, &removed, key).await?;
    }
    Ok(())
}

/// Nobody owns a text that is gone, nor has who removed it anything else.
async fn expect_unowned(story: &Story, answer: &Exchange, key: &'static str) -> Result<(), Halt> {
    story.expect_texts(answer, &[(key, None)]).await?;
    let object = answer.object()?;
    let path = story.path_of_text(key);
    let owned = entries(&object).iter().any(|entry| paths(&entry["fieldsV1"]).contains(&path));
    answer.expect(!owned, format!("no owner of {key}, which was removed"), told(&object))?;
    expect_no_entry(answer, updater("u"))
}

async fn a_change_of_ownership_alone_is_a_write(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;
    let texts = story.texts([("a", "1")]);
    let before = story.applied("m1", &texts).await?;
    let only = format!("metadata.name={}", before.name());
    let mut watch = story.things.watch().fields(&only).at(before.version()).arranged().await?;

    let applied = story.ask(story.applying("m2", &texts)).await?;

    for manager in ["m1", "m2"] {
        story.expect_owned_texts(&applied, applier(manager), &["a"])?;
    }
    let version = applied.object()?.version().to_owned();
    let another = format!("another version than {}", before.version());
    applied.expect(version != before.version(), another, &version)?;
    let told = watch.expect("MODIFIED", before.name()).await?;
    if told.version() == version {
        return Ok(());
    }
    Err(watch.fail(format!("MODIFIED at version {version}"), format!("at {}", told.version())))
}

async fn a_change_of_ownership_alone_makes_no_generation(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    let size = json!({ "spec": { "size": 5 } });
    let before = story.applied("m1", &size).await?;
    let mut labelled = size.clone();
    labelled["metadata"] = json!({ "labels": { "l": "x" } });

    for fields in [size, labelled] {
        let applied = story.ask(story.applying("m2", &fields)).await?;

        expect_value(&applied, "/metadata/generation", &before.json()["metadata"]["generation"])?;
    }
    Ok(())
}
