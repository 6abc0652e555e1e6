//! Lists of large objects.

use super::gzip::{accepting, coding, compressed, expect_same, is_compressed, unpacked};
use super::large::Large;
use crate::prelude::*;
use crate::serialization::encodings::{MAGIC, PROTOBUF, is_of_type};

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(compression_on_by_default).namespaced(),
        row!(compression_gzip_among_others).namespaced(),
        row!(compression_not_without_request).namespaced(),
        row!(compression_not_when_forbidden).namespaced(),
        row!(compression_streamed_encoding_threshold).namespaced(),
    ];
    table(LISTS, Kinds::Namespaced, compressed_and_plain).into_iter().chain(own).collect()
}

/// A check of a compressed list, and of the same list in plain form.
type Check = fn(&Exchange, &Exchange) -> Checked;

#[rustfmt::skip]
const LISTS: &[(&str, Check)] = &[
    ("compression-list-gzip",              expect_same),
    ("compression-smaller",                is_smaller),
    ("compression-content-type-unchanged", has_same_type),
    ("compression-vary",                   varies),
];

async fn compressed_and_plain(cx: Context, check: Check) -> Checked {
    let large = Large::arrange(&cx).await?;
    let list = large.collection.list();
    let exact = list.clone().exactly(&list.clone().page().await?.version);
    let (query, plain) = match exact.clone().await? {
        plain if plain.succeeded() => (exact, plain),
        _ => (list.clone(), list.await?),
    };
    let compressed = large.offered(query).await?;

    check(&compressed, &plain)
}

fn is_smaller(compressed: &Exchange, plain: &Exchange) -> Checked {
    let length = |response: &Exchange| response.response.body.len();
    let smaller = length(compressed) < length(plain) / 4 * 3;
    let expected = format!("less than three quarters of {} bytes", length(plain));
    compressed.expect(smaller, expected, format!("{} bytes", length(compressed)))
}

fn has_same_type(compressed: &Exchange, plain: &Exchange) -> Checked {
    let media_type = plain.header("content-type").unwrap_or_default();
    let actual = compressed.header("content-type").unwrap_or("none");
    compressed.expect(actual == media_type, format!("Content-Type {media_type}"), actual)
}

fn varies(compressed: &Exchange, _: &Exchange) -> Checked {
    let vary = compressed.response.headers.iter().filter(|(name, _)| name == "vary");
    let named: Vec<_> =
        vary.flat_map(|(_, names)| names.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect();
    let right = named.iter().any(|name| name == "accept-encoding" || name == "*");
    compressed.expect(right, "Vary: Accept-Encoding", format!("Vary: {}", named.join(", ")))
}

async fn compression_on_by_default(Large { collection, .. }: Large) -> Checked {
    let listed = compressed(collection.list()).await?;

    listed.expect_status(&[200])?;
    listed.expect(
        is_compressed(&listed),
        "Content-Encoding: gzip",
        format!("{} plain bytes", listed.response.body.len()),
    )
}

/// Two of the codings are unknown to every server: it cannot choose them.
async fn compression_gzip_among_others(large: Large) -> Checked {
    large.offered(large.collection.list()).await?;

    let listed = large.collection.list().with(|request| accepting(request, "x-first, gzip, x-last")).await?;

    listed.expect_status(&[200])?;
    listed.expect(
        is_compressed(&listed),
        "Content-Encoding: gzip",
        format!("Content-Encoding: {:?}", coding(&listed)),
    )
}

async fn compression_not_without_request(Large { collection, .. }: Large) -> Checked {
    expect_plain(&collection, None).await?;
    expect_plain(&collection, Some("identity")).await
}

async fn compression_not_when_forbidden(Large { collection, .. }: Large) -> Checked {
    expect_plain(&collection, Some("gzip;q=0")).await
}

/// A list with this Accept-Encoding, or without one, is not compressed.
async fn expect_plain(collection: &Collection, accepted: Option<&str>) -> Checked {
    let list = collection.list();
    let listed = match accepted {
        Some(accepted) => list.with(|request| accepting(request, accepted)).await?,
        None => list.await?,
    };
    listed.expect_status(&[200])?;
    let actual = format!("Content-Encoding: {}", coding(&listed));
    listed.expect(coding(&listed).is_empty(), "no Content-Encoding", actual)?;
    listed.page()?;
    Ok(())
}

async fn compression_streamed_encoding_threshold(large: Large) -> Checked {
    large.offered(large.collection.get(NAME)).await?;

    for media_type in ["application/json", PROTOBUF] {
        let listed = compressed(large.collection.list()).with(|request| request.accept(media_type)).await?;
        if listed.status() == 406 {
            continue;
        }
        listed.expect_status(&[200])?;
        let actual = format!("{} plain bytes of {media_type}", listed.response.body.len());
        listed.expect(
            is_compressed(&listed),
            "Content-Encoding: gzip, as in the response to a get",
            actual,
        )?;
        if is_of_type(&listed, PROTOBUF) {
            let bytes = unpacked(&listed, 4 << 20)?;
            listed.expect(bytes.starts_with(MAGIC), "a body with the prefix 6b 38 73 00", "another")?;
        }
    }
    Ok(())
}
