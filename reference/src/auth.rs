//! Authentication and authorization.
//!
//! One token identifies the administrator, who may do everything and impersonate other users. Every other user may read
//! health and version; authenticated users may also read discovery.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::failure::Failure;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::{account_token, impersonation};

/// The administrator's bearer token.
pub(crate) const ADMIN_TOKEN: &str = "letmein-admin";

/// The paths for all users.
const PUBLIC: &[&str] = &["/healthz", "/livez", "/readyz", "/version", "/version/"];

/// The paths for authenticated users, with all paths below.
const DISCOVERY: &[&str] = &["/api", "/apis", "/openapi"];

/// The user of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum User {
    /// A user with all rights.
    Admin,
    /// A named user without rights.
    Ordinary(String),
    /// A user without credentials.
    Anonymous,
}

impl User {
    /// The user of a request, after impersonation.
    pub(crate) fn of(headers: &HeaderMap, open: bool) -> Result<Self, Failure> {
        let user = match headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()) {
            None if open => Self::Admin,
            None => Self::Anonymous,
            Some(credentials) => {
                let token = credentials.strip_prefix("Bearer ");
                token.and_then(Self::of_token).ok_or_else(Failure::unauthorized)?
            }
        };
        let Some(name) = impersonation::user(headers)? else { return Ok(user) };
        if user != Self::Admin {
            return Err(Failure::forbidden(
                &users(),
                name,
                &user.denial_message("impersonate", &users(), ""),
            ));
        }
        let groups = headers.get_all("impersonate-group").iter();
        Ok(Self::named(name, groups.filter_map(|group| group.to_str().ok())))
    }

    /// The user of a bearer token.
    pub(crate) fn of_token(token: &str) -> Option<Self> {
        if token == ADMIN_TOKEN { Some(Self::Admin) } else { account_token::user(token).map(Self::Ordinary) }
    }

    /// The user with this name and these groups.
    pub(crate) fn named<'a>(name: &str, mut groups: impl Iterator<Item = &'a str>) -> Self {
        match name {
            _ if groups.any(|group| group == "system:masters") => Self::Admin,
            "system:anonymous" => Self::Anonymous,
            name => Self::Ordinary(name.to_owned()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Admin => "admin",
            Self::Ordinary(name) => name,
            Self::Anonymous => "system:anonymous",
        }
    }

    /// The groups, as a review shows them.
    pub(crate) fn groups(&self) -> Vec<String> {
        let (mut groups, last) = match self {
            Self::Admin => (vec!["system:masters".to_owned()], "system:authenticated"),
            Self::Ordinary(name) => (account_token::groups(name), "system:authenticated"),
            Self::Anonymous => (Vec::new(), "system:unauthenticated"),
        };
        groups.push(last.to_owned());
        groups
    }

    /// Checks access to a non-resource path.
    pub(crate) fn may_path(&self, method: &str, path: &str) -> Result<(), Failure> {
        let verb = method.to_ascii_lowercase();
        let below =
            |root: &&str| path == *root || path.strip_prefix(*root).is_some_and(|rest| rest.starts_with('/'));
        let allowed = match self {
            Self::Admin => true,
            _ if verb == "get" && PUBLIC.contains(&path) => true,
            Self::Ordinary(_) => verb == "get" && DISCOVERY.iter().any(below),
            Self::Anonymous => false,
        };
        if allowed { Ok(()) } else { Err(Failure::forbidden_path(self.name(), &verb, path)) }
    }

    /// Checks access to a resource.
    pub(crate) fn may_resource(
        &self,
        verb: Verb,
        path: &ResourcePath,
        ty: &ResourceType,
    ) -> Result<(), Failure> {
        let reviews = ["selfsubjectaccessreviews", "selfsubjectreviews", "selfsubjectrulesreviews"];
        let self_review = reviews.contains(&ty.plural.as_str()) && matches!(self, Self::Ordinary(_));
        if *self == Self::Admin || self_review {
            return Ok(());
        }
        Err(Failure::forbidden(ty, &path.name, &self.denial_message(verb.name(), ty, &path.namespace)))
    }

    fn denial_message(&self, verb: &str, ty: &ResourceType, namespace: &str) -> String {
        let scope = match namespace {
            "" => "at the cluster scope".to_owned(),
            namespace => format!("in the namespace \"{namespace}\""),
        };
        let (user, plural, group) = (self.name(), &ty.plural, &ty.group);
        format!("User \"{user}\" cannot {verb} resource \"{plural}\" in API group \"{group}\" {scope}")
    }
}

fn users() -> ResourceType {
    ResourceType { plural: "users".to_owned(), ..ResourceType::default() }
}
