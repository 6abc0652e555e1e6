//! The time of an entry.

use super::write_method::Way;
use crate::apply_fixture::on_subresource;
use crate::apply_fixture::owner::{Owner, applier, entries, entry_of, expect_no_entry, owners_text, updater};
use crate::clock;
use crate::prelude::*;

rows![
    managed_fields_entry_time,
    managed_fields_updates_of_one_manager_grouped,
    managed_fields_time_unchanged_when_taken_over,
    managed_fields_time_moves_on_change,
    managed_fields_put_noop_same_resource_version,
];

/// The tolerated difference to the Date header, in seconds.
const SKEW: i64 = 5;

/// The time of an owner's entry.
fn time_of(response: &Exchange, owner: Owner) -> Result<i64, Halt> {
    let object = response.object()?;
    let entry = entry_of(&object, owner);
    let time = entry.and_then(|entry| clock::second(entry["time"].as_str()?));
    let actual = entry.map_or_else(|| owners_text(&object), ToString::to_string);
    time.ok_or_else(|| response.fail(format!("an entry of {owner} with a time as in RFC 3339"), actual))
}

async fn managed_fields_entry_time(cx: Context, fixture: Tracked) -> Checked {
    let begun = Instant::now();
    let mut writes = Vec::new();
    for way in Way::ALL {
        let write = way.writes(&fixture).await?.query("fieldManager", "m");
        writes.push((fixture.write_response(write).await?, way.owner("m")));
    }
    if fixture.collection.has_status() {
        writes.push((apply_status(&fixture).await?, applier("s").through("status")));
    }
    let shared =
        fixture.write_response(fixture.applying("m2", &fixture.texts([(Way::Put.key(), "1")]))).await?;
    if time_of(&shared, applier("m2")).is_err() {
        cx.note("the entry of an apply that changes only owners has no time");
    }

    let span = clock::since(&fixture.collection, begun).await?;
    for (written, owner) in writes {
        let time = time_of(&written, owner)?;
        let is_now = clock::is_within(time, &span, &written, SKEW);
        let expected = format!("a time of {owner} {}", clock::text(&span));
        written.expect(is_now, expected, clock::text(&(time..=time)))?;
    }
    Ok(())
}

async fn apply_status(fixture: &ApplyFixture) -> Result<Arc<Exchange>, Halt> {
    let status = fixture.collection.status_change("v")?;
    fixture.write_response(on_subresource("status", fixture.applying("s", &status))).await
}

/// Waits until new entries get a later time. Skips without a Date header.
async fn another_second(fixture: &ApplyFixture) -> Checked {
    Halt::skip_unless(clock::date(&*fixture.read().await?).is_some(), "the server sends no Date header")?;
    clock::another_second(&fixture.cx, &fixture.collection, fixture.name).await
}

fn expect_later(response: &Exchange, owner: Owner, before: i64) -> Checked {
    let time = time_of(response, owner)?;
    response.expect(time > before, format!("a later time of {owner}"), format!("{} s later", time - before))
}

async fn managed_fields_updates_of_one_manager_grouped(fixture: Tracked) -> Checked {
    let first = fixture.write_response(fixture.merging("u", &fixture.texts([("a", "1")]))).await?;
    let before = time_of(&first, updater("u"))?;
    another_second(&fixture).await?;

    let second = fixture.write_response(fixture.merging("u", &fixture.texts([("b", "1")]))).await?;

    let object = second.object()?;
    let of_u = entries(&object).iter().filter(|entry| entry["manager"] == "u").count();
    second.expect(of_u == 1, "one entry of u", owners_text(&object))?;
    fixture.expect_owned_texts(&second, updater("u"), &["a", "b"])?;
    expect_later(&second, updater("u"), before)
}

async fn managed_fields_time_unchanged_when_taken_over(fixture: Tracked) -> Checked {
    let first =
        fixture.write_response(fixture.applying("m1", &fixture.texts([("a", "1"), ("b", "1")]))).await?;
    let before = time_of(&first, applier("m1"))?;
    another_second(&fixture).await?;

    let taken = fixture.write_response(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_owned_texts(&taken, applier("m1"), &["b"])?;
    let after = time_of(&taken, applier("m1"))?;
    taken.expect(after == before, "the time of m1/Apply as before", format!("{} s later", after - before))
}

async fn managed_fields_time_moves_on_change(kept: Tracked) -> Checked {
    let first = kept.texts([("a", "1"), ("b", "1")]);
    let changed = kept.texts([("a", "2"), ("b", "1")]);
    let more = kept.texts([("a", "1"), ("b", "1"), ("c", "1")]);
    let second = [("changed", changed), ("less", kept.texts([("b", "1")])), ("more", more)];
    let mut times = Vec::new();
    for (name, _) in &second {
        let fixture = kept.of(name);
        fixture.posted("p", &fixture.whole(&[])).await?;
        times.push(time_of(&*fixture.write_response(fixture.applying("m1", &first)).await?, applier("m1"))?);
    }
    another_second(&kept).await?;

    for ((name, texts), before) in second.iter().zip(times) {
        let fixture = kept.of(name);
        let again = fixture.write_response(fixture.applying("m1", texts)).await?;
        expect_later(&again, applier("m1"), before)?;
    }
    Ok(())
}

async fn managed_fields_put_noop_same_resource_version(fixture: Tracked) -> Checked {
    let applied = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    another_second(&fixture).await?;
    let read = fixture.read().await?.written()?;

    let put = fixture.write_response(fixture.putting("u", read.json())).await?;

    let version = put.object()?.version().to_owned();
    put.expect(
        version == applied.version(),
        format!("resourceVersion {} as before", applied.version()),
        version,
    )?;
    expect_no_entry(&put, updater("u"))?;
    fixture.expect_owned_texts(&put, applier("m1"), &["a"])
}
