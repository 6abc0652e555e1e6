//! Comparable `resourceVersions`, since 1.35.

use harness::{decimal, is_decimal};

use crate::prelude::*;

rows![
    rv_comparable_well_formed.namespaced(),
    rv_comparable_increases.namespaced(),
    rv_comparable_range.namespaced(),
    rv_comparable_across_objects.namespaced(),
    rv_comparable_list_not_older_than_items.namespaced(),
];

async fn rv_comparable_well_formed(cx: Context, collection: Collection) -> Checked {
    let versions = all_versions(&collection).await?;
    // Versions in another format are legal, but not comparable.
    if !versions.iter().any(|(_, version, _)| version.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err(Halt::skip("no resourceVersion of this server consists of digits"));
    }

    versions.iter().try_for_each(|(of, version, exchange)| {
        if is_decimal(version) {
            return Ok(());
        }
        let expected = "a decimal without leading zeros, greater than zero";
        Err(cx.failed(expected, format!("{version:?} as the version of {of}"), Some(*exchange)))
    })
}

async fn rv_comparable_range(cx: Context, collection: Collection) -> Checked {
    let versions = all_versions(&collection).await?;

    versions.iter().try_for_each(|(of, version, exchange)| {
        if !is_decimal(version) {
            return Err(not_comparable(version));
        }
        if decimal(version).is_some() {
            return Ok(());
        }
        let actual = format!("{version} as the version of {of}");
        Err(cx.failed(format!("at most {}", u128::MAX), actual, Some(*exchange)))
    })
}

async fn rv_comparable_increases(collection: Collection) -> Checked {
    let mut last = number(collection.create("a").await?.version())?;
    for value in ["second", "third", "fourth"] {
        let written = collection.write("a", value).await?;

        let got = collection.get("a").await?;

        let version = number(got.object()?.version())?;
        got.expect(version > last, format!("a version greater than {last}"), written.version())?;
        last = version;
    }
    Ok(())
}

async fn rv_comparable_across_objects(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    collection.write("a", "second").await?;
    collection.write("a", "third").await?;
    collection.write("b", "second").await?;

    let earlier = number(collection.get("a").object().await?.version())?;
    let got = collection.get("b").await?;

    let later = number(got.object()?.version())?;
    got.expect(later > earlier, format!("a version greater than {earlier}"), later.to_string())
}

async fn rv_comparable_list_not_older_than_items(collection: Collection) -> Checked {
    let first = collection.create("a").await?;
    collection.create_all(&["b", "c"]).await?;
    collection.write("b", "second").await?;

    let at_first = collection.list().at(first.version());
    for list in [collection.list(), collection.list().limit(500), collection.list().at("0"), at_first] {
        let page = list.page().await?;

        let of_list = number(&page.version)?;
        for item in &page.items {
            let expected = format!("a list at {} or later: {} is an item", item.version(), item.name());
            page.expect(number(item.version())? <= of_list, expected, page.version.as_str())?;
        }
    }
    Ok(())
}

/// What has the version, the version, and the index of the exchange.
type ResourceVersion = (&'static str, String, usize);

/// The versions of an object, a list, an item and an event.
async fn all_versions(collection: &Collection) -> Result<Vec<ResourceVersion>, Halt> {
    collection.create("a").await?;
    let watch = collection.watch().open_if_offered().await?;
    let (got, page) = (collection.get("a").await?, collection.now().await?);
    let object = got.object()?;
    let item = page.item("a").map(|item| item.version().to_owned()).unwrap_or_default();
    let mut versions = vec![
        ("an object", object.version().to_owned(), got.index),
        ("a list", page.version.clone(), page.index),
        ("an item", item, page.index),
    ];
    if let Some(mut watch) = watch {
        // Another scenario tests that the event arrives.
        if let Next::Event(event) = watch.next().await? {
            versions.push(("an event's object", event.object.version().to_owned(), watch.index()));
        }
    }
    Ok(versions)
}

/// The version as a number. Skips where it is none, as another scenario tests.
fn number(version: &str) -> Result<u128, Halt> {
    decimal(version).ok_or_else(|| not_comparable(version))
}

fn not_comparable(version: &str) -> Halt {
    Halt::skip(format!("the versions are not comparable numbers: {version:?}"))
}
