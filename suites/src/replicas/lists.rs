//! Lists through one server, after writes through another.

use harness::{Match, decimal};

use super::reads::{expect_value, value};
use super::servers::Servers;
use crate::prelude::*;

rows![
    replicas_list_after_write,
    replicas_list_not_older,
    replicas_list_exact.namespaced(),
    replicas_future_version.namespaced(),
    replicas_continue_elsewhere.namespaced(),
];

/// Rounds of writes and reads.
const ROUNDS: usize = 3;

/// The label of the written object, and its value.
const LABEL: (&str, &str) = ("kube-assay.dev/replicas", "yes");

/// The list has the object with the value of the last acknowledged write.
fn expect_item(listed: &Exchange, name: &str, value: &str) -> Checked {
    let page = listed.page()?;
    match page.item(name) {
        Some(item) => expect_value(listed, item, value),
        None => Err(listed.fail(format!("{name} in the list"), format!("{:?}", page.own_names()))),
    }
}

async fn replicas_list_after_write(servers: Servers) -> Checked {
    servers.first().create_labelled("a", LABEL.0, LABEL.1).await?;
    let selector = format!("{}={}", LABEL.0, LABEL.1);
    for round in 0..ROUNDS {
        for (write, (writer, reader)) in servers.pairs().enumerate() {
            let lists = [reader.list(), reader.list().limit(500), reader.list().labels(&selector)];
            for (form, list) in lists.into_iter().enumerate() {
                let value = format!("{}-{form}", value(round, write));
                writer.write("a", &value).await?;
                expect_item(&*list.await?, &reader.name_of("a"), &value)?;
            }
        }
    }
    Ok(())
}

async fn replicas_list_not_older(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for round in 0..ROUNDS {
        for (write, (writer, reader)) in servers.pairs().enumerate() {
            for matching in [Match::Unset, Match::NotOlderThan] {
                let value = format!("{}-{}", value(round, write), matching == Match::Unset);
                let written = writer.write("a", &value).await?;
                let list = reader.list().at(written.version()).matching(matching);
                let listed = list.retry_on_504().await?;
                if listed.status() != 504 {
                    expect_item(&listed, &reader.name_of("a"), &value)?;
                }
            }
        }
    }
    Ok(())
}

async fn replicas_list_exact(servers: Servers) -> Checked {
    for (round, (writer, reader)) in servers.pairs().enumerate() {
        let name = format!("a{round}");
        let created = writer.create(&name).await?;
        writer.write(&name, "second").await?;

        let listed = reader.list().exactly(created.version()).retry_on_504().await?;
        if listed.expired() || listed.status() == 504 {
            continue;
        }
        let page = listed.page()?;
        listed.expect(
            page.version == created.version(),
            format!("a list at {}", created.version()),
            &page.version,
        )?;
        expect_item(&listed, &name, created.value())?;
    }
    Ok(())
}

/// Far enough that no server reaches the version during a scenario, and near enough to be a valid version.
const AHEAD: u128 = 1_000_000;

async fn replicas_future_version(servers: Servers) -> Checked {
    let Some(now) = decimal(&servers.first().now().await?.version) else {
        return Err(Halt::skip("the server's versions are not decimal: future versions are unknown"));
    };
    let version = (now + AHEAD).to_string();
    let lists = servers.all().iter().map(|server| server.list().at(&version).into_future());

    for listed in try_join_all(lists).await? {
        listed.expect_error(&[504], &["Timeout"])?;
    }
    Ok(())
}

/// The objects of a list of several pages, and the size of a page.
const NAMES: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const PAGE: usize = 4;

async fn replicas_continue_elsewhere(servers: Servers) -> Checked {
    servers.first().create_all(&NAMES).await?;
    for (round, (first, other)) in servers.pairs().enumerate() {
        let page = first.list().limit(PAGE).page().await?;
        let Some(token) = page.token.clone() else {
            return Err(Halt::skip("the server returns all items at once"));
        };
        first.create(&format!("z{round}")).await?;

        let rest = other.list().limit(NAMES.len() + servers.all().len()).after(&token).await?;
        if rest.expired() {
            continue;
        }
        let rest = rest.page()?;
        rest.expect_version(&page.version)?;
        let new = format!("z{round}");
        let times = |name| [&page, &rest].iter().filter(|page| page.item(name).is_some()).count();
        let each_once = NAMES.iter().all(|name| times(name) == 1);
        rest.expect(
            each_once && rest.item(&new).is_none(),
            format!("the other items at {}, each once, without {new}", page.version),
            format!("{:?} after {:?}", rest.own_names(), page.own_names()),
        )?;
    }
    Ok(())
}
