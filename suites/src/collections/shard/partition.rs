//! The partition of objects into shards.

use std::collections::BTreeMap;

use super::{Divided, NAMES, expect_shown, joined};
use crate::prelude::*;
use crate::shard::{END, Shard, hash};

pub(super) fn rows() -> Vec<Row> {
    [
        table(PREDICTED, Kinds::Namespaced, predicted),
        vec![row!(collections_shard_partition).namespaced(), row!(collections_shard_fields).namespaced()],
    ]
    .concat()
}

/// The selectors of a scenario: each a union of shards.
type Selectors = fn(&Divided) -> Vec<Vec<Shard>>;

/// Selectors whose items follow from the hashes, a row per clause.
#[rustfmt::skip]
const PREDICTED: &[(&str, Selectors)] = &[
    ("collections-shard-filter", halves_and_less),
    ("collections-shard-hash",   one_for_each),
    ("collections-shard-or",     several_joined),
];

async fn predicted(cx: Context, selectors: Selectors) -> Checked {
    let divided = Divided::arrange(&cx).await?;

    for shards in selectors(&divided) {
        let selector = joined(&shards);
        let page = divided.list(&selector).page().await?;

        expect_shown(&page, &selector, &divided.names(&shards))?;
    }
    Ok(())
}

/// A range includes its start and excludes its end.
fn halves_and_less(divided: &Divided) -> Vec<Vec<Shard>> {
    let some = [divided.none(), divided.between(2, 5), divided.between(0, 1)];
    let middle = Shard::of_uids(END / 4, END / 3 * 2);
    [Shard::parts(2), vec![middle], some.to_vec()].concat().into_iter().map(|shard| vec![shard]).collect()
}

fn one_for_each(divided: &Divided) -> Vec<Vec<Shard>> {
    divided.objects.iter().map(|(hash, _)| vec![Shard::of_uids(*hash, hash + 1)]).collect()
}

fn several_joined(divided: &Divided) -> Vec<Vec<Shard>> {
    let (quarters, apart) = (Shard::parts(4), [(0, 1), (2, 4), (6, 7)]);
    let apart = apart.map(|(first, last)| divided.between(first, last));
    vec![vec![quarters[0], quarters[2]], apart.to_vec(), divided.all_but("h")]
}

async fn collections_shard_partition(cx: Context) -> Checked {
    let divided = Divided::arrange(&cx).await?;

    let borders = [0, divided.objects[1].0, divided.objects[3].0, divided.objects[6].0, END];
    let at_objects = borders.windows(2).map(|ends| Shard::of_uids(ends[0], ends[1])).collect();
    for parts in [Shard::parts(4), at_objects] {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut last = None;
        for part in parts {
            let page = divided.list(part).page().await?;
            page.own_names().iter().for_each(|name| *counts.entry((*name).to_owned()).or_default() += 1);
            last = Some(page);
        }
        let once = counts.len() == NAMES.len() && counts.values().all(|times| *times == 1);
        let Some(page) = last else { continue };
        let expected = format!("each of {} in exactly one of four shards", NAMES.join(", "));
        page.expect(once, expected, format!("{counts:?}"))?;
    }
    Ok(())
}

async fn collections_shard_fields(cx: Context) -> Checked {
    let divided = Divided::arrange(&cx).await?;
    let namespace = hash(cx.namespace().await?);

    let by_uid = [divided.between(1, 4)];
    let page = divided.list(by_uid[0]).page().await?;
    expect_shown(&page, &joined(&by_uid), &divided.names(&by_uid))?;
    let own = Shard::of_namespaces(namespace, namespace + 1);
    let others = Shard::of_namespaces(0, namespace.max(1));
    for (shard, names) in [(own, &NAMES[..]), (others, &[])] {
        let page = divided.list(shard).page().await?;
        expect_shown(&page, &shard.to_string(), names)?;
    }
    let whole = Shard::of_uids(0, END).to_string();
    for path in ["object.metadata.name", "metadata.uid", "object.kind"] {
        let listed = divided.list(whole.replace("object.metadata.uid", path)).await?;
        super::invalid_selectors::expect_refused(&listed, path)?;
    }
    Ok(())
}
