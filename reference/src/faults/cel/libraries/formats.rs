//! Faults of named formats and semantic versions.

use crate::cel::deviation::Deviation::{self, *};
use crate::fault::expressions;
use crate::faults::cel::{Fault, Value, call, failed, negated, text};

const EMPTY_LIST: Deviation = Returns("validate", |_, right| match right? {
    Value::Optional(None) => Ok(Value::some(Value::list(Vec::new()))),
    messages => Ok(messages),
});

/// The fault of a format's validation.
const fn format(name: &'static str) -> Fault {
    expressions(name, "validate of a valid text has an empty list", &[EMPTY_LIST])
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    format("cel-libraries-format-dns1123label"),
    format("cel-libraries-format-dns1123subdomain"),
    format("cel-libraries-format-dns1035label"),
    format("cel-libraries-format-qualifiedname"),
    format("cel-libraries-format-dns1123labelprefix"),
    format("cel-libraries-format-dns1123subdomainprefix"),
    format("cel-libraries-format-dns1035labelprefix"),
    format("cel-libraries-format-labelvalue"),
    format("cel-libraries-format-uri"),
    format("cel-libraries-format-uuid"),
    format("cel-libraries-format-byte"),
    format("cel-libraries-format-date"),
    expressions("cel-libraries-format-datetime", "there is no format.datetime", &[Lacks("datetime")]),
    expressions("cel-libraries-format-named", "an unknown name is dns1123Label", &[Returns("format.named", |_, right| match right? {
        Value::Optional(None) => Ok(Value::some(Value::Format("dns1123Label".into()))),
        format => Ok(format),
    })]),
    expressions("cel-libraries-semver-issemver", "a version can begin with v", &[Returns("isSemver", |args, right| match text(&args[0]).strip_prefix('v') {
        Some(version) if args.len() == 1 => call("isSemver", &[Value::text(version)]),
        _ => right,
    })]),
    expressions("cel-libraries-semver-parts", "patch fails for a prerelease", &[Returns("patch", |args, right| match &args[0] {
        Value::Semver(version) if version.is_prerelease() => failed(),
        _ => right,
    })]),
    expressions("cel-libraries-semver-normalize", "versions are never normalized", &[Returns("semver", |args, _| call("semver", &args[..1]))]),
    expressions("cel-libraries-semver-compare", "versions are compared as text", &[Returns("isLessThan", negated)]),
];
