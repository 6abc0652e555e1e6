//! WATCH: initial events, then changes, as a stream of JSON lines.

mod event;
mod stream;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::Stream;
use futures::stream::unfold;
use http::header::{CONTENT_TYPE, HeaderValue};
use tokio::time::Instant;

use crate::cluster::Cluster;
use crate::failure::Failure;
use crate::list_options::{ListOptions, parse_version};
use crate::representation::View;
use crate::resource_type::ResourceType;
use crate::websocket::{Form, Protocols};

pub(crate) use event::INITIAL_EVENTS_END;
use stream::Feed;

/// The subprotocols of a watch: any, as it has messages of one form.
pub(crate) const PROTOCOLS: Protocols = &[("", Form::Text)];

/// The longest timeout of a watch, which no clock overflows.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// The start of a watch.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// Sends the state, once the store has reached a version.
    State { at_least: u64 },
    /// Sends the changes after a version.
    After(u64),
    /// Sends later changes only.
    Now,
}

/// The objects and the representation of a watch.
struct Subject {
    ty: Arc<ResourceType>,
    prefix: String,
    options: ListOptions,
    view: View,
}

/// Opens a watch on a namespace, or on all namespaces if it is empty.
pub(crate) fn watch(
    cluster: Arc<Cluster>,
    ty: Arc<ResourceType>,
    namespace: &str,
    options: ListOptions,
    view: View,
) -> Result<Response, Failure> {
    let start = start(&options)?;
    let prefix = ty.prefix(namespace);
    let feed = Feed::new(cluster, Subject { ty, prefix, options, view }, start);
    let mut response = Response::new(Body::from_stream(lines(feed)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

fn start(options: &ListOptions) -> Result<Start, Failure> {
    let version = match options.version.as_str() {
        "" => 0,
        text => parse_version(text).map_err(Failure::untranslated)?,
    };
    Ok(match (options.initial_events, version) {
        (Some(true), at_least) => Start::State { at_least },
        (_, 0) => Start::Now,
        (_, after) => Start::After(after),
    })
}

/// The end of a watch by timeout. As in kube-apiserver, the nanoseconds overflow, and a negative timeout is over at once.
fn deadline(options: &ListOptions) -> Instant {
    let nanoseconds = options.timeout.wrapping_mul(1_000_000_000);
    let timeout = if nanoseconds == 0 {
        // Without a timeout, kube-apiserver picks one at random, so that watches do not end together.
        Duration::from_secs(fastrand::u64(1800..3600))
    } else {
        Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(0))
    };
    Instant::now() + timeout.min(LONGEST)
}

fn lines(feed: Feed) -> impl Stream<Item = Result<Bytes, Infallible>> {
    unfold(feed, async |mut feed| Some((Ok(feed.next().await?), feed)))
}
