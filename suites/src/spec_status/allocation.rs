//! Allocation of addresses and ports to Services.

use crate::prelude::*;

rows![spec_status_allocation_on_create.own_kinds(), spec_status_deallocation_on_type_change.own_kinds()];

/// Those of the scenario's namespace. Skips where the server has none.
async fn services(cx: &Context) -> Result<Collection, Halt> {
    cx.collection(Resource::core("services", "Service")).await
}

/// A service of one port, with this besides; not yet sent.
fn body(name: &str, spec: &Value) -> Value {
    let mut spec = spec.clone();
    spec["ports"] = json!([{ "port": 80 }]);
    json!({ "apiVersion": "v1", "kind": "Service", "metadata": { "name": name }, "spec": spec })
}

fn address(service: &Object) -> &str {
    service.json()["spec"]["clusterIP"].as_str().unwrap_or_default()
}

async fn spec_status_allocation_on_create(cx: Context) -> Checked {
    let services = services(&cx).await?;
    let post = |name: &str, spec: Value| cx.send(Request::post(services.path(), &body(name, &spec)));

    let created = post(NAME, json!({})).await?;
    let service = created.object()?;
    let given = !matches!(address(&service), "" | "None");
    created.expect(given, "an address in spec.clusterIP", address(&service))?;
    let first = &service.json()["spec"]["clusterIPs"][0];
    created.expect(*first == address(&service), "the same in spec.clusterIPs", first.to_string())?;

    let second = post("b", json!({ "clusterIP": address(&service) })).await?;
    second.expect_error(&[422], &["Invalid"])?;
    let causes = second.json().map(|json| json["details"]["causes"].to_string()).unwrap_or_default();
    second.expect(
        causes.contains("spec.clusterIP"),
        "a cause at spec.clusterIP or spec.clusterIPs",
        causes,
    )?;

    let none = post("c", json!({ "clusterIP": "None" })).await?;
    let object = none.object()?;
    none.expect(address(&object) == "None", "None, as was asked for", address(&object))
}

async fn spec_status_deallocation_on_type_change(cx: Context) -> Checked {
    let services = services(&cx).await?;
    let service = services.create_body(&body(NAME, &json!({ "type": "NodePort" }))).await?;
    let put = |name: &'static str, body: Value| cx.send(Request::put(services.path_of(name), &body));

    let mut inside = service.json().clone();
    inside["spec"]["type"] = "ClusterIP".into();
    inside["spec"]["ports"] = json!([{ "port": 80 }]);
    let changed = put(NAME, inside).await?;
    let now = changed.object()?;
    let port = &now.json()["spec"]["ports"][0]["nodePort"];
    changed.expect(port.is_null() || *port == 0, "no nodePort any more", port.to_string())?;

    let mut outside = now.json().clone();
    outside["spec"] = json!({ "type": "ExternalName", "externalName": "assay.example.com" });
    let changed = put(NAME, outside).await?;
    for answer in [changed, services.get(NAME).await?] {
        let object = answer.object()?;
        answer.expect(address(&object).is_empty(), "no clusterIP any more", address(&object))?;
    }
    expect_free(&cx, &services, address(&service)).await
}

/// The address can be had by another service, unless somebody else has been given it since.
async fn expect_free(cx: &Context, services: &Collection, address: &str) -> Checked {
    let wanted = json!({ "clusterIP": address });
    let created = cx.send(Request::post(services.path(), &body("b", &wanted))).await?;
    if created.status() == 422 {
        let all = services.everywhere().now().await?;
        if all.items.iter().any(|item| item.json()["spec"]["clusterIP"] == address) {
            cx.note(format!("{address} was given to somebody else at once"));
            return Ok(());
        }
    }
    created.expect_status(&[201])
}
