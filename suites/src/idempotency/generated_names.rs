//! Names that the server generates from `generateName`.

use crate::names;
use crate::patch_types::nameless;
use crate::prelude::*;

rows![
    idempotency_generatename_makes_name.namespaced(),
    idempotency_generatename_only_without_name.namespaced(),
    idempotency_generatename_field_kept.namespaced(),
    idempotency_generatename_prefix_validated.namespaced(),
    idempotency_generatename_truncated.namespaced(),
    idempotency_generatename_dry_run.namespaced(),
];

/// The maximum length of a name of any type.
const LONGEST_NAME: usize = 253;

/// The create of an object with this generateName; not yet sent.
fn create(collection: &Collection, prefix: &str) -> Request {
    Request::post(collection.path(), &nameless(collection, prefix, "first"))
}

async fn idempotency_generatename_makes_name(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(create(&collection, "gen-")).await?;

    created.expect_status(&[201])?;
    let object = created.object()?;
    let generated = object.name().starts_with("gen-") && object.name().len() > "gen-".len();
    created.expect(generated, "a name that begins with gen- and has a suffix", object.name())?;
    expect_stored(&collection, &object).await
}

/// The server stores the object as it returned it.
async fn expect_stored(collection: &Collection, created: &Object) -> Checked {
    let got = collection.get(created.name()).await?;
    let stored = got.object()?;
    let expected = format!("the object of uid {}, as created", created.metadata("uid"));
    got.expect(stored.untyped() == created.untyped(), expected, stored.metadata("uid"))
}

async fn idempotency_generatename_only_without_name(cx: Context, collection: Collection) -> Checked {
    let mut body = nameless(&collection, "gen-", "first");
    body["metadata"]["name"] = "given".into();

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    created.expect_status(&[201])?;
    let object = created.object()?;
    created.expect(object.name() == "given", "the name given", object.name())?;
    expect_stored(&collection, &object).await
}

async fn idempotency_generatename_field_kept(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(create(&collection, "gen-")).await?;

    created.expect_status(&[201])?;
    let name = created.object()?.name().to_owned();
    for response in [created, collection.get(&name).await?] {
        let object = response.object()?;
        let kept = object.metadata("generateName");
        response.expect(["", "gen-"].contains(&kept), "generateName gen-, or no generateName", kept)?;
    }
    Ok(())
}

async fn idempotency_generatename_prefix_validated(cx: Context, collection: Collection) -> Checked {
    names::require_subdomains(collection.resource())?;

    let refused = cx.send(create(&collection, "Bad_")).await?;
    let accepted = cx.send(create(&collection, "ok-")).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    accepted.expect_status(&[201])?;
    let page = collection.now().await?;
    page.expect_names(&[accepted.object()?.name()])
}

async fn idempotency_generatename_truncated(cx: Context, collection: Collection) -> Checked {
    let prefix = "a".repeat(80);

    let created = cx.send(create(&collection, &prefix)).await?;

    if created.status() == 422 {
        return created.expect_error(&[422], &["Invalid"]).map(drop);
    }
    created.expect_status(&[201])?;
    let object = created.object()?;
    let name = object.name();
    let fits = name.starts_with('a') && name.len() <= LONGEST_NAME;
    let expected = format!("a name that begins with a, of at most {LONGEST_NAME} characters");
    created.expect(fits, expected, format!("{name}, {} characters", name.len()))?;
    expect_stored(&collection, &object).await
}

async fn idempotency_generatename_dry_run(cx: Context, collection: Collection) -> Checked {
    let tried = cx.send(create(&collection, "gen-").query("dryRun", "All")).await?;

    tried.expect_status(&[201])?;
    let name = tried.object()?.name().to_owned();
    let generated = name.starts_with("gen-") && name.len() > "gen-".len();
    tried.expect(generated, "a name that begins with gen- and has a suffix", name.as_str())?;
    collection.get(&name).await?.expect_status(&[404])?;
    collection.now().await?.expect_names(&[])
}
