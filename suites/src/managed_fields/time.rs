//! The time of an entry.

use std::sync::Arc;

use harness::{Checked, Context, Exchange, Halt, Request};

use super::write_method::Way;
use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{Owner, applier, entries, entry_of, expect_no_entry, told, updater};
use crate::clock;
use crate::patch_types;
use crate::scenario::Tracked;

rows![
    managed_fields_entry_time,
    managed_fields_updates_of_one_manager_grouped,
    managed_fields_time_unchanged_when_taken_over,
    managed_fields_time_moves_on_change,
    managed_fields_put_noop_same_resource_version,
];

/// How far the clocks of a server's parts may be from each other.
const SKEW: i64 = 5;

/// The time of an owner's entry.
fn time_of(answer: &Exchange, owner: Owner) -> Result<i64, Halt> {
    let object = answer.object()?;
    let entry = entry_of(&object, owner);
    let time = entry.and_then(|entry| clock::second(entry["time"].as_str()?));
    let actual = entry.map_or_else(|| told(&object), ToString::to_string);
    time.ok_or_else(|| answer.fail(format!("an entry of {owner} with a time as in RFC 3339"), actual))
}

/// The entry says that its owner wrote when the answer was given.
fn expect_now(answer: &Exchange, owner: Owner) -> Checked {
    let time = time_of(answer, owner)?;
    let Some(now) = clock::date(answer) else { return Ok(()) };
    let near = (now - time).abs() <= SKEW;
    answer.expect(near, format!("{owner} at the time of its Date header"), format!("{} s off", time - now))
}

async fn managed_fields_entry_time(cx: Context, Tracked(story): Tracked) -> Checked {
    for way in Way::ALL {
        let written = story.wrote(way.writes(&story).await?.query("fieldManager", "m")).await?;
        expect_now(&written, way.owner("m"))?;
    }
    if story.collection.has_status() {
        expect_now(&*apply_status(&story).await?, applier("s").through("status"))?;
    }
    let shared = story.wrote(story.applying("m2", &story.texts([(Way::Put.key(), "1")]))).await?;
    if time_of(&shared, applier("m2")).is_err() {
        cx.note("an apply that changes only who owns what is recorded without a time");
    }
    Ok(())
}

async fn apply_status(story: &Story) -> Result<Arc<Exchange>, Halt> {
    let body = story.body(&story.collection.status_change("v")?);
    let request = Request::new(harness::Method::PATCH, story.collection.status_path_of(story.name));
    story.wrote(request.json(patch_types::APPLY, &body).query("fieldManager", "s")).await
}

/// Waits until entries get another time. Skips where the server does not say what time it is.
async fn another_second(story: &Story) -> Checked {
    if clock::date(&*story.read().await?).is_none() {
        return Err(Halt::Skipped("this server does not say in a Date header what time it is".to_owned()));
    }
    clock::another_second(&story.cx, &story.collection, story.name).await
}

fn expect_later(answer: &Exchange, owner: Owner, before: i64) -> Checked {
    let time = time_of(answer, owner)?;
    answer.expect(time > before, format!("a later time of {owner}"), format!("{} s later", time - before))
}

async fn managed_fields_updates_of_one_manager_grouped(Tracked(story): Tracked) -> Checked {
    let first = story.wrote(story.merging("u", &story.texts([("a", "1")]))).await?;
    let before = time_of(&first, updater("u"))?;
    another_second(&story).await?;

    let second = story.wrote(story.merging("u", &story.texts([("b", "1")]))).await?;

    let object = second.object()?;
    let of_u = entries(&object).iter().filter(|entry| entry["manager"] == "u").count();
    second.expect(of_u == 1, "one entry of u", told(&object))?;
    story.expect_owned_texts(&second, updater("u"), &["a", "b"])?;
    expect_later(&second, updater("u"), before)
}

async fn managed_fields_time_unchanged_when_taken_over(Tracked(story): Tracked) -> Checked {
    let first = story.wrote(story.applying("m1", &story.texts([("a", "1"), ("b", "1")]))).await?;
    let before = time_of(&first, applier("m1"))?;
    another_second(&story).await?;

    let taken = story.wrote(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    story.expect_owned_texts(&taken, applier("m1"), &["b"])?;
    let after = time_of(&taken, applier("m1"))?;
    taken.expect(after == before, "the time of m1/Apply as before", format!("{} s later", after - before))
}

async fn managed_fields_time_moves_on_change(Tracked(kept): Tracked) -> Checked {
    let first = kept.texts([("a", "1"), ("b", "1")]);
    let changed = kept.texts([("a", "2"), ("b", "1")]);
    let more = kept.texts([("a", "1"), ("b", "1"), ("c", "1")]);
    let second = [("changed", changed), ("less", kept.texts([("b", "1")])), ("more", more)];
    let mut times = Vec::new();
    for (name, _) in &second {
        let story = kept.of(name);
        story.posted("p", &story.whole(&[])).await?;
        times.push(time_of(&*story.wrote(story.applying("m1", &first)).await?, applier("m1"))?);
    }
    another_second(&kept).await?;

    for ((name, texts), before) in second.iter().zip(times) {
        let story = kept.of(name);
        let again = story.wrote(story.applying("m1", texts)).await?;
        expect_later(&again, applier("m1"), before)?;
    }
    Ok(())
}

async fn managed_fields_put_noop_same_resource_version(Tracked(story): Tracked) -> Checked {
    let applied = story.applied("m1", &story.texts([("a", "1")])).await?;
    another_second(&story).await?;
    let read = story.read().await?.written()?;

    let put = story.wrote(story.putting("u", read.json())).await?;

    let version = put.object()?.version().to_owned();
    put.expect(version == applied.version(), format!("version {} as before", applied.version()), version)?;
    expect_no_entry(&put, updater("u"))?;
    story.expect_owned_texts(&put, applier("m1"), &["a"])
}
