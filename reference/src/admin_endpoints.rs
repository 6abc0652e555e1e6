//! Admin endpoints under /reference: compact, break the store, shut down.
//!
//! | request                                      | effect                                                   |
//! |----------------------------------------------|----------------------------------------------------------|
//! | `POST /reference/compact`                    | the store compacts its history                           |
//! | `POST /reference/store?state=broken\|mended` | the checks of the store fail, or pass again               |
//! | `POST /reference/shutdown?delay=SECONDS`     | `/readyz` fails at once; the server stops after the delay |

use std::time::Duration;

use http::StatusCode;
use serde_json::json;

use crate::api::{ApiResult, Call, json};
use crate::cluster::Cluster;
use crate::failure::Failure;
use crate::health::LONGEST_DELAY;
use crate::non_resource_paths::not_found;

pub(crate) fn perform(call: &Call, action: &str) -> ApiResult {
    if call.method != http::Method::POST {
        return Ok(not_found());
    }
    match action {
        "compact" => call.cluster.store.compact(call.cluster.store.revision()),
        "store" => match call.query.first("state") {
            "broken" => call.cluster.health.break_store(true),
            "mended" => call.cluster.health.break_store(false),
            other => {
                return Err(Failure::bad_request(format!("the store is broken or mended, not {other:?}")));
            }
        },
        "shutdown" => {
            let seconds = call.query.integer("delay")?.unwrap_or(0);
            let delay = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
            begin_shutdown(&call.cluster, delay.min(LONGEST_DELAY));
        }
        _ => return Ok(not_found()),
    }
    Ok(json(StatusCode::OK, &json!({"pulled": action})))
}

/// Fails /readyz at once, and stops the server after the delay.
pub(crate) fn begin_shutdown(cluster: &Cluster, delay: Duration) {
    cluster.health.begin_shutdown();
    let closing = cluster.closing.clone();
    tokio::spawn(async move {
        tokio::time::sleep(delay).await;
        closing.send_replace(true);
    });
}
