//! Servers that are conformant but unlike kube-apiserver: all suites run against the variants of the reference, without
//! a failure.

mod variant_run;

use futures::StreamExt;
use reference::Variant;

/// The number of concurrent servers: a run mostly waits.
const SERVERS: usize = 4;

/// Variants that share a run, so that few runs cover all. The last variant of a run edits responses last.
const COMBINATIONS: &[&[&str]] = &[
    &["slow"],
    &["stand-alone"],
    &["busy"],
    &["generic"],
    &["no-watch-list", "no-limit", "no-generations", "paths-listed", "lax-conditions", "compresses-all"],
    &["deletion-status", "lists-say-little", "many-bookmarks", "opaque-versions", "connection-close"],
    &[
        "deletion-object",
        "lists-say-all",
        "no-version",
        "extra-fields",
        "no-shards",
        "few-types",
        "high-cel-limits",
    ],
    &["no-watch-cache", "root-ca", "other-words", "odd-pieces", "all-shards-told"],
    &["no-namespace-controller", "short-history", "http1-only", "other-codes", "other-layout"],
];

/// The accepted reasons to skip a scenario, by variant; those without a variant hold for all.
#[rustfmt::skip]
const REASONS: &[(&str, &str)] = &[
    ("",                 "only in --profile full"),
    ("",                 "this server supports shardSelector"),
    ("",                 "the server offers CBOR"),
    ("",                 "since 1.37, and this server is"),
    ("",                 "since 1.38, and this server is"),
    ("",                 "since 1.39, and this server is"),
    ("",                 "since 1.40, and this server is"),
    ("",                 "which 1.32 removes"),
    // On a busy machine, few requests fit into the delay of a shutdown, and a version may exist too late for a
    // waiting request.
    ("",                 "without a noticeable delay"),
    ("",                 "the server waits no longer than"),
    ("stand-alone",      "the scenario tests types of its own"),
    ("stand-alone",      "deployments are namespaced"),
    ("stand-alone",      "this server does not serve"),
    ("stand-alone",      "discovery does not list"),
    ("stand-alone",      "no namespace can be created on this server"),
    ("stand-alone",      "no exchange of this run shows it"),
    ("short-history",    "expired before its"),
    ("no-shards",        "does not offer ShardedListAndWatch"),
    ("deletion-object",  "the response is no Status"),
    ("deletion-object",  "the response to a deletion is no Status"),
    ("deletion-status",  "the response to the deletion of a ServiceAccount is a Status"),
    ("no-namespace-controller", "does not offer GarbageCollector"),
    ("no-namespace-controller", "does not offer NamespaceController"),
    ("no-namespace-controller", "does not offer OrderedNamespaceDeletion"),
    // The version does not rule the feature of 1.37 out.
    ("no-version",       "does not offer WatchListCompression"),
    ("no-version",       "/version has no minor"),
    ("no-version",       "know no release"),
    // An API that a later minor brings, as far as this server says.
    ("no-version",       "discovery has"),
    // Up to 1.34, versions need not be decimal.
    ("opaque-versions",  "since 1.35, and this server is 1.34"),
    ("opaque-versions",  "since 1.36, and this server is 1.34"),
    ("opaque-versions",  "not decimal"),
    // Scenarios cannot invent a future version that is not a number.
    ("opaque-versions",  "no exchange of this run shows it"),
    ("no-watch-cache",   "the 504 has no Retry-After"),
    ("no-watch-cache",   "no exchange of this run shows it"),
    ("no-watch-cache",   "does not offer WatchBookmarks"),
    ("no-watch-list",    "does not offer WatchList"),
    ("lists-say-little", "this server omits remainingItemCount"),
    ("no-limit",         "this server shows the whole list whatever the limit"),
    ("no-limit",         "the first page has no token"),
    ("no-limit",         "the server returns all items at once"),
    ("no-limit",         "no exchange of this run shows it"),
    ("no-generations",   "this type shows no metadata.generation"),
    ("few-types",        "discovery does not list"),
    ("generic",          "discovery does not list"),
    ("generic",          "/flagz does not show"),
    ("generic",          "this server is no whole kube-apiserver"),
    ("generic",          "no built-in type of this server has"),
    ("generic",          "can be created"),
    ("generic",          "discovery lists neither"),
    ("generic",          "every listable type of the core group has the verb watch"),
    ("generic",          "the server lists no deprecated API"),
    ("generic",          "does not offer Kubelet"),
    ("generic",          "does not offer ComponentFlagz"),
    ("generic",          "does not offer DynamicResourceAllocation"),
    ("generic",          "no exchange of this run shows it"),
    ("generic",          "users without roles may send this request"),
    // By the time of the response, a warming-up cache is ready.
    ("slow",             "no exchange of this run shows it"),
];

#[tokio::test(flavor = "multi_thread")]
async fn conformant_variants_pass() {
    let combinations = COMBINATIONS.iter().map(|names| {
        names.iter().filter_map(|name| reference::variants().find(|known| known.name == *name)).collect()
    });
    assert_all_pass(combinations.collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: shows which variant of a combination fails"]
async fn each_variant_passes_alone() {
    assert_all_pass(reference::variants().map(|variant| vec![variant]).collect()).await;
}

#[test]
fn every_variant_is_in_a_combination() {
    let mut combined: Vec<_> = COMBINATIONS.concat();
    let mut known: Vec<_> = reference::variants().map(|variant| variant.name).collect();
    combined.sort_unstable();
    known.sort_unstable();
    assert_eq!(combined, known);
}

async fn assert_all_pass(servers: Vec<Vec<&'static Variant>>) {
    let results =
        futures::stream::iter(servers).map(failures).buffer_unordered(SERVERS).collect::<Vec<_>>().await;
    let failures = results.concat();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The failures of a run, and its test errors.
async fn failures(variants: Vec<&'static Variant>) -> Vec<String> {
    let names: Vec<_> = variants.iter().map(|variant| variant.name).collect();
    let applies = |name: &str| name.is_empty() || names.contains(&name);
    let is_accepted =
        |text: &str| REASONS.iter().any(|(name, reason)| applies(name) && text.contains(reason));
    let failures = match variant_run::run(variants).await {
        Ok(tally) => variant_run::failures(&tally, is_accepted),
        Err(test_error) => vec![test_error.to_string()],
    };
    failures.into_iter().map(|failure| format!("{}: {failure}", names.join(" "))).collect()
}
