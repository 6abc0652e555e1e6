//! The result of `removals`, as a table or in JSON.

use serde_json::{Value, json};
use suites::{ApiLifecycle, ApiReplacement};

use super::range::{Change, Range};
use super::usage::{Place, Usage, Usages};
use crate::list::Listed;
use crate::output::{counted, harmless, remark, say};

/// Prints the uses; without a search, the removed APIs.
pub(super) fn print(usages: &Usages, searched: bool, as_json: bool) {
    if as_json {
        say(&format!("{:#}\n", document(usages)));
    } else if searched {
        say(&harmless(&text(usages), &['\n']));
    } else {
        say(&removed(&usages.range));
    }
    if usages.range.to > suites::NEWEST_RELEASE {
        let newest = suites::NEWEST_RELEASE;
        remark(format_args!(
            "warning: 1.{newest} is the newest release that kube-assay knows; a later removal is a plan"
        ));
    }
}

fn removed(range: &Range) -> String {
    let rows: Vec<Vec<String>> = range.removed_between().map(|api| row_of_api(api, range.to)).collect();
    let summary = format!("{} removed from 1.{} to 1.{}\n", counted(rows.len(), "API"), range.from, range.to);
    table(&["removed in", "API", "replacement", "guide"], rows) + &summary
}

fn row_of_api(api: &ApiLifecycle, minor: u32) -> Vec<String> {
    let removed = api.removed.map(|removed| format!("1.{removed}")).unwrap_or_default();
    vec![removed, name(api), replacement(api, minor), api.guide.clone()]
}

fn text(usages: &Usages) -> String {
    let range = &usages.range;
    let row = |usage: &Usage| {
        let api = range.api(usage.api);
        let (place, object) = (place(&usage.place), object(usage));
        vec![place, object, name(api), state(usage, api), replacement(api, range.to), api.guide.clone()]
    };
    let rows = usages.found.iter().map(row).collect();
    table(&["where", "name", "API", "state", "replacement", "guide"], rows) + &summary(usages)
}

fn table(columns: &'static [&'static str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    format!("{}\n\n", Listed { columns, rows }.table())
}

fn summary(usages: &Usages) -> String {
    let count = |wanted: fn(&Usage) -> bool| usages.found.iter().filter(|usage| wanted(usage)).count();
    let breaking = counted(count(Usage::breaks), "use");
    let deprecated = count(|usage| usage.change == Change::Deprecated);
    let (from, to) = (usages.range.from, usages.range.to);
    let more =
        if usages.left_out == 0 { String::new() } else { format!(", {} more not shown", usages.left_out) };
    let unread =
        if usages.unread.is_empty() { String::new() } else { format!(", {} not read", usages.unread.len()) };
    format!(
        "from 1.{from} to 1.{to}: {breaking} of removed APIs, {deprecated} of deprecated ones{more}; {} read{unread}\n",
        counted(usages.objects, "object")
    )
}

fn name(api: &ApiLifecycle) -> String {
    format!("{} {}", api.version, api.kind)
}

fn object(usage: &Usage) -> String {
    let separator = if usage.namespace.is_empty() { "" } else { "/" };
    format!("{}{separator}{}", usage.namespace, usage.name)
}

fn place(place: &Place) -> String {
    match place {
        Place::Manifest { file, line } => format!("{file}:{line}"),
        Place::LastApplied => "last applied by kubectl".to_owned(),
        Place::ManagedFields { manager } => format!("managed by {manager}"),
        Place::Discovery => "discovery".to_owned(),
    }
}

fn state(usage: &Usage, api: &ApiLifecycle) -> String {
    let removed = api.removed.map(|minor| format!("removed in 1.{minor}"));
    match usage.change {
        Change::Removed => removed.unwrap_or_default(),
        Change::Deprecated => {
            let later = removed.map(|removed| format!(", {removed}")).unwrap_or_default();
            format!("deprecated in 1.{}{later}", api.deprecated)
        }
    }
}

/// What users of a minor use instead, with its first minor if that is later.
fn replacement(api: &ApiLifecycle, minor: u32) -> String {
    let Some(ApiReplacement { version, kind, since, .. }) = api.replacement_in(minor) else {
        return "none".to_owned();
    };
    let kind = if kind == api.kind { String::new() } else { format!(" {kind}") };
    let since = if since > minor { format!(" (since 1.{since})") } else { String::new() };
    format!("{version}{kind}{since}")
}

fn document(usages: &Usages) -> Value {
    let range = &usages.range;
    let apis: Vec<Value> = range.removed_between().map(|api| json_of_api(api, range.to)).collect();
    let uses: Vec<Value> = usages.found.iter().map(|usage| json_of_use(usage, range)).collect();
    json!({
        "from": format!("1.{}", range.from),
        "to": format!("1.{}", range.to),
        "breaks": usages.any_breaks(),
        "removed": apis,
        "uses": uses,
        "uses_left_out": usages.left_out,
        "objects": usages.objects,
        "not_read": usages.unread,
    })
}

fn json_of_api(api: &ApiLifecycle, minor: u32) -> Value {
    let replacement = api.replacement_in(minor).map(|replacement| {
        json!({
            "version": replacement.version,
            "kind": replacement.kind,
            "since": format!("1.{}", replacement.since),
        })
    });
    json!({
        "version": api.version,
        "kind": api.kind,
        "resource": api.plural,
        "deprecated": format!("1.{}", api.deprecated),
        "removed": api.removed.map(|minor| format!("1.{minor}")),
        "replacement": replacement,
        "guide": api.guide,
    })
}

fn json_of_use(usage: &Usage, range: &Range) -> Value {
    let mut found = json!({
        "change": if usage.change == Change::Removed { "removed" } else { "deprecated" },
        "breaks": usage.breaks(),
    });
    match &usage.place {
        Place::Manifest { file, line } => {
            found["source"] = "manifest".into();
            found["file"] = file.as_str().into();
            found["line"] = (*line).into();
        }
        Place::LastApplied => found["source"] = "last_applied".into(),
        Place::ManagedFields { manager } => {
            found["source"] = "managed_fields".into();
            found["manager"] = manager.as_str().into();
        }
        Place::Discovery => found["source"] = "discovery".into(),
    }
    found["namespace"] = usage.namespace.as_str().into();
    found["name"] = usage.name.as_str().into();
    found["api"] = json_of_api(range.api(usage.api), range.to);
    found
}
