//! `ListOptions`: parsing and validation, in the order of kube-apiserver.

use serde_json::Value;

use crate::failure::{Cause, Failure};
use crate::query::Query;
use crate::resource_type::ResourceType;
use crate::selector::Selector;
use crate::shard::Shards;

const EXACT: &str = "Exact";
const NOT_OLDER_THAN: &str = "NotOlderThan";

/// The parameters of a list or watch.
pub(crate) struct ListOptions {
    /// The label and field selectors.
    pub(crate) selector: Selector,
    pub(crate) shards: Option<Shards>,
    /// The `resourceVersion` of the request.
    pub(crate) version: String,
    pub(crate) exact: bool,
    pub(crate) not_older: bool,
    /// The `limit`: `None` for no limit.
    pub(crate) limit: Option<usize>,
    /// The `continue` token.
    pub(crate) token: String,
    /// The `timeoutSeconds`: 0 for no timeout.
    pub(crate) timeout: i64,
    pub(crate) bookmarks: bool,
    /// The `sendInitialEvents`, explicit or by default.
    pub(crate) initial_events: Option<bool>,
}

impl ListOptions {
    /// Parses the parameters of a list or watch.
    pub(crate) fn of(query: &Query, ty: &ResourceType, watch: bool) -> Result<Self, Failure> {
        let limit = query.integer("limit")?.unwrap_or(0);
        let timeout = query.integer("timeoutSeconds")?.unwrap_or(0);
        let selector = Selector::of(query, ty)?;
        let causes = if watch { watch_causes(query) } else { list_causes(query) };
        if !causes.is_empty() {
            return Err(Failure::invalid("meta.k8s.io", "ListOptions", "", &causes));
        }
        let shards = Some(query.first("shardSelector")).filter(|text| !text.is_empty());
        let shards = shards.map(Shards::parse).transpose().map_err(Failure::untranslated)?;
        let version = query.first("resourceVersion").to_owned();
        let match_ = query.first("resourceVersionMatch");
        let by_default = watch && match_.is_empty() && matches!(version.as_str(), "" | "0");
        Ok(Self {
            selector,
            shards,
            exact: match_ == EXACT,
            not_older: match_ == NOT_OLDER_THAN,
            limit: usize::try_from(limit).ok().filter(|limit| *limit > 0),
            token: query.first("continue").to_owned(),
            timeout,
            bookmarks: query.flag("allowWatchBookmarks").unwrap_or(false),
            initial_events: query.flag("sendInitialEvents").or(by_default.then_some(true)),
            version,
        })
    }

    /// Whether the selectors match an object.
    pub(crate) fn selects(&self, object: &Value) -> bool {
        self.selector.matches(object) && self.shards.as_ref().is_none_or(|shards| shards.matches(object))
    }
}

fn list_causes(query: &Query) -> Vec<Cause> {
    let field = "resourceVersionMatch";
    let (match_, version) = (query.first(field), query.first("resourceVersion"));
    let mut causes = Vec::new();
    if !match_.is_empty() {
        if version.is_empty() {
            let detail = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            causes.push(Cause::forbidden(field, detail));
        }
        if !query.first("continue").is_empty() {
            causes
                .push(Cause::forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
        }
        if match_ != EXACT && match_ != NOT_OLDER_THAN {
            let supported = &[EXACT, NOT_OLDER_THAN, ""];
            causes.push(Cause::not_supported(field, &format!("{match_:?}"), supported));
        }
        if match_ == EXACT && version == "0" {
            let detail = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
            causes.push(Cause::forbidden(field, detail));
        }
    }
    if query.has("sendInitialEvents") {
        causes.push(Cause::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    causes
}

fn watch_causes(query: &Query) -> Vec<Cause> {
    let field = "resourceVersionMatch";
    let (match_, version) = (query.first(field), query.first("resourceVersion"));
    let explicit = query.has("sendInitialEvents");
    let by_default = !explicit && match_.is_empty() && matches!(version, "" | "0");
    let mut causes = Vec::new();
    if explicit && match_ != NOT_OLDER_THAN {
        let detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
        causes.push(Cause::forbidden(field, detail));
    }
    if !match_.is_empty() && !explicit {
        let detail = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
        causes.push(Cause::forbidden(field, detail));
    }
    if !match_.is_empty() && match_ != NOT_OLDER_THAN {
        causes.push(Cause::not_supported(field, &format!("{match_:?}"), &[NOT_OLDER_THAN]));
    }
    if (by_default || !match_.is_empty()) && !query.first("continue").is_empty() {
        causes.push(Cause::forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
    }
    causes
}

/// Parses a version. The error has the text of kube-apiserver.
pub(crate) fn parse_version(text: &str) -> Result<u64, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| {
        let detail = if digits && !text.is_empty() { "value out of range" } else { "invalid syntax" };
        format!("resourceVersion: Invalid value: {text:?}: strconv.ParseUint: parsing {text:?}: {detail}")
    })
}
