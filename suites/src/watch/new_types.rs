//! Watches of a custom resource right after its definition.

use harness::invariant;
use harness::invariant::Breach;

use crate::prelude::*;

/// The scenario, and the rule for all who come too early.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(watch_unready_429).own_kinds(),
        invariant("watch-unready-429", |exchange| is_too_early(exchange).then(|| says_when(exchange))),
    ]
}

/// So often is a new type listed and watched.
const ROUNDS: usize = 8;

/// A rule for all exchanges judges the refusals; here nothing may hang, and in the end there must be a watch.
async fn watch_unready_429(cx: Context) -> Checked {
    const LONGEST: Duration = Duration::from_secs(5);
    let collection = cx.fresh_custom_resources().await?;
    let began = Instant::now();

    for round in 0..ROUNDS {
        let listed = collection.list().answer_within(cx.event_timeout()).await?;
        let Some(listed) = listed else { return Err(hangs(&cx, "list")) };
        let from = Request::get(collection.path()).query("watch", 1);
        let from = from.query("resourceVersion", listed.page()?.version);
        match cx.open_within(from, cx.event_timeout()).await? {
            Some(Opening::Watch(_)) => {}
            Some(Opening::Refused(refused)) => return Err(refused.fail("a watch, or 429", refused.brief())),
            None => return Err(hangs(&cx, "watch")),
        }
        if round > 0 && began.elapsed() > LONGEST {
            break;
        }
    }
    Ok(())
}

fn hangs(cx: &Context, verb: &str) -> Halt {
    cx.failed(format!("a {verb} of a new type, or a refusal with 429"), "no answer", None)
}

/// A list or watch that is refused with 429.
fn is_too_early(exchange: &Exchange) -> bool {
    exchange.status() == 429 && exchange.request.method == "GET" && exchange.request.path.starts_with("/api")
}

/// Retry-After says in how many seconds to come again.
fn says_when(refused: &Exchange) -> Result<(), Breach> {
    let after = refused.header("retry-after").unwrap_or("none");
    if after.parse::<u64>().is_ok() {
        return Ok(());
    }
    Err(Breach {
        expected: "Retry-After in whole seconds".to_owned(),
        actual: format!("Retry-After: {after}"),
    })
}
