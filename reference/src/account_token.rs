//! The tokens of service accounts: the serviceaccounts/token subresource, and the users of its tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::failure::{Cause, Failure};
use crate::field_validation::{FieldCheck, Level};
use crate::resource_type::ResourceType;
use crate::route::ResourcePath;
use crate::{body, metadata};

pub(crate) const NAME: &str = "token";

/// The type of requests for tokens.
const GROUP: &str = "authentication.k8s.io";
const KIND: &str = "TokenRequest";

/// The beginning of every token; the user's name follows in base64.
const PREFIX: &str = "issued-";

/// The beginning of the name of an account's user; its namespace and name follow.
const USER: &str = "system:serviceaccount:";

/// The default lifetime of a token, in seconds.
const LIFETIME: i64 = 3600;

/// Issues a token for an account.
pub(crate) fn issue(call: &Call, path: &ResourcePath, ty: &ResourceType) -> ApiResult {
    let request = body::decoded(&call.headers, &call.body, &kind(), &mut FieldCheck::new(Level::Ignore))?;
    let account = call.cluster.store.current(&ty.collection(), &ty.key(&path.namespace, &path.name));
    let account = account.ok_or_else(|| Failure::not_found(ty, &path.name))?;
    let user = format!("{USER}{}:{}", path.namespace, path.name);
    let seconds = request["spec"]["expirationSeconds"].as_i64().unwrap_or(LIFETIME);
    check_lifetime(seconds)?;
    let expires = Timestamp::now() + SignedDuration::from_secs(seconds);
    let metadata =
        ["name", "namespace", "uid"].map(|field| (field.to_owned(), account["metadata"][field].clone()));
    let mut metadata = Value::Object(metadata.into_iter().collect());
    metadata["creationTimestamp"] = metadata::now().into();
    let issued = json!({
        "kind": KIND,
        "apiVersion": "authentication.k8s.io/v1",
        "metadata": metadata,
        "spec": { "audiences": ["reference"], "expirationSeconds": seconds, "boundObjectRef": null },
        "status": {
            "token": format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(user)),
            "expirationTimestamp": expires.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        },
    });
    Ok(json(StatusCode::CREATED, &issued))
}

/// Fails if a token lived less than 10 minutes, or for more than 2^32 seconds.
fn check_lifetime(seconds: i64) -> Result<(), Failure> {
    let detail = match seconds {
        ..600 => "may not specify a duration less than 10 minutes",
        600..=0x1_0000_0000 => return Ok(()),
        _ => "may not specify a duration larger than 2^32 seconds",
    };
    Err(Failure::invalid(
        GROUP,
        KIND,
        "",
        &[Cause::invalid("spec.expirationSeconds", &seconds.into(), detail)],
    ))
}

/// The name of the user with this token.
pub(crate) fn user(token: &str) -> Option<String> {
    let decoded = URL_SAFE_NO_PAD.decode(token.strip_prefix(PREFIX)?).ok()?;
    String::from_utf8(decoded).ok().filter(|user| user.starts_with(USER))
}

/// The groups of an account's user; empty for another user.
pub(crate) fn groups(user: &str) -> Vec<String> {
    let namespace = user.strip_prefix(USER).and_then(|account| account.split_once(':'));
    let groups = namespace.map(|(namespace, _)| {
        vec!["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
    });
    groups.unwrap_or_default()
}

fn kind() -> ResourceType {
    ResourceType {
        group: GROUP.to_owned(),
        version: "v1".to_owned(),
        kind: KIND.to_owned(),
        ..ResourceType::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_has_bounds() {
        for seconds in [i64::MIN, 0, 599, (1 << 32) + 1, i64::MAX] {
            assert!(check_lifetime(seconds).is_err(), "{seconds}");
        }
        for seconds in [600, LIFETIME, 1 << 32] {
            assert!(check_lifetime(seconds).is_ok(), "{seconds}");
        }
    }
}
