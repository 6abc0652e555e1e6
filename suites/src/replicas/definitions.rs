//! Types that are defined, or removed, through one server.

use super::servers::numbers;
use crate::definitions::{PLURAL, body, group, path, serve};
use crate::prelude::*;

rows![replicas_definition_served_everywhere.own_kinds(), replicas_definition_removed_everywhere.own_kinds()];

/// Defines a type through the target; returns its definition, the path of its group version and of its objects.
async fn define(cx: &Context, what: &str) -> Result<(Value, String, String), Halt> {
    let group = group(cx, what);
    let definition = body(cx, &group);
    let root = format!("/apis/{group}/v1");
    let objects = format!("{root}/namespaces/{}/{PLURAL}", cx.namespace().await?);
    serve(cx, &definition, &objects).await?;
    Ok((definition, root, objects))
}

async fn replicas_definition_served_everywhere(cx: Context) -> Checked {
    let (_, root, objects) = define(&cx, "served").await?;
    let api_version = root.trim_start_matches("/apis/").to_owned();
    for server in numbers(&cx) {
        let through = cx.through(server);
        crate::discovery::eventually(&through, || async {
            through.send(Request::get(&objects)).await?.expect_status(&[200])?;
            let discovered = through.send(Request::get(&root)).await?;
            discovered.expect_status(&[200])?;
            let listed = discovered.text().contains(&format!("\"{PLURAL}\""));
            discovered.expect(listed, format!("{PLURAL} in discovery"), discovered.brief())?;
            let name = format!("a{server}");
            let object = json!({ "apiVersion": api_version, "kind": "Trier", "metadata": { "name": name } });
            // An earlier attempt may have created it.
            through.send(Request::post(&objects, &object)).await?.expect_status(&[201, 409])
        })
        .await?;
    }
    Ok(())
}

async fn replicas_definition_removed_everywhere(cx: Context) -> Checked {
    let (definition, _, objects) = define(&cx, "removed").await?;
    for server in numbers(&cx) {
        cx.through(server).wait_until_served(&Request::get(&objects)).await?;
    }
    cx.send(Request::delete(path(&definition))).await?.expect_status(&[200, 202])?;

    for server in numbers(&cx) {
        let through = cx.through(server);
        crate::discovery::eventually(&through, || async {
            through.send(Request::get(&objects)).await?.expect_status(&[404])
        })
        .await?;
    }
    Ok(())
}
