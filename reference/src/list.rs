//! LIST: resource version, pagination, selectors and list metadata.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::cluster::Cluster;
use crate::continue_token::Token;
use crate::failure::Failure;
use crate::list_options::{ListOptions, parse_version};
use crate::resource_type::ResourceType;
use crate::store::{Page, Range, Read, Unavailable};
use crate::variant::Behaviour;

/// The maximum wait for a future version.
pub(crate) const VERSION_TIMEOUT: Duration = Duration::from_secs(3);

const LIST_TOO_OLD: &str = "The resourceVersion for the provided list is too old.";
const TOKEN_TOO_OLD: &str = "The provided continue parameter is too old to display a consistent list result. You \
     can start a new list without the continue parameter, or use the continue token in this response to retrieve \
     the remainder of the results. Continuing with the provided token results in an inconsistent list - objects \
     that were created, modified, or deleted between the time the first chunk was returned and now may show up in \
     the list.";

/// A page of a list, with its metadata.
pub(crate) struct Listed {
    pub(crate) page: Page,
    pub(crate) metadata: Map<String, Value>,
}

/// Plans a list of the objects with a key prefix, and waits for its version.
pub(crate) async fn reach_version<'a>(
    cluster: &Cluster,
    prefix: &'a str,
    options: &ListOptions,
) -> Result<Plan<'a>, Failure> {
    let plan = plan(prefix, options, cluster)?;
    if let Read::NotOlder(version) | Read::Exactly(version) = plan.read {
        reach(cluster, version).await?;
    }
    Ok(plan)
}

/// Reads a list whose version is reached.
pub(crate) fn list(
    cluster: &Cluster,
    ty: &ResourceType,
    plan: &Plan<'_>,
    options: &ListOptions,
) -> Result<Listed, Failure> {
    let collection = ty.collection();
    let keep = |object: &Value| options.selects(object);
    let page = cluster.store.list(&collection, &plan.range, plan.read, &keep);
    let page = page.map_err(|detail| plan.failure(&detail, options))?;
    let metadata = metadata(&page, plan.range.prefix, ty, options);
    Ok(Listed { page, metadata })
}

/// What a list reads.
pub(crate) struct Plan<'a> {
    read: Read,
    range: Range<'a>,
}

/// The table of `resourceVersionMatch` × `limit` × `continue` × `resourceVersion`.
fn plan<'a>(prefix: &'a str, options: &ListOptions, cluster: &Cluster) -> Result<Plan<'a>, Failure> {
    let always_limited = cluster.behaviours.has(Behaviour::NoWatchCache);
    let any_version = options.version == "0";
    let newest = if any_version { Read::Any } else { Read::Newest };
    let limit = options.limit.filter(|_| always_limited || !any_version);
    if !options.token.is_empty() {
        if !options.version.is_empty() && !any_version {
            let detail = "specifying resource version is not allowed when using continue";
            return Err(Failure::bad_request(detail));
        }
        let token = Token::decode(&options.token)?;
        let start = format!("{prefix}{}", token.start);
        let read = token.version.map_or(newest, Read::Exactly);
        return Ok(Plan { read, range: Range { prefix, start, limit } });
    }
    let range = Range { limit, ..Range::all(prefix) };
    if options.version.is_empty() || any_version {
        return Ok(Plan { read: newest, range });
    }
    let requested = parse_version(&options.version)
        .map_err(|detail| Failure::bad_request(format!("invalid resource version: {detail}")))?;
    // A limit alone makes the version exact, except for a list by name.
    let legacy_exact = options.limit.is_some() && !options.not_older && !options.selector.names_one();
    let read = match requested {
        0 => Read::Newest,
        requested if options.exact || legacy_exact => Read::Exactly(requested),
        requested => Read::NotOlder(requested),
    };
    Ok(Plan { read, range })
}

impl Plan<'_> {
    fn failure(&self, detail: &Unavailable, options: &ListOptions) -> Failure {
        match detail {
            Unavailable::Expired if !options.token.is_empty() => {
                let start = self.range.start.strip_prefix(self.range.prefix).unwrap_or_default();
                let fresh = Token { version: None, start: start.to_owned() };
                Failure::expired(TOKEN_TOO_OLD, Some(fresh.encode()))
            }
            detail => unavailable(detail),
        }
    }
}

/// Waits for a version up to the timeout; without a watch cache, not at all.
pub(crate) async fn reach(cluster: &Cluster, version: u64) -> Result<(), Failure> {
    let timeout =
        if cluster.behaviours.has(Behaviour::NoWatchCache) { Duration::ZERO } else { VERSION_TIMEOUT };
    cluster.store.reach(version, timeout).await.map_err(|detail| unavailable(&detail))
}

/// The failure for an unreadable version.
pub(crate) fn unavailable(detail: &Unavailable) -> Failure {
    match detail {
        Unavailable::Expired => Failure::expired(LIST_TOO_OLD, None),
        Unavailable::Future(requested, current) => Failure::too_large_version(*requested, *current),
        Unavailable::Refused(failure) => Failure::clone(failure),
    }
}

fn metadata(page: &Page, prefix: &str, ty: &ResourceType, options: &ListOptions) -> Map<String, Value> {
    let mut metadata = Map::new();
    metadata.insert("resourceVersion".to_owned(), page.revision.to_string().into());
    if page.more > 0 {
        let token = Token::after(&page.last_key, prefix, Some(page.revision));
        metadata.insert("continue".to_owned(), token.encode().into());
        if options.selector.is_everything() {
            // The count includes the remaining objects of other shards.
            metadata.insert("remainingItemCount".to_owned(), json!(page.more + page.passed_over));
        }
    } else if ty.custom.is_some() {
        // Lists of custom types always have the field, unlike lists of built-in types.
        metadata.insert("continue".to_owned(), "".into());
    }
    // Lists of custom types have no `shardInfo`.
    if let (Some(shards), None) = (&options.shards, &ty.custom) {
        metadata.insert("shardInfo".to_owned(), json!({"selector": shards.to_string()}));
    }
    metadata
}
