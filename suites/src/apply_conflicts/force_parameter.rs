//! The parameter `force`: its values, and the requests that may have it.

use crate::apply_fixture::owner::applier;
use crate::apply_fixture::string_field::Way;
use crate::prelude::*;
use crate::unchanged_object::expect_rejected;

rows![
    apply_conflicts_force_false,
    apply_conflicts_force_loose_values.own_kinds(),
    apply_conflicts_force_on_non_apply_rejected,
];

async fn apply_conflicts_force_false(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let unforced = fixture.applying("m2", &fixture.texts([("a", "2")])).query("force", false);
    fixture.send(unforced).await?.expect_status(&[409])
}

async fn apply_conflicts_force_loose_values(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    for (manager, key, force) in [("m2", "a", "force=1"), ("m3", "b", "force=")] {
        let applying = fixture.applying(manager, &fixture.texts([(key, "2")]));
        let response = fixture.send(applying.raw_query(force)).await?;

        if response.succeeded() {
            fixture.expect_texts(&response, &[(key, Some("2"))]).await?;
            fixture.expect_owners(&response, key, &[applier(manager)])?;
        } else {
            expect_rejected(&response)?;
            fixture.expect_texts(&*fixture.read().await?, &[(key, Some("1"))]).await?;
        }
    }
    Ok(())
}

async fn apply_conflicts_force_on_non_apply_rejected(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;
    let before = fixture.read().await?.written()?;
    let forms = [Way::Merge, Way::Json, Way::Strategic];

    for &way in if fixture.is_built_in() { &forms[..] } else { &forms[..2] } {
        for force in ["true", "false"] {
            let request = fixture.changing(way, "u", "a", "2").await?.query("force", force);

            expect_rejected(&*fixture.send(request).await?)?;
        }
    }
    fixture.expect_unchanged(&before).await
}
