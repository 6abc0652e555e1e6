//! Allocation of addresses and ports to Services.

use crate::prelude::*;

/// The maximum number of items of a page.
const MANY: usize = 500;

rows![spec_status_allocation_on_create.own_kinds(), spec_status_deallocation_on_type_change.own_kinds()];

/// The Services of the scenario's namespace. Skips where the server does not serve them.
async fn services(cx: &Context) -> Result<Collection, Halt> {
    cx.collection(Resource::core("services", "Service")).await
}

/// A Service with this spec and one port; not yet sent.
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
    let allocated = !matches!(address(&service), "" | "None");
    created.expect(allocated, "an address in spec.clusterIP", address(&service))?;
    let first = &service.json()["spec"]["clusterIPs"][0];
    created.expect(*first == address(&service), "the same address in spec.clusterIPs", first.to_string())?;

    let second = post("b", json!({ "clusterIP": address(&service) })).await?;
    second.expect_error(&[422], &["Invalid"])?;
    let causes = second.json().map(|json| json["details"]["causes"].to_string()).unwrap_or_default();
    let named = causes.contains("spec.clusterIP");
    second.expect(named, "a cause at spec.clusterIP or spec.clusterIPs", causes)?;

    let headless = post("c", json!({ "clusterIP": "None" })).await?;
    let object = headless.object()?;
    headless.expect(address(&object) == "None", "spec.clusterIP None, as in the request", address(&object))
}

async fn spec_status_deallocation_on_type_change(cx: Context) -> Checked {
    let services = services(&cx).await?;
    let service = services.create_body(&body(NAME, &json!({ "type": "NodePort" }))).await?;
    let put = |name: &'static str, body: Value| cx.send(Request::put(services.path_of(name), &body));

    let cluster_ip = json!({ "spec": { "type": "ClusterIP", "ports": [{ "port": 80 }] } });
    let cluster_ip = service.with(&cluster_ip)?;
    let changed = put(NAME, cluster_ip).await?;
    let now = changed.object()?;
    let port = &now.json()["spec"]["ports"][0]["nodePort"];
    changed.expect(port.is_null() || *port == 0, "no nodePort after the change of type", port.to_string())?;

    let mut external = now.json().clone();
    external["spec"] = json!({ "type": "ExternalName", "externalName": "assay.example.com" });
    let changed = put(NAME, external).await?;
    for response in [changed, services.get(NAME).await?] {
        let object = response.object()?;
        let expected = "no clusterIP after the change of type";
        response.expect(address(&object).is_empty(), expected, address(&object))?;
    }
    expect_free(&cx, &services, address(&service)).await
}

/// Another Service can have the address, unless the server has allocated it to a third one.
async fn expect_free(cx: &Context, services: &Collection, address: &str) -> Checked {
    let body = body("b", &json!({ "clusterIP": address }));
    let created = cx.send(Request::post(services.path(), &body)).await?;
    if created.status() == 422 && is_allocated(services, address).await? {
        cx.note(format!("the server has allocated {address} to another Service"));
        return Ok(());
    }
    created.expect_status(&[201])
}

/// Whether any Service of the server has this address.
async fn is_allocated(services: &Collection, address: &str) -> Result<bool, Halt> {
    let list = || services.everywhere().list().limit(MANY);
    let mut page = list().page().await?;
    loop {
        if page.items.iter().any(|item| item.json()["spec"]["clusterIP"] == address) {
            return Ok(true);
        }
        let Some(token) = page.token.take() else { return Ok(false) };
        page = list().next_page(&token).await?;
    }
}
