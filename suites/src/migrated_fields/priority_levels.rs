//! Priority levels of flow control: the shares of a level.

use super::creation::{Case, Creations, accepted, create, creations};
use super::draft::{Draft, expect_in};
use super::manifest::{Manifest, manifest};
use crate::prelude::*;
use crate::removed_apis::api::{Api, cluster};

pub(super) fn rows() -> Vec<Row> {
    let own = [
        row!(migrated_fields_plc_shares_explicit_zero).own_kinds(),
        row!(migrated_fields_plc_shares_renamed_v1beta3).own_kinds(),
    ];
    table(CREATIONS, Kinds::Own, create).into_iter().chain(own).collect()
}

const fn priority_levels(version: &'static str) -> Api {
    cluster(version, "prioritylevelconfigurations", "PriorityLevelConfiguration")
}

/// A level that no flow schema uses.
const fn level(api: Api) -> Manifest {
    let spec = |_: &Context, _: &str| json!({ "spec": { "type": "Limited", "limited": { "limitResponse": { "type": "Reject" } } } });
    manifest(api, spec)
}

const LEVEL: Manifest = level(priority_levels("flowcontrol.apiserver.k8s.io/v1")).of_feature("FlowControl");
const LEVEL_V1BETA3: Manifest = level(priority_levels("flowcontrol.apiserver.k8s.io/v1beta3"));

const SHARES: &str = "/spec/limited/nominalConcurrencyShares";

/// The old name is no alias, so the shares have their default.
const RENAMED: Case = accepted(
    &[("/spec/limited/assuredConcurrencyShares", "5")],
    &[(SHARES, "30"), ("/spec/limited/assuredConcurrencyShares", "null")],
)
.unknown(&["spec.limited.assuredConcurrencyShares"]);

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-plc-shares-default", creations(&[LEVEL], &[
        accepted(&[],                 &[(SHARES, "30"), ("/spec/limited/lendablePercent", "0")]),
        accepted(&[(SHARES, "null")], &[(SHARES, "30"), ("/spec/limited/lendablePercent", "0")]),
    ])),
    ("migrated-fields-plc-shares-renamed", creations(&[LEVEL], &[RENAMED])),
];

async fn migrated_fields_plc_shares_explicit_zero(cx: Context) -> Checked {
    let zero = [(SHARES, json!(0))];
    let draft = Draft::of(&cx, LEVEL).await?;
    let created = draft.send("create", draft.create(&[(SHARES, "0")])).await?;
    created.expect_status(&[201])?;
    created.expect_values(&zero)?;
    let stored = created.object()?;
    expect_in(&draft, &stored, &zero).await?;
    if cx.discovers(&LEVEL_V1BETA3.api.resource()).await? {
        expect_in(&Draft::of(&cx, LEVEL_V1BETA3).await?, &stored, &zero).await?;
    }

    for shares in [1, 0] {
        let read = draft.send("get", Request::get(draft.object_path())).await?.object()?;
        let body = read.with(&json!({ "spec": { "limited": { "nominalConcurrencyShares": shares } } }))?;
        let updated = draft.send("update", Request::put(draft.object_path(), &body)).await?;
        updated.expect_value(SHARES, &shares.into())?;
    }
    let applied = Request::new(Method::PATCH, draft.object_path())
        .json(APPLY, &draft.body(&[(SHARES, "0")]))
        .query("fieldManager", "kube-assay")
        .query("force", true);
    let applied = draft.send("patch", applied).await?;
    if applied.status() == 415 {
        cx.note("the server does not support server-side apply");
        return Ok(());
    }
    applied.expect_values(&zero)
}

async fn migrated_fields_plc_shares_renamed_v1beta3(cx: Context) -> Checked {
    let resource = LEVEL_V1BETA3.api.resource();
    let served = cx.discovers(&resource).await?;
    Halt::skip_unless(
        served,
        format!("discovery does not list {}, which 1.32 removes", LEVEL_V1BETA3.api.name()),
    )?;

    create(cx, creations(&[LEVEL_V1BETA3], &[RENAMED])).await
}
