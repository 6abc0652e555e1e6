//! The parameter `force`: where it is allowed, and its values.

use crate::apply_fixture::owner::applier;
use crate::apply_fixture::string_field::Way;
use crate::prelude::*;
use crate::unchanged_object::{expect_rejected, expect_unchanged};

rows![
    apply_conflicts_force_false,
    apply_conflicts_force_loose_values.own_kinds(),
    apply_conflicts_force_on_non_apply_rejected,
];

async fn apply_conflicts_force_false(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let refused =
        fixture.ask(fixture.applying("m2", &fixture.texts([("a", "2")])).query("force", false)).await?;

    refused.expect_status(&[409])
}

async fn apply_conflicts_force_loose_values(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    for (manager, key, force) in [("m2", "a", "force=1"), ("m3", "b", "force=")] {
        let applying = fixture.applying(manager, &fixture.texts([(key, "2")]));
        let answer = fixture.ask(applying.raw_query(force)).await?;

        if answer.succeeded() {
            fixture.expect_texts(&answer, &[(key, Some("2"))]).await?;
            fixture.expect_owners(&answer, key, &[applier(manager)])?;
        } else {
            expect_rejected(&answer)?;
            fixture.expect_texts(&*fixture.read().await?, &[(key, Some("1"))]).await?;
        }
    }
    Ok(())
}

async fn apply_conflicts_force_on_non_apply_rejected(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;
    let before = fixture.read().await?.written()?;
    let ways: &[Way] = if fixture.is_built_in() {
        &[Way::Merge, Way::Json, Way::Strategic]
    } else {
        &[Way::Merge, Way::Json]
    };

    for &way in ways {
        for force in ["true", "false"] {
            let request = fixture.changing(way, "u", "a", "2").await?.query("force", force);

            expect_rejected(&*fixture.ask(request).await?)?;
        }
    }

    expect_unchanged(&fixture.collection, fixture.name, &before).await
}
