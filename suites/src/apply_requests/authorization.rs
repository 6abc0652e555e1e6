//! Authorization of applies: `patch`, and `create` for new objects.

use super::MANAGER;
use crate::prelude::*;
use crate::restricted_user::User;

rows![
    apply_requests_rbac_patch_suffices_for_existing.own_kinds(),
    apply_requests_rbac_create_needed.own_kinds(),
    apply_requests_rbac_patch_needed.own_kinds(),
    apply_requests_rbac_force_same.own_kinds(),
];

/// The field manager of users with a role.
const USER: &str = "kube-assay-user";

/// The fixture of an object that a first apply created. Skips where the server does not apply.
async fn applied(cx: &Context) -> Result<ApplyFixture, Halt> {
    let fixture = ApplyFixture::of_a_configmap(cx).await?;
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    Ok(fixture)
}

/// A user with the verb `patch` alone.
async fn patcher(cx: &Context, fixture: &ApplyFixture) -> Result<User, Halt> {
    User::with_verbs(cx, &fixture.collection, "patcher", &["patch"]).await
}

async fn apply_requests_rbac_patch_suffices_for_existing(cx: Context) -> Checked {
    let fixture = applied(&cx).await?;

    let patch = || fixture.applying_texts(USER, &[("l", "w")]);
    let response = patcher(&cx, &fixture).await?.send_until_allowed(&cx, patch).await?;

    response.expect_status(&[200])?;
    fixture.expect_texts(&response, &[("l", Some("w"))]).await
}

async fn apply_requests_rbac_create_needed(cx: Context) -> Checked {
    let fixture = applied(&cx).await?;
    let patcher = patcher(&cx, &fixture).await?;
    patcher.wait_for_grant(&cx, || fixture.applying_texts(USER, &[("l", "w")])).await?;

    let fresh = fixture.of("b");
    let creating = || fresh.applying_whole(USER, &[("l", "w")]);
    let refused = fresh.send(patcher.sends(creating())).await?;
    refused.expect_error(&[403], &["Forbidden"])?;
    fresh.expect_absent().await?;

    let creator = User::with_verbs(&cx, &fixture.collection, "creator", &["patch", "create"]).await?;
    creator.send_until_allowed(&cx, creating).await?.expect_status(&[201])
}

async fn apply_requests_rbac_patch_needed(cx: Context) -> Checked {
    let fixture = applied(&cx).await?;
    let applied = fixture.read().await?.written()?;
    let writer = User::with_verbs(&cx, &fixture.collection, "writer", &["get", "create", "update"]).await?;
    writer.wait_for_grant(&cx, || Request::put(fixture.path(), applied.json())).await?;
    // Admission may have added the name of the user.
    let before = fixture.read().await?.written()?;

    let fresh = fixture.of("b");
    for request in [fixture.applying_texts(USER, &[("l", "w")]), fresh.applying_whole(USER, &[("l", "w")])] {
        fixture.send(writer.sends(request)).await?.expect_error(&[403], &["Forbidden"])?;
    }
    fresh.expect_absent().await?;
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_rbac_force_same(cx: Context) -> Checked {
    let fixture = applied(&cx).await?;
    let patcher = patcher(&cx, &fixture).await?;
    patcher.wait_for_grant(&cx, || fixture.applying_texts(USER, &[("l", "w")])).await?;

    let forced = fixture.applying_texts(USER, &[("k", "w")]).query("force", true);
    let response = fixture.send(patcher.sends(forced)).await?;

    response.expect_status(&[200])?;
    fixture.expect_texts(&response, &[("k", Some("w"))]).await
}
