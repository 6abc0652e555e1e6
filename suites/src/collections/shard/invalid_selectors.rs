//! Invalid shard selectors.

use super::Divided;
use crate::prelude::*;
use crate::shard::SELECTOR;

pub(super) fn rows() -> Vec<Row> {
    table(REFUSED, Kinds::Namespaced, refused)
}

/// Invalid selectors, a row per clause.
#[rustfmt::skip]
const REFUSED: &[(&str, &[&str])] = &[
    ("collections-shard-same-field", &[
        "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') || shardRange(object.metadata.namespace, '0x8000000000000000', '0x10000000000000000')",
    ]),
    // kube-apiserver accepts bounds in double quotes.
    ("collections-shard-bounds-syntax", &[
        "shardRange(object.metadata.uid, '0x0000000000000000', '0x8')",
        "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')",
        "shardRange(object.metadata.uid, '0x0000000000000000', '8000000000000000')",
        "shardRange(object.metadata.uid, '0x0000000000000000', '0xA000000000000000')",
        "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000001')",
        "shardRange(object.metadata.uid, 0, 1)",
    ]),
    ("collections-shard-start-before-end", &[
        "shardRange(object.metadata.uid, '0x0000000000000005', '0x0000000000000005')",
        "shardRange(object.metadata.uid, '0xc000000000000000', '0x4000000000000000')",
    ]),
    ("collections-shard-invalid-refused", &[
        "nonsense",
        "true",
        "((",
        "shardRange()",
        "shardRange(object.metadata.uid, '0x0000000000000000')",
        "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') && true",
    ]),
];

async fn refused(cx: Context, selectors: &'static [&'static str]) -> Checked {
    let divided = Divided::arrange(&cx).await?;

    for selector in selectors {
        expect_refused(&*divided.list(selector).await?, selector)?;

        match divided.collection.watch().param(SELECTOR, selector).opening().await? {
            Opening::Rejected(refused) => expect_refused(&refused, selector)?,
            Opening::Watch(mut watch) => match watch.next().await? {
                Next::Event(event) if event.kind == "ERROR" => {}
                _ => return Err(watch.fail(expected(selector), "a watch")),
            },
        }
    }
    Ok(())
}

/// Any error: kube-apiserver returns 500, without a reason.
pub(super) fn expect_refused(response: &Exchange, selector: &str) -> Checked {
    let status = response.json().is_some_and(|json| json["kind"] == "Status");
    response.expect(response.status() >= 400 && status, expected(selector), response.brief())
}

fn expected(selector: &str) -> String {
    format!("a Status of code 400 or more for {selector}")
}
