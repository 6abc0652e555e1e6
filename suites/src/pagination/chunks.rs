//! Lists in chunks: limit, continue and `remainingItemCount`.

use crate::limit_support::{no_token, require_limit, unlimited};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let chunked = table(CHUNKED, Kinds::Namespaced, chunked);
    let unchunked = table(UNCHUNKED, Kinds::Namespaced, unchunked);
    let others = vec![
        row!(pagination_full_set).namespaced().also("pagination-continue-decides-end"),
        row!(pagination_limit_not_a_number).namespaced(),
    ];
    [chunked, unchunked, others].concat()
}

/// A check of the pages of a collection.
type Check = fn(&Paged) -> Checked;

/// Collections read in chunks, a row per clause.
#[rustfmt::skip]
const CHUNKED: &[(&str, (&[usize], Check))] = &[
    //  clause                                     limits             the pages
    ("pagination-params-supported",               (&[3],             Paged::come_one_after_another)),
    ("pagination-at-most-limit",                  (&[2],             Paged::have_at_most_limit_items)),
    ("pagination-continue-when-more",             (&[3],             Paged::have_a_token_while_more_is_to_come)),
    ("pagination-continue-next-chunk",            (&[3],             Paged::begin_where_the_one_before_ended)),
    ("pagination-end-empty-continue",             (&[3],             Paged::come_to_an_end)),
    ("pagination-order-stable",                   (&[2],             Paged::keep_the_order_of_the_whole)),
    ("pagination-limit-may-vary",                 (&[3, 1, 2],       Paged::show_each_item_once)),
    ("pagination-remaining-count",                (&[3],             Paged::count_the_items_after_the_first)),
    ("pagination-remaining-count-continue-page",  (&[2],             Paged::count_the_items_after_each)),
    ("pagination-remaining-count-last",           (&[3],             Paged::count_nothing_on_the_last)),
];

async fn pagination_full_set(cx: Context) -> Checked {
    chunked(cx, (&[2], Paged::show_each_item_once)).await
}

async fn chunked(cx: Context, (limits, check): (&'static [usize], Check)) -> Checked {
    let collection = cx.collection_under_test().await?;
    collection.create_all(&NAMES).await?;

    check(&Paged::read(collection.list(), limits).await?)
}

/// A limit that the collection does not exceed.
#[derive(Debug, Clone, Copy)]
enum Ample {
    Absent,
    Fixed(i64),
    /// The number of objects, and more.
    Above(i64),
}

use Ample::{Above, Absent, Fixed};

/// A check of a list without a second page.
type Complete = fn(&Page) -> Checked;

/// Collections that fit into one chunk, a row per clause.
#[rustfmt::skip]
const UNCHUNKED: &[(&str, (&[Ample], Complete))] = &[
    //  clause                                limits                                             the list
    ("pagination-limit-exact",               (&[Above(0)],                                      is_complete)),
    ("pagination-limit-larger",              (&[Above(1), Fixed(500), Fixed(1 << 31), Fixed(i64::MAX)], is_complete)),
    ("pagination-limit-zero-or-absent",      (&[Absent, Fixed(0)],                              is_complete)),
    ("pagination-remaining-count-unchunked", (&[Absent, Fixed(0), Above(1)],                    counts_no_rest)),
];

async fn unchunked(cx: Context, (limits, check): (&'static [Ample], Complete)) -> Checked {
    let collection = cx.collection_under_test().await?;
    collection.create_all(&NAMES).await?;
    let count = i64::try_from(collection.now().await?.items.len()).unwrap_or(i64::MAX);

    for limit in limits {
        let list = collection.list();
        let page = match limit {
            Absent => list,
            Fixed(limit) => list.param("limit", limit),
            Above(more) => list.param("limit", count + more),
        };
        check(&page.page().await?)?;
    }
    Ok(())
}

fn is_complete(page: &Page) -> Checked {
    let complete = NAMES.into_iter().all(|name| page.item(name).is_some());
    page.expect(complete, format!("the items {}", NAMES.join(", ")), page.names().join(", "))?;
    page.expect(page.token.is_none(), "an empty continue: the list is complete", "a token")
}

pub(super) fn counts_no_rest(page: &Page) -> Checked {
    let count = page.remaining.unwrap_or_default();
    page.expect(page.remaining.is_none(), "no remainingItemCount", count.to_string())
}

async fn pagination_limit_not_a_number(collection: Collection) -> Checked {
    collection.create_all(&NAMES).await?;
    require_limit(&collection).await?;

    for limit in ["abc", "1.5", "1e2", "9223372036854775808"] {
        collection.list().param("limit", limit).await?.expect_rejection(&[400])?;
    }
    Ok(())
}

/// Seven objects: three chunks of three, the last one short.
pub(super) const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// A list, and the same list in chunks.
#[derive(Debug)]
pub(super) struct Paged {
    limits: &'static [usize],
    whole: Page,
    pages: Vec<Page>,
}

impl Paged {
    /// Reads a list whole and in chunks.
    pub(super) async fn read(query: Query, limits: &'static [usize]) -> Result<Self, Halt> {
        let whole = query.clone().page().await?;
        let pages = query.pages(limits).await?;
        Ok(Self { limits, whole, pages })
    }

    fn come_one_after_another(&self) -> Checked {
        self.need_limit()?;
        let (first, count) = (&self.pages[0], self.whole.items.len());
        let token = if first.token.is_some() { "a token" } else { "no token" };
        let actual = format!("{} and {token}", items(first.items.len()));
        let part = !first.items.is_empty() && first.items.len() < count && first.token.is_some();
        first.expect(part, format!("some of {count} items and a token"), actual)?;
        let second = &self.pages[1];
        let others = second.items.iter().any(|item| first.item(item.name()).is_none());
        second.expect(others, "other items than on the first page", second.names().join(", "))
    }

    fn have_at_most_limit_items(&self) -> Checked {
        self.need_limit()?;
        self.pages.iter().zip(self.limits.iter().cycle()).try_for_each(|(page, limit)| {
            let actual = page.items.len();
            page.expect(actual <= *limit, format!("at most {}", items(*limit)), items(actual))
        })
    }

    fn have_a_token_while_more_is_to_come(&self) -> Checked {
        self.need_chunks()?;
        let (read, count) = (self.names().len(), self.whole.items.len());
        let expected = format!("a token after {read} of {count} items");
        self.last().expect(read >= count, expected, "an empty continue")
    }

    fn begin_where_the_one_before_ended(&self) -> Checked {
        self.need_chunks()?;
        let [first, second, ..] = &self.pages[..] else { return Err(no_token()) };
        first.expect_followed_by(second)?;
        self.show_each_item_once()
    }

    fn come_to_an_end(&self) -> Checked {
        self.need_chunks()?;
        let pages = format!("a token on page {}", self.pages.len());
        self.last().expect(self.last().token.is_none(), "a last page with an empty continue", pages)
    }

    fn keep_the_order_of_the_whole(&self) -> Checked {
        self.need_chunks()?;
        let whole = self.whole.names();
        let names = self.names().into_iter();
        let positions = names.filter_map(|name| whole.iter().position(|known| *known == name));
        self.expect(positions.is_sorted(), format!("the order of the whole list: {}", whole.join(", ")))
    }

    pub(super) fn show_each_item_once(&self) -> Checked {
        let (mut whole, mut names) = (self.whole.names(), self.names());
        whole.sort_unstable();
        names.sort_unstable();
        self.expect(names == whole, format!("each of {} once", whole.join(", ")))
    }

    pub(super) fn show_no_item_twice(&self) -> Checked {
        let mut names = self.names();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        self.expect(twice.is_none(), "no item twice".to_owned())
    }

    /// Whether the pages end before the list does.
    pub(super) fn has_more(&self) -> bool {
        self.last().token.is_some()
    }

    /// A check of all pages together.
    fn expect(&self, holds: bool, expected: String) -> Checked {
        let pages: Vec<_> = self.pages.iter().map(|page| format!("[{}]", page.names().join(", "))).collect();
        self.last().expect(holds, expected, format!("the pages {}", pages.join(" ")))
    }

    fn count_the_items_after_the_first(&self) -> Checked {
        self.need_chunks()?;
        self.rest_after(1)
    }

    fn count_the_items_after_each(&self) -> Checked {
        self.need_chunks()?;
        (2..self.pages.len()).try_for_each(|pages| self.rest_after(pages))
    }

    /// The remainingItemCount after this number of pages. Skips where the server omits it.
    fn rest_after(&self, pages: usize) -> Checked {
        let page = &self.pages[pages - 1];
        let Some(actual) = page.remaining else {
            return Err(Halt::skip("this server omits remainingItemCount"));
        };
        let read: usize = self.pages[..pages].iter().map(|page| page.items.len()).sum();
        let rest = self.whole.items.len().saturating_sub(read);
        let expected = format!("remainingItemCount {rest}");
        page.expect(i64::try_from(rest) == Ok(actual), expected, actual.to_string())
    }

    fn count_nothing_on_the_last(&self) -> Checked {
        counts_no_rest(self.last())
    }

    /// Skips where the server ignores the limit: where the first page is the whole list, without a token.
    fn need_limit(&self) -> Checked {
        if self.pages[0].token.is_none() { self.need_chunks() } else { Ok(()) }
    }

    /// Skips where the first page is the whole list.
    fn need_chunks(&self) -> Checked {
        if self.pages[0].items.len() < self.whole.items.len() { Ok(()) } else { Err(unlimited()) }
    }

    fn names(&self) -> Vec<&str> {
        self.pages.iter().flat_map(Page::names).collect()
    }

    fn last(&self) -> &Page {
        &self.pages[self.pages.len() - 1]
    }
}

fn items(count: usize) -> String {
    format!("{count} items")
}
