//! Server-side apply of several managers through different servers.

use super::servers::numbers;
use crate::prelude::*;

rows![replicas_apply_conflict_elsewhere.own_kinds(), replicas_apply_race.own_kinds()];

/// Rounds of concurrent applies, and the attempts of one.
const ROUNDS: usize = 10;
const ATTEMPTS: usize = 10;

async fn replicas_apply_conflict_elsewhere(fixture: ConfigMapApplyFixture) -> Checked {
    for (round, server) in numbers(&fixture.cx).skip(1).enumerate() {
        let (key, elsewhere) = (format!("k{round}"), fixture.through(server));
        fixture.applied("m1", &json!({ "data": { key.as_str(): "1" } })).await?;

        let conflict =
            elsewhere.send(elsewhere.applying("m2", &json!({ "data": { key.as_str(): "2" } }))).await?;
        let status = conflict.expect_error(&[409], &["Conflict"])?;
        let names = status.to_string().contains("m1") && status.to_string().contains(&key);
        conflict.expect(names, format!("a conflict with m1 on .data.{key}"), conflict.brief())?;
        let other = format!("j{round}");
        elsewhere
            .send(elsewhere.applying("m2", &json!({ "data": { other.as_str(): "2" } })))
            .await?
            .written()?;
    }
    Ok(())
}

async fn replicas_apply_race(fixture: ConfigMapApplyFixture) -> Checked {
    fixture.applied("m", &json!({ "data": { "first": "1" } })).await?;
    for round in 0..ROUNDS {
        let applied = numbers(&fixture.cx).map(|server| apply(fixture.through(server), server, round));
        try_join_all(applied).await?;

        let read = fixture.read().await?;
        for server in numbers(&fixture.cx) {
            let (value, manager) = (format!("round-{round}"), format!("m{server}"));
            read.expect_value(&format!("/data/k{server}"), &value.into())?;
            let managers = read.json().map(|json| json["metadata"]["managedFields"].to_string());
            let owns = managers.is_some_and(|managers| managers.contains(&format!("\"{manager}\"")));
            read.expect(owns, format!("{manager} among the managers"), read.brief())?;
        }
    }
    Ok(())
}

/// Applies a field of its own through a server; again if the server gave up its own retries.
async fn apply(fixture: ApplyFixture, server: u8, round: usize) -> Checked {
    let fields = json!({ "data": { format!("k{server}"): format!("round-{round}") } });
    for _ in 0..ATTEMPTS {
        let applied = fixture.send(fixture.applying(&format!("m{server}"), &fields)).await?;
        let causes = applied.json().map(|json| json["details"]["causes"].to_string()).unwrap_or_default();
        if applied.status() != 409 || causes.contains("FieldManagerConflict") {
            return applied.written().map(drop);
        }
    }
    Err(fixture.cx.test_error("apply a field", format!("409 Conflict in {ATTEMPTS} attempts")).into())
}
