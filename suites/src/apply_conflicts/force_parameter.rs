//! The parameter `force`: where it is allowed, and its values.

use harness::{Checked, Context};

use crate::apply_fixture::Story;
use crate::apply_fixture::owner::applier;
use crate::apply_fixture::string_field::Way;
use crate::scenario::CreatedByOther;
use crate::unchanged_object::{expect_rejected, expect_unchanged};

rows![
    apply_conflicts_force_false,
    apply_conflicts_force_loose_values.own_kinds(),
    apply_conflicts_force_on_non_apply_rejected,
];

async fn apply_conflicts_force_false(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m2", &story.texts([("a", "2")])).query("force", false)).await?;

    refused.expect_status(&[409])
}

async fn apply_conflicts_force_loose_values(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;

    for (manager, key, force) in [("m2", "a", "force=1"), ("m3", "b", "force=")] {
        let applying = story.applying(manager, &story.texts([(key, "2")]));
        let answer = story.ask(applying.raw_query(force)).await?;

        if answer.succeeded() {
            story.expect_texts(&answer, &[(key, Some("2"))]).await?;
            story.expect_owners(&answer, key, &[applier(manager)])?;
        } else {
            expect_rejected(&answer)?;
            story.expect_texts(&*story.read().await?, &[(key, Some("1"))]).await?;
        }
    }
    Ok(())
}

async fn apply_conflicts_force_on_non_apply_rejected(cx: Context) -> Checked {
    let story = Story::of_a_thing(&cx, &[("a", "1")]).await?;
    let before = story.read().await?.written()?;
    let ways: &[Way] =
        if story.is_built_in() { &[Way::Merge, Way::Json, Way::Strategic] } else { &[Way::Merge, Way::Json] };

    for &way in ways {
        for force in ["true", "false"] {
            let request = story.changing(way, "u", "a", "2").await?.query("force", force);

            expect_rejected(&*story.ask(request).await?)?;
        }
    }

    expect_unchanged(&story.collection, story.name, &before).await
}
