//! Servers that are right but unlike kube-apiserver: all suites are asked of the variants of the reference, and
//! nothing may be held against them.

mod variant_run;

use futures::StreamExt;
use reference::Variant;

/// How many servers are tried at a time: much of the time of a run is spent waiting.
const AT_A_TIME: usize = 4;

/// Variants that go together, so that few runs try them all. The last of each sees the answers last.
const TOGETHER: &[&[&str]] = &[
    &["slow"],
    &["stand-alone"],
    &["busy"],
    &["no-watch-list", "no-limit", "no-generations", "paths-listed"],
    &["deletion-status", "lists-say-little", "many-bookmarks", "opaque-versions", "connection-close"],
    &["deletion-object", "lists-say-all", "no-version", "extra-fields", "no-shards"],
    &["no-watch-cache", "root-ca", "other-words", "odd-pieces", "all-shards-told"],
    &["no-namespace-controller", "short-history", "http1-only", "other-codes", "other-layout"],
    &["few-types", "lax-conditions"],
];

/// Why a scenario may be left unasked, by variant; those of no variant may be by any.
#[rustfmt::skip]
const REASONS: &[(&str, &str)] = &[
    ("",                 "only in --profile full"),
    ("",                 "this server heeds shardSelector"),
    ("",                 "since 1.37, and this server is"),
    ("",                 "since 1.38, and this server is"),
    // On a busy machine few rounds of questions fit into the delay of a shutdown, and a version is reached too late for
    // who waits for it.
    ("",                 "without a noticeable delay"),
    ("",                 "the server waits no longer than"),
    ("stand-alone",      "it asks about types of its own"),
    ("stand-alone",      "this server does not serve"),
    ("stand-alone",      "discovery does not list"),
    ("stand-alone",      "no namespace can be created on this server"),
    ("stand-alone",      "no exchange of this run shows it"),
    ("no-shards",        "does not offer ShardedListAndWatch"),
    ("deletion-object",  "the response is no Status"),
    ("deletion-status",  "the response to the deletion of a ServiceAccount is a Status"),
    ("no-namespace-controller", "does not offer GarbageCollector"),
    ("no-namespace-controller", "does not offer NamespaceController"),
    ("no-namespace-controller", "does not offer OrderedNamespaceDeletion"),
    // Until 1.34 versions need not be decimal.
    ("opaque-versions",  "since 1.35, and this server is 1.34"),
    ("opaque-versions",  "since 1.36, and this server is 1.34"),
    ("opaque-versions",  "not decimal"),
    // Without numbers no version of the future can be made up.
    ("opaque-versions",  "no exchange of this run shows it"),
    ("no-watch-cache",   "the 504 carries no Retry-After"),
    ("no-watch-cache",   "no exchange of this run shows it"),
    ("no-watch-cache",   "does not offer WatchBookmarks"),
    ("no-watch-list",    "does not offer WatchList"),
    ("lists-say-little", "this server leaves remainingItemCount out"),
    ("no-limit",         "this server shows the whole list whatever the limit"),
    ("no-limit",         "the first page has no token"),
    ("no-limit",         "the server returns all items at once"),
    ("no-limit",         "no exchange of this run shows it"),
    ("no-generations",   "this type shows no metadata.generation"),
    ("few-types",        "discovery does not list"),
    // When the answer comes, what was warming up is warm.
    ("slow",             "no exchange of this run shows it"),
];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_held_against_a_server_that_is_right_but_different() {
    let together = TOGETHER.iter().map(|names| {
        names.iter().filter_map(|name| reference::variants().find(|known| known.name == *name)).collect()
    });
    try_all(together.collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: shows which of several variants it was"]
async fn nothing_is_held_against_any_variant_alone() {
    try_all(reference::variants().map(|variant| vec![variant]).collect()).await;
}

#[test]
fn every_variant_is_tried() {
    let mut tried: Vec<_> = TOGETHER.concat();
    let mut known: Vec<_> = reference::variants().map(|variant| variant.name).collect();
    tried.sort_unstable();
    known.sort_unstable();
    assert_eq!(tried, known);
}

async fn try_all(servers: Vec<Vec<&'static Variant>>) {
    let tried =
        futures::stream::iter(servers).map(complaints).buffer_unordered(AT_A_TIME).collect::<Vec<_>>().await;
    let complaints = tried.concat();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// What is held against a server, or was not found out.
async fn complaints(variants: Vec<&'static Variant>) -> Vec<String> {
    let names: Vec<_> = variants.iter().map(|variant| variant.name).collect();
    let of = |name: &str| name.is_empty() || names.contains(&name);
    let fine = |why: &str| REASONS.iter().any(|(name, reason)| of(name) && why.contains(reason));
    let told = match variant_run::tried(variants).await {
        Ok(tally) => variant_run::complaints(&tally, fine),
        Err(test_error) => vec![test_error.to_string()],
    };
    told.into_iter().map(|complaint| format!("{}: {complaint}", names.join(" "))).collect()
}
