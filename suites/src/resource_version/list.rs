//! What a resourceVersion means on list.

use harness::{Context, Halt, Match, Suite};

/// Adds the scenarios of this file.
pub(crate) fn add(suite: Suite) -> Suite {
    suite.table(LIST, list)
}

/// What a cell of the table promises.
#[derive(Debug, Clone, Copy)]
enum Promise {
    MostRecent,
    Any,
    NotOlder,
    Exact,
    Invalid,
}

/// The version a cell is asked with.
#[derive(Debug, Clone, Copy)]
enum Version {
    Unset,
    Zero,
    Given,
}

use Promise::{Any, Exact, Invalid, MostRecent, NotOlder};

type Cell = (Match, Option<usize>, Version, Promise);

/// The table "resourceVersion for list", a row per cell.
#[rustfmt::skip]
const LIST: &[(&str, Cell)] = &[
    //  clause                                 match                limit      version         the list is
    ("rv-list-nomatch-nolimit-unset",         (Match::Unset,        None,      Version::Unset, MostRecent)),
    ("rv-list-nomatch-nolimit-zero",          (Match::Unset,        None,      Version::Zero,  Any)),
    ("rv-list-nomatch-nolimit-nonzero",       (Match::Unset,        None,      Version::Given, NotOlder)),
    ("rv-list-nomatch-limit-unset",           (Match::Unset,        Some(500), Version::Unset, MostRecent)),
    ("rv-list-nomatch-limit-zero",            (Match::Unset,        Some(2),   Version::Zero,  Any)),
    ("rv-list-nomatch-limit-nonzero",         (Match::Unset,        Some(500), Version::Given, Exact)),
    ("rv-list-exact-nolimit-unset-invalid",   (Match::Exact,        None,      Version::Unset, Invalid)),
    ("rv-list-exact-nolimit-zero-invalid",    (Match::Exact,        None,      Version::Zero,  Invalid)),
    ("rv-list-exact-nolimit-nonzero",         (Match::Exact,        None,      Version::Given, Exact)),
];

/// Changes a collection of which a list is known, and asks for it in one of the ways of the table.
async fn list(cx: Context, (matching, limit, version, promise): Cell) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b", "c", "d"]).await?;
    let before = things.now().await?;
    things.write("b", "second").await?;
    things.delete("c").await?;
    let last = things.create("e").await?;
    let after = ["a", "b", "d", "e"];

    let mut query = things.list().matching(matching);
    query = match (version, promise) {
        (Version::Unset, _) => query,
        (Version::Zero, _) => query.at("0"),
        (Version::Given, NotOlder) => query.at(last.version()),
        (Version::Given, _) => query.at(&before.version),
    };
    if let Some(limit) = limit {
        query = query.limit(limit);
    }
    let listed = query.await?;

    match promise {
        Invalid => listed.expect_refusal(&[400, 422]).map(drop),
        MostRecent | NotOlder => listed.page()?.expect_names(&after),
        Exact => {
            let page = listed.page()?;
            page.expect_version(&before.version)?;
            page.expect_items(&before.items)
        }
        Any => {
            let page = listed.page()?;
            page.expect(
                !["", "0"].contains(&page.version.as_str()),
                "a list at a real version",
                format!("{:?}", page.version),
            )
        }
    }
}
