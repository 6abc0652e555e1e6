//! The shape that requests of one cause share.

use std::collections::BTreeSet;
use std::fmt;

use super::placeholders::path_shape;
use crate::failure::Message;

/// A request without the names of objects, types and runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RequestShape {
    /// By name, each once; with a value where those have a meaning of their own.
    parameters: BTreeSet<String>,
    /// `{resource}`, another type, or a path that names none.
    of: String,
    /// Such as `/{name}/status`.
    below: String,
    method: String,
    /// The media types of the request and of the accepted response, unless they are JSON.
    media_types: String,
}

/// Parameters of a query whose values are few and have a meaning of their own.
const ENUMERATED: [&str; 9] = [
    "allowWatchBookmarks",
    "dryRun",
    "fieldValidation",
    "force",
    "orphanDependents",
    "propagationPolicy",
    "resourceVersionMatch",
    "sendInitialEvents",
    "watch",
];

/// The maximum length of a value that the API defines.
const LONGEST_VALUE: usize = 30;

impl RequestShape {
    /// Of a request as a transcript shows it, by a variant of a scenario.
    pub(super) fn of(text: &str, variant: &str) -> Self {
        let Message { first, headers, .. } = Message::of(text);
        let (method, path, query) = parts(first);
        if method.is_empty() {
            return Self::default();
        }
        let (of, below) = path_shape(path, variant);
        Self {
            method: method.to_owned(),
            of,
            below,
            parameters: parameters(query),
            media_types: media_types(headers),
        }
    }

    /// Whether an error response to it explains the same error of another request: one with more
    /// parameters, or of one type where this is of all.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let alike =
            self.method == other.method && self.below == other.below && self.media_types == other.media_types;
        let of = self.of == other.of || self.of == "{resource}" && !other.of.starts_with('/');
        alike && of && self.parameters.is_subset(&other.parameters)
    }

    /// The smaller shape covers the greater one, if either covers the other.
    pub(super) fn size(&self) -> (usize, bool) {
        (self.parameters.len(), self.of != "{resource}")
    }

    /// Whether it changes nothing.
    pub(super) fn reads(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD")
    }

    /// Such as `PATCH`.
    pub(super) fn method(&self) -> &str {
        &self.method
    }

    /// The kind of request, without its parameters.
    pub(super) fn noun(&self) -> &'static str {
        if self.of.starts_with('/') {
            "a path of no resource"
        } else if self.parameters.contains("watch=true") {
            "a watch"
        } else if self.below.starts_with("/{name}/") {
            "a subresource"
        } else if self.below.is_empty() {
            "a collection"
        } else {
            "an object"
        }
    }

    /// Whether there was none.
    pub(super) fn is_empty(&self) -> bool {
        self.method.is_empty()
    }
}

impl fmt::Display for RequestShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.method, self.of, self.below)?;
        for (number, parameter) in self.parameters.iter().enumerate() {
            write!(f, "{}{parameter}", if number == 0 { '?' } else { '&' })?;
        }
        if self.media_types.is_empty() { Ok(()) } else { write!(f, " ({})", self.media_types) }
    }
}

/// Method, path and query of the first line.
pub(super) fn parts(first: &str) -> (&str, &str, &str) {
    let (method, target) = first.split_once(' ').unwrap_or((first, ""));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    (method, path, query)
}

fn parameters(query: &str) -> BTreeSet<String> {
    let shown = form_urlencoded::parse(query.as_bytes()).map(|(name, value)| {
        let enumerated = ENUMERATED.contains(&name.as_ref()) && value.len() <= LONGEST_VALUE;
        match value.as_ref() {
            "1" if enumerated => format!("{name}=true"),
            value if enumerated || (name == "resourceVersion" && value == "0") => format!("{name}={value}"),
            _ => name.into_owned(),
        }
    });
    shown.collect()
}

fn media_types(headers: &str) -> String {
    let value = |name: &str| {
        let mut lines = headers.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    };
    let sent = value("content-type").filter(|sent| *sent != "application/json").map(str::to_owned);
    let accepted = value("accept").filter(|accepted| *accepted != "application/json");
    let both: Vec<String> =
        sent.into_iter().chain(accepted.map(|accepted| format!("accept {accepted}"))).collect();
    both.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "PATCH /api/v1/namespaces/n/configmaps/a?fieldManager=m1&dryRun=All\naccept: application/json\n\
                         content-type: application/apply-patch+yaml\n\n{}";

    fn shape(first: &str) -> RequestShape {
        RequestShape::of(first, "")
    }

    #[test]
    fn the_shape_has_method_resource_parameters_and_media_types() {
        let shown = "PATCH {resource}/{name}?dryRun=All&fieldManager (application/apply-patch+yaml)";
        assert_eq!(shape(PATCH).to_string(), shown);
        for (first, shown) in [
            (
                "GET /api/v1/configmaps?watch=1&resourceVersion=12",
                "GET {resource}?resourceVersion&watch=true",
            ),
            ("GET /api/v1/configmaps?limit=2&resourceVersion=0", "GET {resource}?limit&resourceVersion=0"),
            ("DELETE /apis/x7k2p.kube-assay.dev/v1/namespaces/n/gadgets/a", "DELETE {resource}/{name}"),
            ("PUT /apis/apps/v1/namespaces/n/deployments/a/scale", "PUT {resource}/{name}/scale"),
            ("GET /api/v1/namespaces/n/secrets", "GET secrets"),
            ("GET /openapi/v3/apis/apps/v1", "GET /openapi/v3/apis/apps/v1"),
        ] {
            assert_eq!(shape(first).to_string(), shown);
        }
        let of_users = RequestShape::of("GET /apis/example.com/v1/widgets/w1", "widgets.example.com");
        assert_eq!(of_users.to_string(), "GET {resource}/{name}");
    }

    #[test]
    fn what_fails_by_itself_does_not_fail_for_a_parameter_or_a_type() {
        let plain = shape("GET /api/v1/configmaps?watch=true");
        assert!(plain.covers(&shape("GET /api/v1/configmaps?watch=1&resourceVersion=7")));
        assert!(plain.covers(&shape("GET /api/v1/events?watch=true")));
        assert!(!plain.covers(&shape("GET /api/v1/configmaps?resourceVersion=7")));
        assert!(!plain.covers(&shape("GET /livez?watch=true")));
        assert!(!shape("GET /api/v1/events?watch=true").covers(&plain));
        assert!(!plain.covers(&shape("GET /api/v1/namespaces/n/configmaps/a?watch=true")));
    }
}
