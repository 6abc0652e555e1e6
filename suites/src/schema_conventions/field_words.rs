//! The words in the names of fields and in the values of enumerations.

/// Acronyms with a capital and small letters: a field has them in one case.
const MIXED_ACRONYMS: [&str; 15] = [
    "Http", "Tcp", "Udp", "Url", "Uri", "Api", "Dns", "Tls", "Cpu", "Uuid", "Cidr", "Json", "Ttl", "Ip",
    "Uid",
];

/// Units of time other than seconds, and words for durations without a unit.
const OTHER_DURATIONS: [&str; 8] =
    ["Millis", "Minutes", "Hours", "Days", "Interval", "Timeout", "Duration", "Period"];

/// Whether a name is in camelCase and starts with a small letter.
pub(super) fn is_camel_case(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Whether the value of an enumeration is in CamelCase, or one of the exceptions: none, all, and signals.
pub(super) fn is_constant(value: &str) -> bool {
    let camel = value.starts_with(|c: char| c.is_ascii_uppercase())
        && value.chars().all(|c| c.is_ascii_alphanumeric());
    camel || matches!(value, "" | "*") || value.starts_with("SIG")
}

/// Whether a name ends in a duration that is not in seconds.
pub(super) fn ends_in_other_duration(name: &str) -> bool {
    OTHER_DURATIONS.iter().any(|word| name.ends_with(word))
}

/// Whether a name has an acronym with letters of both cases.
pub(super) fn has_mixed_acronym(name: &str) -> bool {
    let ends_word = |rest: &str| {
        rest.is_empty() || rest.starts_with('s') || rest.starts_with(|c: char| c.is_ascii_uppercase())
    };
    let is_in =
        |acronym: &&str| name.match_indices(*acronym).any(|(at, _)| ends_word(&name[at + acronym.len()..]));
    MIXED_ACRONYMS.iter().any(is_in)
}

/// Whether a name starts with `is`, as a question does.
pub(super) fn is_question(name: &str) -> bool {
    name.strip_prefix("is").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_conventions_or_not() {
        assert!(["nodeName", "podCIDRs", "v1"].iter().all(|name| is_camel_case(name)));
        assert!(!["NodeName", "node_name", "node-name", ""].iter().any(|name| is_camel_case(name)));
        assert!(["ClusterIP", "", "*", "SIGRTMIN+1"].iter().all(|value| is_constant(value)));
        assert!(!["round-robin", "any", "key agreement"].iter().any(|value| is_constant(value)));
        assert!(
            ["podIp", "targetUrl", "apiUrls", "hostIpAddress"].iter().all(|name| has_mixed_acronym(name))
        );
        assert!(
            !["podIPs", "description", "apiVersion", "httpGet", "multiplier"]
                .iter()
                .any(|name| has_mixed_acronym(name))
        );
        assert!(is_question("isReady") && !is_question("issuer") && !is_question("is"));
        assert!(ends_in_other_duration("pollInterval") && !ends_in_other_duration("timeoutSeconds"));
    }
}
