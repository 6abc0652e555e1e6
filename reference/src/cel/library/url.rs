//! URLs, as Go's net/url parses the URI of a request.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::{Key, Value};
use crate::cel::work::{ITEM, Work};

/// A URL with a scheme, or an absolute path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Url {
    scheme: String,
    user: Option<String>,
    host: String,
    /// The part after the scheme of a URL without a host, such as `mailto:a@b`.
    opaque: String,
    path: String,
    query: Option<String>,
}

pub(super) fn call(name: &str, args: &[Value], work: &Work) -> Option<Evaluated> {
    Some(match (name, args) {
        ("isURL", [Value::Text(text)]) => Ok(Value::Bool(Url::parse(text).is_some())),
        ("url", [Value::Text(text)]) => match Url::parse(text) {
            Some(url) => Ok(Value::Url(Arc::new(url))),
            None => Err(EvalError::other(format!(
                "URL parse error during conversion from string: parse {text:?}"
            ))),
        },
        ("getScheme", [Value::Url(url)]) => Ok(Value::text(&url.scheme)),
        ("getHost", [Value::Url(url)]) => Ok(Value::text(&url.host)),
        ("getHostname", [Value::Url(url)]) => {
            let name = url.hostname();
            Ok(Value::text(name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name)))
        }
        ("getPort", [Value::Url(url)]) => Ok(Value::text(url.port())),
        ("getEscapedPath", [Value::Url(url)]) => Ok(Value::text(&escaped_path(&url.path))),
        ("getQuery", [Value::Url(url)]) => url.query(work),
        _ => return None,
    })
}

/// Whether a text is a URL.
pub(super) fn is_url(text: &str) -> bool {
    Url::parse(text).is_some()
}

impl Url {
    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text.chars().any(|next| next.is_ascii_control()) {
            return None;
        }
        let (scheme, rest) = split_scheme(text)?;
        let mut url = Self { scheme: scheme.to_ascii_lowercase(), ..Self::default() };
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
        url.query = query.map(str::to_owned);
        if !rest.starts_with('/') {
            if url.scheme.is_empty() {
                return None;
            }
            rest.clone_into(&mut url.opaque);
            return Some(url);
        }
        rest.clone_into(&mut url.path);
        if !url.scheme.is_empty()
            && let Some(authority) = rest.strip_prefix("//")
        {
            let end = authority.find('/').unwrap_or(authority.len());
            let (authority, path) = authority.split_at(end);
            path.clone_into(&mut url.path);
            url.authority(authority)?;
        }
        are_escapes_valid(&url.path).then_some(url)
    }

    fn authority(&mut self, text: &str) -> Option<()> {
        let (user, host) = text.rsplit_once('@').map_or((None, text), |(user, host)| (Some(user), host));
        if user.is_some_and(|user| user.contains(['/', ' ', '@', '<', '>', '[', ']', '"'])) {
            return None;
        }
        self.user = user.map(str::to_owned);
        host.clone_into(&mut self.host);
        let port = if host.starts_with('[') {
            host.split_once(']')?.1
        } else {
            &host[host.find(':').unwrap_or(host.len())..]
        };
        let is_port = port.is_empty()
            || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let is_host =
            are_escapes_valid(host) && !host.contains([' ', '<', '>', '"', '\\', '^', '`', '{', '|', '}']);
        (is_port && is_host).then_some(())
    }

    /// The host without its port; an IPv6 address keeps its brackets.
    fn hostname(&self) -> &str {
        let port = self.port();
        let host = if port.is_empty() { &self.host } else { &self.host[..self.host.len() - port.len() - 1] };
        host.strip_suffix(':').unwrap_or(host)
    }

    fn port(&self) -> &str {
        let after = self.host.rfind(']').map_or(0, |end| end + 1);
        self.host[after..].rfind(':').map_or("", |colon| &self.host[after + colon + 1..])
    }

    fn query(&self, work: &Work) -> Evaluated {
        let mut entries: BTreeMap<Key, Value> = BTreeMap::new();
        let query = self.query.as_deref().unwrap_or_default();
        // The shortest entry has a name of one letter, and a separator.
        work.reserve(query.len() as u64 / 2 * 2 * ITEM)?;
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            values.entry(key.into_owned()).or_default().push(value.into_owned());
        }
        for (key, values) in values {
            entries.insert(Key(Value::text(&key)), Value::texts(values));
        }
        Ok(Value::Map(Arc::new(entries)))
    }

    /// The bytes of its parts.
    pub(in crate::cel) fn len(&self) -> usize {
        let optional = |part: &Option<String>| part.as_ref().map_or(0, String::len);
        let parts = [&self.scheme, &self.host, &self.opaque, &self.path];
        parts.map(String::len).iter().sum::<usize>() + optional(&self.user) + optional(&self.query)
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(formatter, "{}:", self.scheme)?;
        }
        if !self.host.is_empty() {
            let user = self.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
            write!(formatter, "//{user}{}", self.host)?;
        }
        write!(formatter, "{}{}", self.opaque, escaped_path(&self.path))?;
        match &self.query {
            Some(query) => write!(formatter, "?{query}"),
            None => Ok(()),
        }
    }
}

/// The scheme and the rest; a colon before any slash must follow a scheme.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    for (index, next) in text.char_indices() {
        match next {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if index > 0 => {}
            ':' if index > 0 => return Some((&text[..index], &text[index + 1..])),
            ':' => return None,
            _ => break,
        }
    }
    Some(("", text))
}

fn are_escapes_valid(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// The path with its own escapes, and escapes for characters that a path cannot have.
fn escaped_path(path: &str) -> String {
    let mut escaped = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@%!'()*[]".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}
