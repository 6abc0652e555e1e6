//! Limits of `managedFields`: many entries, and large objects.

use serde_json::Map;

use crate::apply_fixture::owner::{applier, entries, owners_text, paths};
use crate::prelude::*;

rows![
    managed_fields_update_entries_capped,
    managed_fields_apply_entries_not_capped,
    managed_fields_duplicate_list_items.own_kinds(),
    managed_fields_large_object_fallback.own_kinds().full_only(),
];

/// The number of updaters.
const UPDATES: usize = 20;
/// The maximum number of update entries.
const MOST: usize = 10;
/// The number of appliers, more than that.
const APPLIES: usize = 15;

async fn managed_fields_update_entries_capped(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let label = |number: usize| json!({ "metadata": { "labels": { format!("l{number}"): "x" } } });
    for number in 1..UPDATES {
        fixture.merged(&format!("u{number}"), &label(number)).await?;
    }

    let merged = fixture.send(fixture.merging("u20", &label(UPDATES))).await?;

    let object = merged.object()?;
    let updates = entries(&object).iter().filter(|entry| entry["operation"] == "Update");
    let (count, owned) = (updates.clone().count(), updates.flat_map(|entry| paths(&entry["fieldsV1"])));
    let expected = format!("at most {MOST} update entries");
    merged.expect(count <= MOST, expected, format!("{count}: {}", owners_text(&object)))?;
    let owned: Vec<_> = owned.collect();
    let lost = (1..=UPDATES).map(|number| format!("f:metadata/f:labels/f:l{number}"));
    let lost: Vec<_> = lost.filter(|path| !owned.contains(path)).collect();
    merged.expect(lost.is_empty(), "an owner of each label", format!("no owner of {}", lost.join(", ")))?;
    fixture.expect_owned_texts(&merged, applier("m1"), &["a"])
}

async fn managed_fields_apply_entries_not_capped(fixture: Tracked) -> Checked {
    for number in 1..=APPLIES {
        let (manager, key) = (format!("m{number}"), format!("k{number}"));
        fixture.applied(&manager, &fixture.texts([(key.as_str(), "1")])).await?;
    }

    let got = fixture.read().await?;

    let object = got.object()?;
    for number in 1..=APPLIES {
        let (manager, path) = (format!("m{number}"), fixture.path_of_text(&format!("k{number}")));
        let is_own = |entry: &&Value| entry["manager"] == manager.as_str() && entry["operation"] == "Apply";
        let entry = entries(&object).iter().find(is_own);
        let owns = entry.is_some_and(|entry| paths(&entry["fieldsV1"]).contains(&path));
        got.expect(owns, format!("an entry of {manager} for {path}"), owners_text(&object))?;
    }
    Ok(())
}

async fn managed_fields_duplicate_list_items(fixture: DeploymentApplyFixture) -> Checked {
    let mut whole = fixture.whole(&[]);
    let twice = json!([{ "name": "x", "value": "1" }, { "name": "x", "value": "2" }]);
    whole["spec"]["template"]["spec"]["containers"][0]["env"] = twice.clone();
    fixture.posted("p", &whole).await?;

    let applied = fixture.send(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    applied.expect_value("/spec/template/spec/containers/0/env", &twice)?;
    fixture.expect_texts(&applied, &[("a", Some("1"))]).await
}

/// The keys, and their length, of an object that is too large together with its entries.
const KEYS: usize = 9_000;
const LENGTH: usize = 96;

async fn managed_fields_large_object_fallback(cx: Context, fixture: ConfigMapApplyFixture) -> Checked {
    let one = json!({ "data": { "k": "v".repeat(KEYS * (LENGTH + 8)) } });
    if let Err(Halt::Errored(why)) = fixture.of("one").posted("p", &one).await {
        return Err(Halt::skip(format!("the server rejects an object of a megabyte: {why}")));
    }
    let keys: Map<String, Value> = (0..KEYS).map(|key| (format!("{key:0LENGTH$}"), json!(""))).collect();
    let many = fixture.of("many");

    let posted = many.send(many.posting("p", &json!({ "data": keys }))).await?;

    posted.expect_status(&[201])?;
    let labels = json!({ "metadata": { "labels": { "l": "x" } } });
    let applied = many.send(many.applying("m1", &labels)).await?;
    cx.note(format!("{}; the response to an apply: {}", recorded(&posted.object()?), brief(&applied)));
    many.send(many.merging("u", &labels)).await?.expect_value("/metadata/labels/l", &json!("x"))
}

fn recorded(object: &Object) -> &'static str {
    if entries(object).is_empty() {
        "no managedFields of a large object"
    } else {
        "managedFields of a large object"
    }
}

fn brief(response: &Exchange) -> String {
    response.brief().chars().take(100).collect()
}
