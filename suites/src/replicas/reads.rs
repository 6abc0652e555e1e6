//! Gets through one server, after writes through another.

use harness::decimal;

use super::servers::Servers;
use crate::prelude::*;

rows![
    replicas_identity,
    replicas_get_after_write,
    replicas_get_after_delete,
    replicas_get_not_older,
    replicas_any_was_written,
    replicas_any_not_older_than_watch.namespaced(),
];

/// Rounds of writes and reads: each has a write through every server.
const ROUNDS: usize = 7;

/// A value for each write of a round.
pub(super) fn value(round: usize, write: usize) -> String {
    format!("value-{round}-{write}")
}

async fn replicas_identity(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    same_through_all(&servers).await?;
    servers.last().write("a", "second").await?;
    same_through_all(&servers).await
}

/// Every server returns the same object: at once, or after a controller's write to it.
async fn same_through_all(servers: &Servers) -> Checked {
    crate::discovery::eventually(servers.cx(), || async {
        let read = try_join_all(servers.all().iter().map(|server| server.get("a").into_future())).await?;
        let first = read[0].object()?;
        read.iter().try_for_each(|other| {
            let object = other.object()?;
            let expected = format!("the same object as through the target, at {}", first.version());
            other.expect(object.json() == first.json(), expected, other.brief())
        })
    })
    .await
}

async fn replicas_get_after_write(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for round in 0..ROUNDS {
        for (write, (writer, reader)) in servers.pairs().enumerate() {
            let value = value(round, write);
            writer.write("a", &value).await?;
            let got = reader.get("a").await?;
            expect_value(&got, &got.object()?, &value)?;
        }
    }
    Ok(())
}

/// The object has the value of the last acknowledged write.
pub(super) fn expect_value(response: &Exchange, object: &Object, value: &str) -> Checked {
    let expected = format!("the value {value:?}, which another server acknowledged before");
    response.expect(object.value() == value, expected, format!("{:?}", object.value()))
}

async fn replicas_get_after_delete(servers: Servers) -> Checked {
    for (round, (writer, reader)) in servers.pairs().enumerate() {
        let name = format!("a{round}");
        writer.create(&name).await?;
        reader.get(&name).await?.expect_status(&[200])?;
        writer.delete(&name).await?;
        writer.get(&name).await?.expect_status(&[404])?;

        reader.get(&name).await?.expect_error(&[404], &["NotFound"])?;
        let listed = reader.list().await?;
        let page = listed.page()?;
        let gone = page.item(&reader.name_of(&name)).is_none();
        listed.expect(gone, format!("a list without {name}, which another server deleted"), "it is there")?;
    }
    Ok(())
}

async fn replicas_get_not_older(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for round in 0..ROUNDS {
        for (write, (writer, reader)) in servers.pairs().enumerate() {
            let value = value(round, write);
            let written = writer.write("a", &value).await?;
            let got = reader.get("a").at(written.version()).retry_on_504().await?;
            if got.status() != 504 {
                expect_value(&got, &got.object()?, &value)?;
            }
        }
    }
    Ok(())
}

/// The number of writes, each followed by a read.
const WRITES: usize = 20;

async fn replicas_any_was_written(servers: Servers) -> Checked {
    let created = servers.first().create("a").await?;
    let mut states = vec![(created.version().to_owned(), created.value().to_owned())];
    for write in 0..WRITES {
        let written = servers.first().write("a", &value(0, write)).await?;
        states.push((written.version().to_owned(), written.value().to_owned()));
        let got = servers.last().get("a").at("0").await?;
        if got.status() == 404 {
            continue;
        }
        let object = got.object()?;
        let state = (object.version().to_owned(), object.value().to_owned());
        let written = states.contains(&state) || is_of_controller(&states, &state);
        let expected = "a version and a value that one write returned";
        got.expect(written, expected, format!("{:?} at {}", state.1, state.0))?;
    }
    Ok(())
}

/// Whether a version is between that of the value's write and the next one: a controller wrote another field.
fn is_of_controller(states: &[(String, String)], (version, value): &(String, String)) -> bool {
    let Some(at) = states.iter().position(|(_, known)| known == value) else { return false };
    let (begin, end) = (decimal(&states[at].0), states.get(at + 1).and_then(|(next, _)| decimal(next)));
    let known = states.iter().any(|(known, _)| known == version);
    !known && begin < decimal(version) && end.is_none_or(|end| decimal(version) < Some(end))
}

async fn replicas_any_not_older_than_watch(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    let version = servers.first().now().await?.version;
    let mut watch = servers.last().watch().at(&version).open_as_fixture().await?;
    for write in 0..ROUNDS {
        let value = value(0, write);
        servers.first().write("a", &value).await?;
        let seen = |event: &WatchEvent| event.object.value() == value;
        watch.until(&format!("MODIFIED a with {value:?}"), seen).await?;

        let got = servers.last().get("a").at("0").await?;
        let object = got.object()?;
        let expected = format!("the value {value:?}, whose event a watch through this server has delivered");
        got.expect(object.value() == value, expected, format!("{:?}", object.value()))?;
    }
    Ok(())
}
