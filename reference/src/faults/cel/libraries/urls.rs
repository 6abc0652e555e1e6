//! Faults of URLs.

use crate::cel::deviation::Deviation::{self, *};
use crate::fault::expressions;
use crate::faults::cel::{Fault, Value, bool, call, failed, list, text};

const NO_PORT: Deviation = Returns("getHost", |_, right| {
    let host = right?;
    let host = text(&host);
    Ok(Value::text(
        host.rsplit_once(':').filter(|(host, _)| !host.ends_with(':')).map_or(host, |(host, _)| host),
    ))
});

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-row-url", "there is no isURL", &[Lacks("isURL")]),
    expressions("cel-libraries-url-isurl", "a string with a dot is a URL", &[Returns("isURL", |args, right| if text(&args[0]).contains('.') { bool(true) } else { right })]),
    expressions("cel-libraries-url-isurl-absolute-path", "an absolute path is no URL", &[Returns("isURL", |args, right| if text(&args[0]).starts_with('/') { bool(false) } else { right })]),
    expressions("cel-libraries-url-url-error", "url of another string is the root", &[Returns("url", |_, right| right.or_else(|_| call("url", &[Value::text("/")])))]),
    expressions("cel-libraries-url-getscheme", "getScheme is in upper case", &[Returns("getScheme", |_, right| Ok(Value::text(&text(&right?).to_ascii_uppercase())))]),
    expressions("cel-libraries-url-gethost", "getHost has no port", &[NO_PORT]),
    expressions("cel-libraries-url-gethostname", "getHostname has brackets", &[Returns("getHostname", |_, right| match right? {
        host if text(&host).contains(':') => Ok(Value::text(&format!("[{}]", text(&host)))),
        host => Ok(host),
    })]),
    expressions("cel-libraries-url-getport", "getPort is 443 without a port", &[Returns("getPort", |_, right| match right? { port if port.is_zero() => Ok(Value::text("443")), port => Ok(port) })]),
    expressions("cel-libraries-url-getescapedpath", "the path is decoded", &[Returns("getEscapedPath", |_, right| Ok(Value::text(&text(&right?).replace("%20", " "))))]),
    expressions("cel-libraries-url-getquery", "a repeated key has only its last value", &[Returns("getQuery", |_, right| match right? {
        Value::Map(map) => Ok(Value::Map(std::sync::Arc::new(map.iter().map(|(key, values)| (key.clone(), Value::list(list(values).last().cloned().into_iter().collect()))).collect()))),
        other => Ok(other),
    })]),
    expressions("cel-libraries-url-example-gethost", "getHost has no port", &[NO_PORT]),
    expressions("cel-libraries-url-example-escapedpath", "a URL has no spaces", &[Returns("url", |args, right| if text(&args[0]).contains(' ') { failed() } else { right })]),
    expressions("cel-libraries-url-equality", "URLs are never equal", &[Returns("_==_", |args, right| if matches!(args[0], Value::Url(_)) { bool(false) } else { right })]),
];
