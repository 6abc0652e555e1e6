//! Dry runs under a `ResourceQuota`.

use super::dry;
use crate::prelude::*;

/// What is counted: nobody else creates any in a namespace of ours.
const COUNTED: &str = "count/leases.coordination.k8s.io";

rows![dryrun_no_other_side_effects.own_kinds(), dryrun_admission_run.own_kinds()];

/// A quota that is in force, and what it counts.
struct Quota {
    cx: Context,
    leases: Collection,
    quotas: Collection,
}

impl Quota {
    /// Lets so many leases be created, one of which is used.
    async fn of(cx: &Context, most: usize) -> Result<Self, Halt> {
        let quotas = cx.collection(Resource::core("resourcequotas", "ResourceQuota")).await?;
        let leases = Resource::of("coordination.k8s.io", "v1", "leases", "Lease");
        let quota = Self { cx: cx.clone(), leases: cx.collection(leases).await?, quotas };
        let hard = json!({ COUNTED: most.to_string() });
        let body = json!({
            "apiVersion": "v1", "kind": "ResourceQuota", "metadata": { "name": "q" }, "spec": { "hard": hard },
        });
        cx.send(Request::post(quota.quotas.path(), &body)).await?.written()?;
        // Where no controller counts what is there, nobody does.
        let status = json!({ "status": { "hard": hard, "used": { COUNTED: "0" } } });
        let path = format!("{}/status", quota.quotas.path_of("q"));
        cx.send(Request::merge_patch(path, &status)).await?.written()?;
        quota.wait_until_in_force().await?;
        Ok(quota)
    }

    /// Until a create counts: a server may learn of the quota a little later.
    async fn wait_until_in_force(&self) -> Checked {
        let counts = self.cx.eventually(|| async {
            let created = self.cx.send(self.create()).await?.written()?;
            if self.used().await? == "1" {
                return Ok(Some(()));
            }
            self.leases.delete(created.name()).await?;
            Ok(None)
        });
        let why = "a quota of leases does not count them here";
        counts.await?.ok_or_else(|| Halt::Skipped(why.to_owned()))
    }

    /// A create of one more; not yet sent.
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
        cx.send(dry(quota.create())).await?.expect_status(&[201])?;
    }

    let used = quota.used().await?;
    let got = quota.quotas.get("q").await?;
    got.expect(used == "1", "1 lease counted: dry runs use nothing up", used.to_string())?;
    cx.send(quota.create()).await?.expect_status(&[201])
}

async fn dryrun_admission_run(cx: Context) -> Checked {
    let quota = Quota::of(&cx, 1).await?;

    let real = cx.send(quota.create()).await?;
    let tried = cx.send(dry(quota.create())).await?;

    if real.status() != 403 {
        return Err(Halt::Skipped(format!("nothing is refused beyond a quota here: {}", real.brief())));
    }
    tried.expect_error(&[403], &["Forbidden"]).map(drop)
}
