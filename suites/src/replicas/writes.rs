//! Writes through one server whose premise another one has changed.

use super::servers::Servers;
use crate::patch_types::patch;
use crate::prelude::*;

rows![
    replicas_stale_update_elsewhere,
    replicas_uid_precondition_elsewhere,
    replicas_dry_run_nowhere.namespaced()
];

async fn replicas_stale_update_elsewhere(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for (round, (first, other)) in servers.pairs().enumerate() {
        let stored = StoredObject::read(first.context(), first.clone()).await?;
        let value = format!("first-{round}");
        stored.put(&stored.body(&value)).await?.written()?;

        let elsewhere = stored.through(other);
        let stale = elsewhere.put(&stored.body(&format!("stale-{round}"))).await?;
        stale.expect_error(&[409], &["Conflict"])?;
        elsewhere.expect_value(&value).await?;
    }
    Ok(())
}

async fn replicas_uid_precondition_elsewhere(servers: Servers) -> Checked {
    for (round, (first, other)) in servers.pairs().enumerate() {
        let name = format!("a{round}");
        let uid = first.create(&name).await?.metadata("uid").to_owned();
        other.get(&name).await?.expect_status(&[200])?;
        first.delete(&name).await?;
        first.get(&name).await?.expect_status(&[404])?;
        let again = first.create(&name).await?;

        let options = json!({ "kind": "DeleteOptions", "apiVersion": "v1", "preconditions": { "uid": uid } });
        let deletion = Request::delete(other.path_of(&name)).json("application/json", &options);
        let refused = other.context().send(deletion).await?;
        refused.expect_error(&[409], &["Conflict"])?;
        let got = other.get(&name).await?;
        let stored = got.object()?;
        let expected = format!("the second object, with uid {}", again.metadata("uid"));
        got.expect(stored.metadata("uid") == again.metadata("uid"), expected, stored.metadata("uid"))?;
    }
    Ok(())
}

async fn replicas_dry_run_nowhere(servers: Servers) -> Checked {
    servers.first().create("a").await?;
    for (first, other) in servers.pairs() {
        let version = other.now().await?.version;
        let mut watch = other.watch().at(&version).open_as_fixture().await?;
        let dry = |request: Request| request.query("dryRun", "All");
        let create = dry(Request::post(first.path(), &first.body("dry", "first")));
        let change = dry(patch(first, "a", MERGE, &first.change("dry")));
        for request in [create, change] {
            first.context().send(request).await?.written()?;
        }

        other.get("dry").await?.expect_error(&[404], &["NotFound"])?;
        let got = other.get("a").await?;
        let unchanged = got.object()?.value() != "dry";
        got.expect(unchanged, "the value before the dry run", "the value of the dry run")?;
        let written = first.write("a", "real").await?;
        let event = watch.event_or_fail("MODIFIED a, of the write after the dry runs").await?;
        let expected = format!("the event of the write after the dry runs, at {}", written.version());
        watch.expect_that(event.object.version() == written.version(), expected, event.brief())?;
        first.write("a", "first").await?;
    }
    Ok(())
}
