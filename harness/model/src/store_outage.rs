//! The words of kube-apiserver where its store does not serve it, or it cannot reach itself. They tell nothing about a clause.

use serde_json::Value;

use crate::exchange::Exchange;

/// The advice where the server is out of service.
pub(crate) const OUTAGE: &str = "repeat the run when the server, and any proxy before it, is in service";

/// What etcd says until its operator makes room.
pub const FULL_STORE: &str = "mvcc: database space exceeded";

const MAKE_ROOM: &str = "etcd is full: compact and defragment it, or give it a larger --quota-backend-bytes; then disarm \
    its alarm (etcdctl alarm disarm)";

/// The error of etcd, or of the connection to it.
const STORE_IS_AWAY: [&str; 4] = [
    "etcdserver: ",
    "rpc error: code = Unavailable",
    "rpc error: code = DeadlineExceeded",
    "rpc error: code = Canceled",
];

/// The whole message where the time for a request to the store is over. Messages about webhooks and health checks may
/// contain it.
const TIME_IS_OVER: [&str; 2] = ["context deadline exceeded", "context canceled"];

/// How the error of a request of Go's begins. It is the whole message where kube-apiserver, while it shuts down, cannot reach
/// itself; other messages, such as those about webhooks, contain it.
const OWN_REQUEST: [&str; 5] = ["Get \"http", "Post \"http", "Put \"http", "Patch \"http", "Delete \"http"];

/// What kube-apiserver writes before the message of an unexpected error.
const INTERNAL_ERROR: &str = "Internal error occurred: ";

/// The advice for a response, or for what is said of it, with words about the store; `None` for other texts.
pub fn store_outage(text: &str) -> Option<&'static str> {
    if text.contains(FULL_STORE) {
        return Some(MAKE_ROOM);
    }
    STORE_IS_AWAY.iter().any(|words| text.contains(words)).then_some(OUTAGE)
}

/// The advice for a Status of code 500 about the store, such as in the ERROR event of a watch; `None` for other objects.
pub fn store_outage_of_status(status: &Value) -> Option<&'static str> {
    let message = status["message"].as_str().filter(|_| status["code"] == 500)?;
    let error = message.strip_prefix(INTERNAL_ERROR).unwrap_or(message);
    let is_over = TIME_IS_OVER.contains(&error);
    let is_own_request = OWN_REQUEST.iter().any(|beginning| error.starts_with(beginning));
    if is_over || is_own_request { Some(OUTAGE) } else { store_outage(message) }
}

impl Exchange {
    /// Whether the server refused the request because its store is full.
    pub fn is_refused_by_full_store(&self) -> bool {
        self.status() == 500 && self.text().contains(FULL_STORE)
    }

    /// The advice for a response of code 500 about the store.
    pub(crate) fn store_outage(&self) -> Option<&'static str> {
        store_outage(&self.text()).or_else(|| self.json().and_then(store_outage_of_status))
    }

    /// The advice for a watch that ends with an ERROR event about the store.
    pub(crate) fn store_outage_of_watch(&self) -> Option<&'static str> {
        let is_error = |event: &&Value| event["type"] == "ERROR";
        self.documents().iter().filter(is_error).find_map(|event| store_outage_of_status(&event["object"]))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::expect::tests::response;
    use crate::outcome::Halt;

    fn status(code: u16, message: &str) -> Value {
        json!({ "status": "Failure", "message": message, "reason": "InternalError", "code": code })
    }

    #[test]
    fn a_full_store_has_advice_of_its_own() {
        let full = "etcdserver: mvcc: database space exceeded";
        for (message, advice) in [(full, MAKE_ROOM), ("etcdserver: leader changed", OUTAGE)] {
            let refused = response(500, &status(500, message)).expect_status(&[201]);
            assert!(matches!(refused, Err(Halt::Errored(why)) if why.hint == advice), "{message}");
            let is_full = response(500, &status(500, message)).is_refused_by_full_store();
            assert_eq!(is_full, message == full, "{message}");
        }
    }

    #[test]
    fn a_request_of_the_server_to_its_store_or_itself_tells_nothing() {
        for (code, message, tells) in [
            (500, "context deadline exceeded", false),
            (500, "context canceled", false),
            (500, "Internal error occurred: context deadline exceeded", false),
            (500, "rpc error: code = DeadlineExceeded desc = context deadline exceeded", false),
            (500, "rpc error: code = Canceled desc = context canceled", false),
            (
                500,
                "Internal error occurred: Get \"https://[::1]:6443/api/v1/namespaces/a\": dial tcp [::1]:6443",
                false,
            ),
            (500, "failed calling webhook \"w\": Post \"https://w\": context deadline exceeded", true),
            (500, "no", true),
            (400, "context deadline exceeded", true),
        ] {
            let refused = response(code, &status(code, message));
            assert_eq!(matches!(refused.expect_status(&[200]), Err(Halt::Failed(_))), tells, "{message}");
            let event = json!({ "type": "ERROR", "object": status(code, message) });
            let watched = response(200, &event).fail("an event", "none");
            assert_eq!(matches!(watched, Halt::Failed(_)), tells, "{message}");
        }
    }
}
