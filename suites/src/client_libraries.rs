//! Area `client-libraries`: what a client needs of a server.

use harness::{Identity, Protocol, Suite};

use crate::prelude::*;

pub(crate) fn suite() -> Suite {
    Suite::new("client-libraries", [rows()])
}

rows![client_libraries_plain_http_enough, client_libraries_in_cluster_service_account.own_kinds()];

/// The same request over HTTP/1.1, with no header but those of its body and credential.
fn bare(mut request: Request) -> Request {
    request.headers.retain(|(name, _)| name == "content-type");
    request.protocol(Protocol::Bare)
}

async fn client_libraries_plain_http_enough(cx: Context, collection: Collection) -> Checked {
    for path in ["/version", "/api", "/apis", &collection.resource().root()] {
        let usual = cx.send(Request::get(path)).await?;
        let plain = cx.send(bare(Request::get(path))).await?;
        plain.expect_status(&[usual.status()])?;
        plain.expect(plain.json().is_some() || !usual.succeeded(), "JSON", plain.brief())?;
    }
    let body = collection.body("a", "first");
    let path = collection.path_of("a");

    cx.send(bare(Request::post(collection.path(), &body))).await?.expect_status(&[201])?;
    let read = cx.send(bare(Request::get(&path))).await?;
    let deleted = cx.send(bare(Request::delete(&path))).await?;

    read.expect_status(&[200])?;
    let name = collection.name_of("a");
    let found = read.object()?;
    read.expect(found.name() == name, format!("the object {name}"), found.name())?;
    deleted.expect_status(&[200, 202])
}

/// A review of its sender.
const REVIEW: (&str, &str) = ("selfsubjectreviews", "SelfSubjectReview");

async fn client_libraries_in_cluster_service_account(cx: Context) -> Checked {
    let reviews = Resource::of("authentication.k8s.io", "v1", REVIEW.0, REVIEW.1);
    cx.require_listed(&reviews).await?;
    let accounts = cx.collection(Resource::core("serviceaccounts", "ServiceAccount")).await?;
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": NAME } });
    let namespace = accounts.create_body(&account).await?.metadata("namespace").to_owned();
    let kind = |kind: &str| json!({ "apiVersion": "authentication.k8s.io/v1", "kind": kind });
    let mut request = kind("TokenRequest");
    request["spec"] = json!({ "expirationSeconds": 3600 });
    let issued = cx.send(Request::post(format!("{}/token", accounts.path_of(NAME)), &request)).await?;
    if !issued.succeeded() {
        return Err(cx.lacks("ServiceAccountTokens", format!("a TokenRequest gets {}", issued.brief())));
    }
    issued.expect_status(&[201])?;
    let token = issued.json().and_then(|json| json["status"]["token"].as_str()).unwrap_or_default();
    issued.expect(!token.is_empty(), "a token in the status", issued.brief())?;

    let review = Request::post(format!("{}/{}", reviews.root(), REVIEW.0), &kind(REVIEW.1));
    let response = cx.send(review.identity(Identity::Bearer(token.to_owned()))).await?;

    let user = format!("system:serviceaccount:{namespace}:{NAME}");
    if response.status() == 403 && response.text().contains(&user) {
        return Err(Halt::skip("the account has no permission for a SelfSubjectReview"));
    }
    response.expect_status(&[201])?;
    let info = response.json().map(|json| json["status"]["userInfo"].clone()).unwrap_or_default();
    let groups = ["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")];
    let has_all = info["groups"]
        .as_array()
        .is_some_and(|known| groups.iter().all(|group| known.iter().any(|one| one == group)));
    response.expect(
        info["username"] == user && has_all,
        format!("the user {user} in {groups:?}"),
        info.to_string(),
    )
}
