//! The headers of a request that asks for the rights of another user.

use std::collections::BTreeMap;

use http::HeaderMap;

use crate::failure::Failure;

const USER: &str = "impersonate-user";
const GROUP: &str = "impersonate-group";
const UID: &str = "impersonate-uid";
const EXTRA: &str = "impersonate-extra-";

/// The name of the user to impersonate, if there is one. kube-apiserver refuses its groups, UID or extra fields alone.
pub(crate) fn user(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    if let Some(name) = texts(headers, USER).into_iter().next().filter(|name| !name.is_empty()) {
        return Ok(Some(name));
    }
    let (groups, uid) = (texts(headers, GROUP), texts(headers, UID).into_iter().next().unwrap_or_default());
    let names = headers.keys().map(http::HeaderName::as_str);
    let fields: BTreeMap<&str, &str> =
        names.filter_map(|name| Some((name.strip_prefix(EXTRA)?, name))).collect();
    if groups.is_empty() && uid.is_empty() && fields.is_empty() {
        return Ok(None);
    }
    let fields = fields.into_iter().map(|(key, name)| format!("{key:?}:{}", listed(&texts(headers, name))));
    let extra = braced("map[string][]string", &fields.collect::<Vec<_>>());
    let user =
        format!("&user.DefaultInfo{{Name:\"\", UID:{uid:?}, Groups:{}, Extra:{extra}}}", listed(&groups));
    Err(Failure::bad_request(format!("requested {user} without impersonating a user name")))
}

fn texts<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect()
}

/// Texts as Go prints a slice of them.
fn listed(texts: &[&str]) -> String {
    braced("[]string", &texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>())
}

/// Items of a type as Go prints them; without any, the type is nil.
fn braced(go_type: &str, items: &[String]) -> String {
    if items.is_empty() { format!("{go_type}(nil)") } else { format!("{go_type}{{{}}}", items.join(", ")) }
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn asked(headers: &[(&'static str, &'static str)]) -> Result<Option<String>, String> {
        let mut map = HeaderMap::new();
        for &(name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let message = |failure: Failure| failure.status()["message"].as_str().unwrap().to_owned();
        user(&map).map(|name| name.map(str::to_owned)).map_err(message)
    }

    /// The message is that of kube-apiserver 1.37.2.
    #[test]
    fn groups_without_a_user_are_refused() {
        assert_eq!(asked(&[(USER, "jane"), (GROUP, "g")]), Ok(Some("jane".to_owned())));
        assert_eq!(asked(&[(USER, "")]), Ok(None));
        let alone = [
            (GROUP, "g"),
            (GROUP, "h"),
            (UID, "u"),
            ("impersonate-extra-foo", "g"),
            ("impersonate-extra-b", "1"),
            ("impersonate-extra-b", "2"),
        ];
        assert_eq!(
            asked(&alone).unwrap_err(),
            "requested &user.DefaultInfo{Name:\"\", UID:\"u\", Groups:[]string{\"g\", \"h\"}, \
             Extra:map[string][]string{\"b\":[]string{\"1\", \"2\"}, \"foo\":[]string{\"g\"}}} \
             without impersonating a user name"
        );
        assert_eq!(
            asked(&[(GROUP, "g")]).unwrap_err(),
            "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"g\"}, \
             Extra:map[string][]string(nil)} without impersonating a user name"
        );
    }
}
