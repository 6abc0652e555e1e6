//! Servers that are right but unlike kube-apiserver: all suites are asked of each variant of the reference, and
//! nothing may be held against it.

mod tried;

use futures::StreamExt;
use reference::Variant;

/// How many variants are tried at a time: most of the time of a run is spent waiting.
const AT_A_TIME: usize = 6;

/// Why a scenario may be left unasked, of any variant.
const REASONS: &[&str] = &[
    "only in --profile full",
    // Rules newer than what the reference says of itself, and what its transport has not.
    "since ",
];

/// Why a scenario may be left unasked, of one variant.
const REASONS_OF: &[(&str, &str)] =
    &[("opaque-versions", "decimal"), ("lists-say-little", "leaves remainingItemCount out")];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_held_against_a_server_that_is_right_but_different() {
    let tried = futures::stream::iter(reference::variants())
        .map(|variant| async move { complaints(variant).await })
        .buffer_unordered(AT_A_TIME)
        .collect::<Vec<_>>()
        .await;
    let complaints = tried.concat();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// What is held against a variant, or was not found out.
async fn complaints(variant: &'static Variant) -> Vec<String> {
    let tally = match tried::tried(variant).await {
        Ok(tally) => tally,
        Err(obstacle) => return vec![format!("{}: {obstacle}", variant.name)],
    };
    let allowed = REASONS_OF.iter().filter(|(name, _)| *name == variant.name).map(|(_, reason)| reason);
    let allowed: Vec<_> = REASONS.iter().chain(allowed).collect();
    let fine = |reason: &str| allowed.iter().any(|allowed| reason.contains(**allowed));
    let told = tried::complaints(&tally, fine);
    told.into_iter().map(|complaint| format!("{}: {complaint}", variant.name)).collect()
}
