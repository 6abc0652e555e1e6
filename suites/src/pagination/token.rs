//! The continue token.

use super::chunks::NAMES;
use crate::limit_support::no_token;
use crate::prelude::*;
use crate::verbs::or_note;

rows![
    pagination_token_opaque.namespaced(),
    pagination_table_and_metadata.namespaced(),
    pagination_continue_field_on_lists.own_kinds(),
];

async fn pagination_token_opaque(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&NAMES).await?;
    let first = collection.list().limit(2).page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;

    for encode in [form_encoded, percent_encoded] {
        let listed = collection.list().limit(1).with(|request| encode(request, token)).await?;

        expect_not_expired(&cx, &listed)?;
        first.expect_followed_by(&listed.page()?)?;
    }
    Ok(())
}

/// A token that expires at once is a test error.
fn expect_not_expired(cx: &Context, listed: &Exchange) -> Checked {
    if listed.expired() {
        return Err(cx.test_error("use a token at once", listed.brief()).into());
    }
    Ok(())
}

fn form_encoded(request: Request, token: &str) -> Request {
    request.query("continue", token)
}

/// With each byte as `%XX`.
fn percent_encoded(request: Request, token: &str) -> Request {
    let escaped: Vec<_> = token.bytes().map(|byte| format!("%{byte:02X}")).collect();
    request.raw_query(&format!("continue={}", escaped.concat()))
}

async fn pagination_table_and_metadata(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&NAMES).await?;
    let plain = collection.list().limit(2).page().await?;
    if plain.token.is_none() {
        return Err(no_token());
    }

    for kind in ["Table", "PartialObjectMetadataList"] {
        let accept = format!("application/json;as={kind};g=meta.k8s.io;v=v1");
        let list = collection.list().limit(2).with(|request| request.accept(&accept));
        let first = represented(&cx, kind, &*list.clone().await?)?;

        first.expect(!first.version.is_empty(), "a resourceVersion", "none")?;
        let counts = (plain.remaining, first.remaining);
        let expected = "the same remainingItemCount as in a plain list";
        first.expect(counts.0 == counts.1, expected, format!("{counts:?}"))?;
        let token = first.token.as_deref().ok_or_else(|| first.fail("a token in the metadata", "none"))?;
        let rest = collection.list().with(|request| request.accept(&accept));
        let second = represented(&cx, kind, &*rest.clone().after(token).await?)?;
        second.expect_version(&first.version)?;
        first.expect_followed_by(&second)?;
        expect_all_names(&cx, kind, rest, vec![first, second]).await?;
    }
    Ok(())
}

/// The pages have each object once. A server may return less than the rest in one page.
async fn expect_all_names(cx: &Context, kind: &str, rest: Query, mut pages: Vec<Page>) -> Checked {
    while let Some(token) = pages.last().and_then(|page| page.token.clone())
        && pages.len() <= NAMES.len()
    {
        pages.push(represented(cx, kind, &*rest.clone().after(&token).await?)?);
    }
    let mut names: Vec<_> = pages.iter().flat_map(Page::own_names).collect();
    names.sort_unstable();
    let (expected, actual) = (format!("the items {} in all pages", NAMES.join(", ")), names.join(", "));
    pages.last().map_or(Ok(()), |last| last.expect(names == NAMES, expected, actual))
}

/// The page in another representation: the rows of a table have the metadata of their objects.
fn represented(cx: &Context, kind: &str, listed: &Exchange) -> Result<Page, Halt> {
    expect_not_expired(cx, listed)?;
    let other = listed.succeeded() && listed.json().is_some_and(|json| json["kind"] != kind);
    if listed.status() == 406 || other {
        return Err(
            cx.lacks("Table", format!("the response to a request for a {kind} is {}", listed.brief()))
        );
    }
    listed.expect_status(&[200])?;
    let page = listed.json().and_then(|json| {
        let rows = json["rows"].as_array().map(|rows| rows.iter().map(|row| row["object"].clone()).collect());
        let items = rows.unwrap_or_else(|| json["items"].clone());
        Page::read(&json!({ "metadata": json["metadata"], "items": items }), listed.index)
    });
    page.ok_or_else(|| listed.fail(format!("a {kind}"), listed.brief()))
}

async fn pagination_continue_field_on_lists(cx: Context) -> Checked {
    for path in lists_of_two(&cx).await? {
        let listed = cx.send(Request::get(path).query("limit", 1)).await?;

        let page = listed.page()?;
        let metadata = listed.json().map(|json| json["metadata"].to_string()).unwrap_or_default();
        let whole = page.items.len() > 1;
        page.expect(whole || page.token.is_some(), "a token in metadata.continue", metadata)?;
    }
    Ok(())
}

/// The paths of collections with two objects or more: of several types, and the namespaces of the scenario.
async fn lists_of_two(cx: &Context) -> Result<Vec<String>, Halt> {
    cx.another_namespace().await?;
    let mut lists = vec!["/api/v1/namespaces".to_owned()];
    let mut types = Vec::new();
    for (plural, kind) in [("configmaps", "ConfigMap"), ("secrets", "Secret"), ("events", "Event")] {
        types.extend(cx.collection_if_listed(Resource::core(plural, kind)).await?);
    }
    types.extend(or_note(cx, cx.custom_resources().await)?);
    for collection in types {
        create_two(cx, &collection).await?;
        lists.extend([collection.path(), collection.everywhere().path()]);
    }
    Ok(lists)
}

async fn create_two(cx: &Context, collection: &Collection) -> Checked {
    let (resource, namespace) = (collection.resource(), cx.namespace().await?);
    for name in ["a", "b"] {
        let mut body = json!({
            "apiVersion": resource.api_version(), "kind": resource.kind, "metadata": { "name": name },
        });
        if resource.kind == "Event" {
            body["involvedObject"] = json!({ "namespace": namespace });
        }
        collection.create_body(&body).await?;
    }
    Ok(())
}
