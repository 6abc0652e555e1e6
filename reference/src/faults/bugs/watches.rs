//! Bugs of watches.

use serde_json::{Value, json};

use super::{bug, wire};
use crate::fault::{Bug, Edit::*, Event, When, When::*, store};
use crate::faults::{AT_A_VERSION, FROM_NOW, bookmarks};
use crate::store::StoreFault;
use crate::watch::INITIAL_EVENTS_END;

const VERSION: &str = "resourceVersion";
const AT_FIRST: When = Is(VERSION, "1");
const STREAMING: &[When] = &[Watch, Is("sendInitialEvents", "true")];

#[rustfmt::skip]
pub(super) const BUGS: &[Bug] = &[
    wire("kubernetes-13809", "A watch without a resourceVersion started now, without initial events.",
        "https://github.com/kubernetes/kubernetes/issues/13809",
        &["rv-watch-unset-state-and-most-recent"],
        &[Watch, Lacks(VERSION), Not(&Present("sendInitialEvents"))], FROM_NOW),
    bug(store("kubernetes-58545", "DELETED events had the resourceVersion of the last update, so a resumed watch repeated changes.", StoreFault::DeletesAtLastVersion),
        "https://github.com/kubernetes/kubernetes/issues/58545",
        &["watch-deleted-rv-advanced"]),
    wire("kubernetes-104171", "A watch of events from an expired resourceVersion returned 200 and ended at once.",
        "https://github.com/kubernetes/kubernetes/issues/104171",
        &["watch-expired-not-silent", "gone-watch-expired"],
        &[Watch, Any(&[Plural("events"), Custom]), AT_FIRST], &[Respond(200, "application/json", "")]),
    wire("kubernetes-140890", "An aggregated server accepted sendInitialEvents but never sent the final bookmark.",
        "https://github.com/kubernetes/kubernetes/issues/140890",
        &["streaming-list-annotation", "streaming-list-bookmark-required"],
        STREAMING, &[Events(Event::Line(drop_final_bookmark))]),
    wire("antrea-8123", "The bookmark after the initial events had neither annotation nor resourceVersion.",
        "https://github.com/antrea-io/antrea/issues/8123",
        &["streaming-list-annotation", "streaming-list-bookmark-rv"],
        STREAMING, &[Events(Event::Edit("BOOKMARK", &Set("/metadata", "{}")))]),
    wire("teleport-64188", "A proxy dropped the bookmarks of a watch.",
        "https://github.com/gravitational/teleport/issues/64188",
        &["streaming-list-bookmark-required", "streaming-list-empty-collection"],
        &[Watch], &[Events(Event::Drop("BOOKMARK"))]),
    wire("dcp-33", "A watch from the resourceVersion of a list repeated the listed objects.",
        "https://github.com/microsoft/dcp/issues/33",
        &["watch-no-synthetic-on-exact-rv", "rv-watch-nonzero-start-exact"],
        &[Watch, AT_A_VERSION], &[DropParameter(VERSION)]),
    wire("agents-at-scale-ark-3246", "A watch from a resourceVersion repeated earlier changes as ADDED events.",
        "https://github.com/mckinsey/agents-at-scale-ark/issues/3246",
        &["watch-rv-exclusive", "rv-watch-exact-excludes-n"],
        &[Watch, AT_A_VERSION], &[EditParameter(VERSION, look_back), Events(Event::Retype("MODIFIED", "ADDED"))]),
    wire("kine-64a9e01", "A watch from a compacted resourceVersion started now instead of returning 410.",
        "https://github.com/k3s-io/kine/commit/64a9e01e2f8dacab8e26a351b4761ab3217ceead",
        &["gone-watch-expired", "watch-expired-410"],
        &[Watch, AT_A_VERSION], FROM_NOW),
    wire("kine-c40fead", "A bookmark could have resourceVersion 0.",
        "https://github.com/k3s-io/kine/commit/c40feadb9517fd2fcd3b49d504e8458538698ccd",
        &["bookmarks-rv-not-behind", "bookmarks-rv-usable"],
        &[Watch], &[Events(Event::Edit("BOOKMARK", &Set("/metadata/resourceVersion", "\"0\"")))]),
    wire("kine-b71c7b0", "A bookmark could precede the events that it covered.",
        "https://github.com/k3s-io/kine/commit/b71c7b030413e696ed5075f3fcd60a15c2cc2bfe",
        &["bookmarks-mark-complete", "stream-bookmarkable"],
        &[Watch, Is("allowWatchBookmarks", "true")], &[Events(Event::Recall(bookmarks::bookmarks_first))]),
    wire("kine-040ec69", "A watch that polled for changes skipped the first rows.",
        "https://github.com/k3s-io/kine/commit/040ec698d4764de161e48834f51b8833e56d9e6c",
        &["stream-resumable", "watch-no-lost-events"],
        &[Watch, AT_A_VERSION], &[Events(Event::Skip(1))]),
];

fn drop_final_bookmark(event: Value) -> Option<Value> {
    let ends = event["object"]["metadata"]["annotations"][INITIAL_EVENTS_END] == json!("true");
    (!ends).then_some(event)
}

/// Goes back by as many versions as a scenario writes in a moment, but not below 1.
fn look_back(version: &str) -> Option<String> {
    Some(version.parse::<u64>().ok()?.saturating_sub(20).max(1).to_string())
}
