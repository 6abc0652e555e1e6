//! Concurrent writes of the same object through different servers.

use super::servers::Servers;
use crate::prelude::*;

rows![
    replicas_no_lost_update,
    replicas_create_once,
    replicas_delete_once,
    replicas_addresses_unique.own_kinds(),
];

/// Rounds of concurrent writes.
const ROUNDS: usize = 10;

/// The same request through each server at once.
async fn race(
    servers: &Servers,
    request: impl Fn(usize, &Collection) -> Request,
) -> Result<Vec<Arc<Exchange>>, Halt> {
    let sent = servers.all().iter().enumerate();
    let sent = sent.map(|(at, server)| {
        let request = request(at, server);
        async move { server.context().send(request).await }
    });
    try_join_all(sent).await
}

/// Exactly one of the responses is a success; the others have one of these codes. Returns the successful one.
fn expect_one<'a>(responses: &'a [Arc<Exchange>], others: &[u16]) -> Result<&'a Arc<Exchange>, Halt> {
    let won: Vec<_> = responses.iter().filter(|response| response.succeeded()).collect();
    let mut lost = responses.iter().filter(|response| !response.succeeded());
    lost.try_for_each(|response| response.expect_status(others))?;
    match won[..] {
        [one] => Ok(one),
        [] => Err(responses[0].fail("one write that succeeds", "all are rejected")),
        [_, second, ..] => {
            Err(second
                .fail("one write that succeeds", format!("{} of {} succeed", won.len(), responses.len())))
        }
    }
}

async fn replicas_no_lost_update(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for round in 0..ROUNDS {
        let stored = StoredObject::read(servers.cx(), servers.first().clone()).await?;
        let value = |at: usize| format!("round-{round}-server-{at}");
        let put =
            |at: usize, server: &Collection| Request::put(server.path_of(NAME), &stored.body(&value(at)));
        let responses = race(&servers, put).await?;

        let won = expect_one(&responses, &[409])?.written()?;
        for server in servers.all() {
            let got = server.get(NAME).await?;
            let stored = got.object()?;
            let expected = format!("the value of the update that succeeded, {:?}", won.value());
            got.expect(stored.value() == won.value(), expected, format!("{:?}", stored.value()))?;
        }
    }
    Ok(())
}

async fn replicas_create_once(servers: Servers) -> Checked {
    for round in 0..ROUNDS {
        let name = format!("a{round}");
        let post = |_, server: &Collection| Request::post(server.path(), &server.body(&name, "first"));
        let responses = race(&servers, post).await?;

        let won = expect_one(&responses, &[409])?.written()?;
        let got = servers.last().get(&name).await?;
        let uid = got.object()?.metadata("uid").to_owned();
        let expected = format!("the uid of the create that succeeded, {}", won.metadata("uid"));
        got.expect(uid == won.metadata("uid"), expected, uid)?;
    }
    Ok(())
}

async fn replicas_delete_once(servers: Servers) -> Checked {
    for round in 0..ROUNDS {
        let name = format!("a{round}");
        servers.first().create(&name).await?;
        let responses = race(&servers, |_, server| Request::delete(server.path_of(&name))).await?;

        expect_one(&responses, &[404, 409])?;
        servers.last().get(&name).await?.expect_status(&[404])?;
    }
    Ok(())
}

/// The field of a Service with its address.
const ADDRESS: &str = "/spec/clusterIP";

async fn replicas_addresses_unique(cx: Context) -> Checked {
    let services = Resource::core("services", "Service");
    cx.require_listed(&services).await?;
    let services = cx.collection(services).await?;
    let mut addresses: Vec<String> = Vec::new();
    for round in 0..ROUNDS {
        let create = super::servers::numbers(&cx).map(|server| {
            let body = json!({
                "apiVersion": "v1", "kind": "Service",
                "metadata": { "name": format!("s{round}-{server}") },
                "spec": { "ports": [{ "port": 80 }] },
            });
            let (path, cx) = (services.path(), cx.through(server));
            async move { cx.send(Request::post(path, &body)).await }
        });
        for created in try_join_all(create).await? {
            let address = created.written()?.json().pointer(ADDRESS).cloned().unwrap_or_default();
            let address = address.as_str().unwrap_or_default().to_owned();
            Halt::skip_unless(!address.is_empty(), "the server gives Services no address")?;
            let unique = !addresses.contains(&address);
            created.expect(unique, "a cluster IP that no other Service has", &address)?;
            addresses.push(address);
        }
    }
    Ok(())
}
