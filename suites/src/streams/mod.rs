//! Area `streams`: what every watch of a run must keep, whatever is asked; and one collection with many changes at
//! once, so that there is something to see.

mod busy;

use harness::stream::Rule;
use harness::{Context, Halt, Suite};

use busy::Busy;

/// The area's scenarios, and its rules for the watches of all others.
pub(crate) fn suite() -> Suite {
    let suite = Suite::new("streams").table(RULES, the_watches_of_a_busy_collection_keep);
    let suite = suite.scenario("stream-bookmarkable", nothing_at_or_below_a_bookmark_follows_it);
    let rules = RULES.iter().copied().chain([("stream-bookmarkable", Rule::Bookmarkable)]);
    rules.fold(suite.on_custom_resources(), |suite, (clause, rule)| suite.of_every_stream(clause, rule))
}

/// The rules that any stream shows something of.
#[rustfmt::skip]
const RULES: &[(&str, Rule)] = &[
    ("stream-ordered",   Rule::Ordered),
    ("stream-unique",    Rule::Unique),
    ("stream-reliable",  Rule::Reliable),
    ("stream-atomic",    Rule::Atomic),
    ("stream-resumable", Rule::Resumable),
    ("stream-filtered",  Rule::Filtered),
    ("stream-typed",     Rule::Typed),
];

async fn the_watches_of_a_busy_collection_keep(cx: Context, rule: Rule) -> Result<(), Halt> {
    let busy = Busy::arrange(&cx).await?;

    busy.watch_and_write().await?;

    cx.expect_of_streams(rule)
}

async fn nothing_at_or_below_a_bookmark_follows_it(cx: Context) -> Result<(), Halt> {
    let busy = Busy::arrange(&cx).await?;

    busy.bookmark_and_write().await?;

    cx.expect_of_streams(Rule::Bookmarkable)
}
