//! Replaces names, which differ between objects, types and runs, by placeholders.

use model::{ApiPath, Subject};

/// The compared length of a text: reports often shorten longer ones.
const LONGEST: usize = 200;

/// The names in one request, which texts about it repeat.
#[derive(Debug, Default)]
pub(super) struct Placeholders {
    /// A word, and its placeholder.
    words: Vec<(String, &'static str)>,
    names: Vec<String>,
    /// The plural of the type, if generic scenarios run on it.
    plural: String,
    variant: String,
}

impl Placeholders {
    /// The names in a path, for a variant of a scenario; `name` is the object's name in the body.
    pub(super) fn of(path: Option<ApiPath<'_>>, variant: &str, name: Option<String>) -> Self {
        let Some(path) = path else { return Self::default() };
        let mut known = Self { variant: variant.to_owned(), ..Self::default() };
        known
            .names
            .extend(path.name.map(str::to_owned).into_iter().chain(name).filter(|name| !name.is_empty()));
        known.words.extend(path.namespace.map(|namespace| (namespace.to_owned(), "{namespace}")));
        if interchangeable(&path, variant) {
            path.plural.clone_into(&mut known.plural);
            known
                .words
                .extend([path.plural.to_owned(), path.group_resource()].map(|word| (word, "{resource}")));
            known.words.extend((!path.group().is_empty()).then(|| (path.group().to_owned(), "{group}")));
        }
        known
    }

    /// The text with a placeholder for each word that differs between failures of one cause.
    pub(super) fn put_into(&self, text: &str) -> String {
        let text = without_lists(&text.chars().take(4 * LONGEST).collect::<String>());
        let (mut shown, mut previous) = (String::new(), "");
        for piece in pieces(&text) {
            let start = piece.find(|c: char| c.is_alphanumeric() || c == '/').unwrap_or(piece.len());
            let (before, word) = piece.split_at(start);
            let word = word.trim_end_matches(['.', ':', '/']);
            let quoted = shown.ends_with('"');
            shown.push_str(before);
            if !word.is_empty() {
                shown.push_str(&self.instead_of(word, previous, quoted));
                previous = word;
            }
            shown.push_str(&piece[start + word.len()..]);
        }
        shown.chars().take(LONGEST).collect()
    }

    fn instead_of(&self, word: &str, previous: &str, quoted: bool) -> String {
        if let Some((_, instead)) = self.words.iter().find(|(known, _)| known == word) {
            return (*instead).to_owned();
        }
        let named = quoted || self.kind(previous).is_some() || is_event(previous) || word.len() > 2;
        if named && self.names.iter().any(|name| name == word) {
            return "{name}".to_owned();
        }
        if word.starts_with('/') {
            let (of_type, below) = path_shape(word, &self.variant);
            return format!("{of_type}{below}");
        }
        self.kind(word).unwrap_or_else(|| literal(word, previous))
    }

    /// `ConfigMap` and `ConfigMapList` of `configmaps`.
    fn kind(&self, word: &str) -> Option<String> {
        let (kind, list) = word.strip_suffix("List").map_or((word, ""), |kind| (kind, "List"));
        let (kind, plural) = (kind.to_lowercase(), self.plural.as_str());
        let ends = ["", "s", "es"].iter().any(|end| plural.strip_suffix(end) == Some(&kind));
        let ends =
            ends || plural.strip_suffix("ies").is_some_and(|start| kind.strip_suffix('y') == Some(start));
        (ends && !kind.is_empty()).then(|| format!("{{kind}}{list}"))
    }
}

/// Whether generic scenarios run on the type of this path.
fn interchangeable(path: &ApiPath<'_>, variant: &str) -> bool {
    let of_type = path.group_resource();
    of_type == variant || Subject::is_usual(&of_type)
}

/// Such as `{resource}` and `/{name}/status`, or a path that names no type and nothing below it.
pub(super) fn path_shape(path: &str, variant: &str) -> (String, String) {
    let Some(read) = ApiPath::read(path) else {
        let parts = path.split('/').map(|part| literal(part, ""));
        return (parts.collect::<Vec<_>>().join("/"), String::new());
    };
    let of_type =
        if interchangeable(&read, variant) { "{resource}".to_owned() } else { read.group_resource() };
    let name = read.name.map_or("", |_| "/{name}");
    (of_type, read.subresource.map_or(name.to_owned(), |subresource| format!("{name}/{subresource}")))
}

/// Words, and the text between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':');
    let mut rest = text;
    std::iter::from_fn(move || {
        let of_word = in_word(rest.chars().next()?);
        let end = rest.find(|c| in_word(c) != of_word).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

/// Which items a list has is of no account; that it has some is. Brackets that nothing closes are none of a list.
fn without_lists(text: &str) -> String {
    let Some((before, rest)) = text.split_once('[') else { return text.to_owned() };
    let mut depth = 1_usize;
    let end = rest.char_indices().find(|(_, c)| {
        depth += usize::from(*c == '[');
        depth -= usize::from(*c == ']');
        depth == 0
    });
    match end {
        None => text.to_owned(),
        Some((0, _)) => format!("{before}[]{}", without_lists(&rest[1..])),
        Some((at, _)) => format!("{before}[…]{}", without_lists(&rest[at + 1..])),
    }
}

fn is_event(word: &str) -> bool {
    matches!(word, "ADDED" | "MODIFIED" | "DELETED")
}

/// A word of no known meaning: a number, an instant, an id, a name that a run made up, or itself.
fn literal(word: &str, previous: &str) -> String {
    let (bytes, (first, version)) = (word.as_bytes(), word.split_once('/').unwrap_or((word, "")));
    let hex = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    if Subject::is_usual(first) {
        format!("{{resource}}{}", if version.is_empty() { "" } else { "/…" })
    } else if !bytes.iter().any(u8::is_ascii_digit) || is_code(word, previous) || word.ends_with("xx") {
        word.to_owned()
    } else if bytes.len() >= 10
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes[..4].iter().all(u8::is_ascii_digit)
    {
        "{time}".to_owned()
    } else if word.len() == 36 && word.split('-').all(hex) {
        "{uid}".to_owned()
    } else if bytes[0].is_ascii_digit() {
        format!("{{n}}{}", word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
    } else if word.contains('-') || (word.len() >= 8 && hex(word)) {
        "{name}".to_owned()
    } else {
        word.to_owned()
    }
}

/// Whether a number is an HTTP status code rather than a version or a count.
fn is_code(word: &str, previous: &str) -> bool {
    let of_code = matches!(previous, "" | "HTTP" | "code" | "or");
    of_code && word.parse().is_ok_and(|code: u16| (100..600).contains(&code)) && word.len() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with placeholders, for a request with this path.
    fn shown(path: &str, name: &str, text: &str) -> String {
        Placeholders::of(ApiPath::read(path), "", Some(name.to_owned())).put_into(text)
    }

    const MAP: &str = "/api/v1/namespaces/assay-k3f9x-1-1/configmaps/a";
    const GADGET: &str = "/apis/k3f9x.kube-assay.dev/v1/namespaces/assay-k3f9x-2-7/gadgets/a";
    const ROLE: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles/assay-k3f9x-9-a";

    #[test]
    fn what_differs_between_types_objects_and_runs_is_left_out() {
        for (one, other) in [
            ((MAP, "200 ConfigMap a at version 139"), (GADGET, "200 Gadgets a at version 1041")),
            (
                (MAP, "404 NotFound: configmaps \"a\" not found"),
                (ROLE, "404 NotFound: clusterroles.rbac.authorization.k8s.io \"assay-k3f9x-9-a\" not found"),
            ),
            ((MAP, "the items [a, b]"), (GADGET, "the items [c]")),
            (
                (MAP, "uid 5a0c5ea1-6a4f-4d0e-9f64-3d6b1a4f1c11 at 2026-03-01T12:00:00Z"),
                (GADGET, "uid 0b9c6a8e-f9b0-4a53-8b0b-0dcf0b0c0d22 at 2027-04-02T13:01:02Z"),
            ),
            ((MAP, "after 1.5 s in assay-k3f9x-1-1"), (GADGET, "after 30 s in assay-k3f9x-2-7")),
            (
                (MAP, "GET /api/v1/namespaces/assay-k3f9x-1-1/configmaps"),
                (ROLE, "GET /apis/rbac.authorization.k8s.io/v1/clusterroles"),
            ),
        ] {
            let names = [one.0, other.0].map(|path| path.rsplit('/').next().unwrap());
            assert_eq!(shown(one.0, names[0], one.1), shown(other.0, names[1], other.1));
        }
        assert_eq!(shown(MAP, "a", "200 ConfigMap a at version 139"), "200 {kind} {name} at version {n}");
    }

    #[test]
    fn what_tells_causes_apart_stays() {
        for text in [
            "HTTP 400 or 422 with a list",
            "500 InternalError: no watch",
            "4xx",
            "a Status of code 409",
            "an empty list []",
            "a bracket [ that nothing closes",
            "apps is v1beta1",
        ] {
            assert_eq!(shown(MAP, "a", text), text);
        }
        assert_ne!(shown(MAP, "a", "409 Conflict"), shown(MAP, "a", "422 Invalid"));
        assert_ne!(shown(MAP, "a", "[]"), shown(MAP, "a", "[a]"));
    }
}
