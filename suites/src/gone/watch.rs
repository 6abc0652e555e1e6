//! Watches from an expired `resourceVersion`.
//!
//! Lists and watches expire separately: a watch may still work from a version that has expired for exact lists. But
//! version 1 is older than the run's custom resource, and so older than the history of a server that keeps one per type.

use harness::decimal;

use super::REASONS;
use crate::prelude::*;

rows![
    gone_watch_expired
        .own_kinds()
        .also("watch-expired-410")
        .also("watch-expired-not-silent")
        .also("status-codes-410-gone"),
    gone_watch_expired_stream_ends.own_kinds().also("watch-expired-ends-stream"),
    gone_watch_expired_status_object.own_kinds().also("watch-error-event-status"),
    gone_recovery_by_relist.own_kinds().also("watch-recovery-after-410"),
];

async fn gone_watch_expired(cx: Context) -> Checked {
    let young = Young::arrange(&cx).await?;

    let response = young.watch_from_the_past(&cx).await?;

    match response {
        Outcome::Refused(refused) => refused.expect_error(&[410], REASONS).map(drop),
        Outcome::Error(_, status) if status["code"] == 410 && is_reason(&status["reason"]) => Ok(()),
        Outcome::Error(mut watch, status) => {
            Err(watch.fail("an ERROR event of code 410 and reason Expired or Gone", status.to_string()))
        }
        Outcome::Open(complete) => {
            cx.note("the server still holds the version");
            complete
        }
    }
}

async fn gone_watch_expired_stream_ends(cx: Context) -> Checked {
    let (_, mut watch, _) = an_error(&cx).await?;

    match watch.next().await? {
        Next::End => Ok(()),
        Next::Event(event) => Err(watch.fail("the end of the watch", event.brief())),
        Next::Silence => Err(watch.fail("the end of the watch", "a watch that stays open")),
    }
}

async fn gone_watch_expired_status_object(cx: Context) -> Checked {
    let (_, mut watch, object) = an_error(&cx).await?;

    let status = object["kind"] == "Status" && object["apiVersion"] == "v1";
    let right = status && object["status"] == "Failure" && object["code"] == 410;
    watch.expect_that(right, "a v1 Status with status Failure and code 410", object.to_string())
}

async fn gone_recovery_by_relist(cx: Context) -> Checked {
    let young = Young::arrange(&cx).await?;
    if let Outcome::Open(_) = young.watch_from_the_past(&cx).await? {
        return Err(not_refused());
    }

    let listed = young.collection.now().await?;
    let mut watch = young.collection.watch().at(&listed.version).open().await?;
    young.collection.create("c").await?;

    watch.expect("ADDED", "c").await.map(drop)
}

/// The ERROR event for an expired version. Skips without one: another scenario is about that.
async fn an_error(cx: &Context) -> Result<(Young, Box<Watch>, Value), Halt> {
    let young = Young::arrange(cx).await?;
    match young.watch_from_the_past(cx).await? {
        Outcome::Error(watch, object) => Ok((young, watch, object)),
        Outcome::Refused(_) => Err(Halt::skip("the server rejects the watch with an HTTP error")),
        Outcome::Open(_) => Err(not_refused()),
    }
}

fn not_refused() -> Halt {
    Halt::skip("the server accepts the watch: it may still hold the version")
}

fn is_reason(reason: &Value) -> bool {
    reason.as_str().is_some_and(|reason| REASONS.contains(&reason))
}

/// Attempts to watch from an expired version: any server or proxy may end one watch early, but not each.
const ATTEMPTS: usize = 3;

/// A collection of a recently defined type, with `a` and `b` created after a version.
struct Young {
    collection: Collection,
    before: String,
}

/// The outcome of a watch from an expired version.
enum Outcome {
    /// An HTTP status other than 200.
    Refused(Arc<Exchange>),
    /// A stream that begins with an ERROR event.
    Error(Box<Watch>, Value),
    /// A stream that continues, and whether it delivers all events since the version.
    Open(Checked),
}

impl Young {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let definable = cx.target_info().serves("apiextensions.k8s.io");
        let collection = if definable { cx.custom_resources().await? } else { cx.configmaps().await? };
        let before = collection.now().await?.version;
        collection.create_all(&["a", "b"]).await?;
        Ok(Self { collection, before })
    }

    /// Watches from a version older than the type; if it has not expired, waits until it expires.
    async fn watch_from_the_past(&self, cx: &Context) -> Result<Outcome, Halt> {
        let oldest = if decimal(&self.before).is_some() { "1" } else { &self.before };
        let at_once = self.watch_from(oldest).await?;
        if !matches!(at_once, Outcome::Open(Ok(()))) || cx.may_expire().is_err() {
            return Ok(at_once);
        }
        let deadline = cx.compaction().await?;
        let later = cx.poll(deadline, || async {
            let response = self.watch_from(&self.before).await?;
            Ok((!matches!(response, Outcome::Open(Ok(())))).then_some(response))
        });
        Ok(later.await?.unwrap_or(at_once))
    }

    /// Watches from a version. A watch that ends before its first event is opened again.
    async fn watch_from(&self, version: &str) -> Result<Outcome, Halt> {
        let mut attempts = 1;
        loop {
            let mut watch = match self.collection.watch().at(version).opening().await? {
                Opening::Watch(watch) => watch,
                Opening::Rejected(refused) => return Ok(Outcome::Refused(refused)),
            };
            match watch.next().await? {
                Next::Event(event) if event.kind == "ERROR" => {
                    let object = event.object.json().clone();
                    return Ok(Outcome::Error(watch, object));
                }
                Next::End if attempts < ATTEMPTS => attempts += 1,
                Next::End => {
                    self.find_lasting_watch().await?;
                    let ended =
                        watch.fail("an ERROR event, or ADDED a", "the end of the watch, without an event");
                    return Ok(Outcome::Open(Err(ended)));
                }
                first => return Ok(Outcome::Open(is_complete(&mut watch, first).await)),
            }
        }
    }

    /// Finds that the server, or a proxy before it, does not end each watch before its first event.
    async fn find_lasting_watch(&self) -> Checked {
        let mut watch = self.collection.watch().open().await?;
        match watch.next().await? {
            Next::End => Err(watch.ended("ADDED a")),
            Next::Event(_) | Next::Silence => Ok(()),
        }
    }
}

/// The watch delivers all events since the version.
async fn is_complete(watch: &mut Watch, first: Next) -> Checked {
    match first {
        Next::Event(event) if event.kind == "ADDED" && event.object.name() == "a" => {
            watch.expect("ADDED", "b").await.map(drop)
        }
        Next::Event(event) => Err(watch.fail("an ERROR event, or ADDED a", event.brief())),
        Next::End => Err(watch.ended("ADDED a")),
        Next::Silence => Err(watch.fail("an ERROR event, or ADDED a", "no event")),
    }
}
