//! Dry runs under a `ResourceQuota`.

use super::dry;
use crate::prelude::*;

/// The resource of the quota: no controller creates leases in a namespace of the scenario.
const COUNTED: &str = "count/leases.coordination.k8s.io";

rows![dryrun_no_other_side_effects.own_kinds(), dryrun_admission_run.own_kinds()];

/// A quota of leases that is in force.
struct Quota {
    cx: Context,
    leases: Collection,
    quotas: Collection,
}

impl Quota {
    /// A quota of this many leases, one of which exists.
    async fn of(cx: &Context, most: usize) -> Result<Self, Halt> {
        let quotas = cx.collection(Resource::core("resourcequotas", "ResourceQuota")).await?;
        let leases = Resource::of("coordination.k8s.io", "v1", "leases", "Lease");
        let quota = Self { cx: cx.clone(), leases: cx.collection(leases).await?, quotas };
        let hard = json!({ COUNTED: most.to_string() });
        let body = json!({
            "apiVersion": "v1", "kind": "ResourceQuota", "metadata": { "name": "q" }, "spec": { "hard": hard },
        });
        quota.quotas.create_body(&body).await?;
        // The status that a controller would write, where none runs.
        let status = json!({ "status": { "hard": hard, "used": { COUNTED: "0" } } });
        let path = format!("{}/status", quota.quotas.path_of("q"));
        cx.send(Request::merge_patch(path, &status)).await?.written()?;
        quota.wait_until_in_force().await?;
        Ok(quota)
    }

    /// Waits until the server counts a create. Skips if it does not in time.
    async fn wait_until_in_force(&self) -> Checked {
        let counts = self.cx.eventually(|| async {
            let created = self.cx.send(self.create()).await?.written()?;
            if self.used().await? == "1" {
                return Ok(Some(()));
            }
            self.leases.delete(created.name()).await?;
            Ok(None)
        });
        let reason = "the server does not count leases for a ResourceQuota";
        counts.await?.ok_or_else(|| Halt::skip(reason))
    }

    /// A create of a lease; not yet sent.
    fn create(&self) -> Request {
        let body = json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
            "metadata": { "generateName": "lease-" }, "spec": {},
        });
        Request::post(self.leases.path(), &body)
    }

    async fn used(&self) -> Result<Value, Halt> {
        let quota = self.quotas.get("q").await?.written()?;
        Ok(quota.json()["status"]["used"][COUNTED].clone())
    }
}

async fn dryrun_no_other_side_effects(cx: Context) -> Checked {
    let quota = Quota::of(&cx, 3).await?;

    for _ in 0..8 {
        cx.send(dry(quota.create())).await?.judged().expect_status(&[201])?;
    }

    let used = quota.used().await?;
    let got = quota.quotas.get("q").await?;
    got.expect(used == "1", "status.used of 1 lease, as before the dry runs", used.to_string())?;
    cx.send(quota.create()).await?.judged().expect_status(&[201])
}

async fn dryrun_admission_run(cx: Context) -> Checked {
    let quota = Quota::of(&cx, 1).await?;

    let real = cx.send(quota.create()).await?;
    let tried = cx.send(dry(quota.create())).await?;

    if real.status() != 403 {
        return Err(Halt::skip(format!("the server allows more leases than the quota: {}", real.brief())));
    }
    tried.expect_error(&[403], &["Forbidden"]).map(drop)
}
