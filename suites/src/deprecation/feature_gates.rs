//! Feature gates, as far as the metrics show them.

use crate::flags;
use crate::metrics::{Metrics, Sample};
use crate::prelude::*;

rows![
    deprecation_feature_gate_alpha_off.own_kinds().read_only(),
    deprecation_feature_gate_beta_on.own_kinds().read_only(),
    deprecation_feature_gate_ga.own_kinds().read_only(),
];

/// The metric of the gates: 1 for a feature that is on.
const GATES: &str = "kubernetes_feature_enabled";

/// An alpha feature that some releases have on by default: it is a part of containerd.
const ALWAYS_ON: &str = "WindowsHostNetwork";

/// The gates of a stage: empty after graduation. Skips where the metrics show none.
fn gates(cx: &Context, metrics: &Metrics, stage: &str) -> Result<Vec<Sample>, Halt> {
    let all: Vec<_> = metrics.samples(GATES).collect();
    cx.require_feature("Metrics", !all.is_empty(), format!("/metrics has no {GATES}"))?;
    Ok(all.into_iter().filter(|gate| label(gate, "stage") == Some(stage)).collect())
}

fn label<'a>(gate: &'a Sample, label: &str) -> Option<&'a str> {
    gate.labels.get(label).map(String::as_str)
}

fn is_on(gate: &Sample) -> bool {
    gate.value > 0.5
}

/// The names of these gates that are on, or off.
fn names(gates: &[Sample], on: bool) -> Vec<&str> {
    gates.iter().filter(|gate| is_on(gate) == on).filter_map(|gate| label(gate, "name")).collect()
}

async fn deprecation_feature_gate_alpha_off(cx: Context, metrics: Metrics) -> Checked {
    let gates = gates(&cx, &metrics, "ALPHA")?;
    let mut on = names(&gates, true);
    on.retain(|name| *name != ALWAYS_ON);
    if on.is_empty() {
        return Ok(());
    }
    let failure =
        metrics.fail(&cx, "alpha features that are off by default", format!("{on:?} are on")).await?;
    Err(flags::deviation(&cx, "feature-gates", failure).await?)
}

async fn deprecation_feature_gate_beta_on(cx: Context, metrics: Metrics) -> Checked {
    let gates = gates(&cx, &metrics, "BETA")?;
    let (on, off) = (names(&gates, true), names(&gates, false));
    // Some have their own reasons to be off.
    if on.len() >= off.len() {
        return Ok(());
    }
    let failure = metrics.fail(&cx, "most beta features on by default", format!("{off:?} are off")).await?;
    Err(flags::deviation(&cx, "feature-gates", failure).await?)
}

async fn deprecation_feature_gate_ga(cx: Context, metrics: Metrics) -> Checked {
    let gates = gates(&cx, &metrics, "")?;
    let off = names(&gates, false);
    if off.is_empty() {
        return Ok(());
    }
    let failure = metrics.fail(&cx, "stable features that are on", format!("{off:?} are off")).await?;
    Err(flags::deviation(&cx, "feature-gates", failure).await?)
}
