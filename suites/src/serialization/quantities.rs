//! Quantities.

use crate::prelude::*;
use crate::rejections::{RejectionFixture, rejected};

pub(super) fn rows() -> Vec<Row> {
    let invalid = rejected("serialization-quantity-invalid-refused", &[400, 422], |quotas: &Quotas| {
        quotas.create(&json!({ "cpu": "ten" }))
    });
    vec![
        row!(serialization_quantity_canonical).own_kinds(),
        row!(serialization_quantity_number_accepted).own_kinds(),
        invalid.row().own_kinds(),
    ]
}

/// The resource quotas of the scenario's namespace. Skips where the server does not serve them.
struct Quotas(Collection);

impl Fixture for Quotas {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        cx.collection(Resource::core("resourcequotas", "ResourceQuota")).await.map(Self)
    }
}

impl RejectionFixture for Quotas {
    fn collection(&self) -> &Collection {
        &self.0
    }

    async fn expect_unchanged(&self) -> Checked {
        expect_absent(&self.0, NAME).await
    }
}

impl Quotas {
    /// The create of a quota with these limits; not yet sent.
    fn create(&self, hard: &Value) -> Request {
        let body = json!({
            "apiVersion": "v1", "kind": "ResourceQuota", "metadata": { "name": NAME }, "spec": { "hard": hard },
        });
        Request::post(self.0.path(), &body)
    }

    /// Creates a quota: a later GET has one of the legal forms of each limit, the canonical one first.
    async fn expect_stored(&self, cx: &Context, hard: &Value, limits: &[(&str, &[&str])]) -> Checked {
        cx.send(self.create(hard)).await?.expect_status(&[201])?;

        let got = self.0.get(NAME).await?;
        let object = got.object()?;
        for (name, legal) in limits {
            let actual = &object.json()["spec"]["hard"][*name];
            let right = actual.as_str().is_some_and(|actual| legal.contains(&actual));
            got.expect(right, format!("{name}: {:?}", legal[0]), actual.to_string())?;
            if actual != legal[0] {
                cx.note(format!("the server returns the quantity {} as {actual}", legal[0]));
            }
        }
        Ok(())
    }
}

async fn serialization_quantity_canonical(cx: Context, quotas: Quotas) -> Checked {
    let hard = json!({ "cpu": "1000m", "memory": "1024Mi", "pods": "0.5k" });
    let limits: [(&str, &[&str]); 3] =
        [("cpu", &["1", "1000m"]), ("memory", &["1Gi", "1024Mi"]), ("pods", &["500", "0.5k"])];

    quotas.expect_stored(&cx, &hard, &limits).await
}

async fn serialization_quantity_number_accepted(cx: Context, quotas: Quotas) -> Checked {
    quotas.expect_stored(&cx, &json!({ "pods": 5 }), &[("pods", &["5"])]).await
}
