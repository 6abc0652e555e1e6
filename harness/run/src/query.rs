//! Builds a get, list or watch request.

use std::fmt::{self, Display};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use model::{Exchange, Halt, Object, Page, Request};

use crate::context::Context;
use crate::context::open::Opening;
use crate::watch::Watch;

/// The value of `resourceVersionMatch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// Without the parameter.
    Unset,
    /// `resourceVersionMatch=Exact`.
    Exact,
    /// `resourceVersionMatch=NotOlderThan`.
    NotOlderThan,
}

/// A get, list or watch request under construction; `.await` sends it and returns the exchange.
#[derive(Clone)]
pub struct Query {
    cx: Context,
    request: Request,
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Query").field(&self.request.path_and_query()).finish()
    }
}

impl Query {
    pub(crate) fn new(cx: Context, request: Request) -> Self {
        Self { cx, request }
    }

    /// Sets `resourceVersion`.
    pub fn at(self, version: &str) -> Self {
        self.param("resourceVersion", version)
    }

    /// Sets `resourceVersionMatch`.
    pub fn matching(self, how: Match) -> Self {
        match how {
            Match::Unset => self,
            Match::Exact => self.param("resourceVersionMatch", "Exact"),
            Match::NotOlderThan => self.param("resourceVersionMatch", "NotOlderThan"),
        }
    }

    /// At exactly this version.
    pub fn exactly(self, version: &str) -> Self {
        self.at(version).matching(Match::Exact)
    }

    /// At this version or a newer one.
    pub fn not_older_than(self, version: &str) -> Self {
        self.at(version).matching(Match::NotOlderThan)
    }

    /// Sets `limit`.
    pub fn limit(self, limit: usize) -> Self {
        self.param("limit", limit)
    }

    /// Sets `continue`.
    pub fn after(self, token: &str) -> Self {
        self.param("continue", token)
    }

    /// Sets `labelSelector`.
    pub fn labels(self, selector: &str) -> Self {
        self.param("labelSelector", selector)
    }

    /// Sets `fieldSelector`.
    pub fn fields(self, selector: &str) -> Self {
        self.param("fieldSelector", selector)
    }

    /// Sets any parameter.
    pub fn param(self, name: &str, value: impl Display) -> Self {
        self.with(|request| request.query(name, value))
    }

    /// Changes the request in any way.
    pub fn with(mut self, change: impl FnOnce(Request) -> Request) -> Self {
        self.request = change(self.request);
        self
    }

    /// Sends it and expects a list.
    pub async fn page(self) -> Result<Page, Halt> {
        self.await?.page()
    }

    /// Sends it and expects an object.
    pub async fn object(self) -> Result<Object, Halt> {
        self.await?.object()
    }

    /// Sends it; `None` if no complete response arrives within a time.
    pub async fn response_within(self, limit: Duration) -> Result<Option<Arc<Exchange>>, Halt> {
        let request = self.request.within(2 * limit);
        let response = target::timeout(limit, self.cx.send(request)).await;
        if response.is_none() {
            Box::pin(self.cx.note_silence()).await;
        }
        response.transpose()
    }

    /// Opens the watch and returns every response.
    pub async fn opening(self) -> Result<Opening, Halt> {
        self.cx.open(self.request).await
    }

    /// Opens the watch and expects HTTP 200.
    pub async fn open(self) -> Result<Watch, Halt> {
        match self.opening().await? {
            Opening::Watch(watch) => Ok(*watch),
            Opening::Rejected(exchange) => Err(exchange.fail("a watch, HTTP 200", exchange.brief())),
        }
    }

    /// Opens the watch as a part of the fixture; a refusal is a test error.
    pub async fn open_as_fixture(self) -> Result<Watch, Halt> {
        let (cx, path) = (self.cx.clone(), self.request.path.clone());
        match self.opening().await? {
            Opening::Watch(watch) => Ok(*watch),
            Opening::Rejected(response) => {
                Err(cx.test_error(format!("watch {path}"), response.brief()).into())
            }
        }
    }

    /// Opens a watch that the scenario can do without: `None`, with a note, if the server does not offer it.
    pub async fn open_if_offered(self) -> Result<Option<Watch>, Halt> {
        let cx = self.cx.clone();
        let why = match self.opening().await {
            Ok(Opening::Watch(watch)) => return Ok(Some(*watch)),
            Ok(Opening::Rejected(response)) => response.brief(),
            Err(Halt::Skipped(why)) => why,
            Err(other) => return Err(other),
        };
        cx.note(format!("not tested with watches: {why}"));
        Ok(None)
    }

    /// All pages, with these limits in turn and all else equal.
    ///
    /// At most `MOST_PAGES`: if the last of them has a token, the list does not end.
    pub async fn pages(self, limits: &[usize]) -> Result<Vec<Page>, Halt> {
        let (first, others) = limits.split_first().unwrap_or((&0, &[]));
        let mut pages = vec![self.clone().limit(*first).page().await?];
        let limits: Vec<_> = others.iter().chain([first]).copied().collect();
        let later = self.pages_after(&pages[0], &limits).await?;
        pages.extend(later);
        Ok(pages)
    }

    /// All pages after one, as with [`Query::pages`].
    pub async fn pages_after(self, first: &Page, limits: &[usize]) -> Result<Vec<Page>, Halt> {
        let mut pages: Vec<Page> = Vec::new();
        for limit in limits.iter().cycle().take(MOST_PAGES - 1) {
            let Some(token) = pages.last().unwrap_or(first).token.clone() else { break };
            pages.push(self.clone().limit(*limit).next_page(&token).await?);
        }
        Ok(pages)
    }

    /// The page of a continue token.
    pub async fn next_page(self, token: &str) -> Result<Page, Halt> {
        self.after(token).page_at_past_version().await
    }

    /// Sends it and expects a list at a past version: that of a token, or an exact one.
    ///
    /// A past version may expire at any time, which is a test error.
    pub async fn page_at_past_version(self) -> Result<Page, Halt> {
        let (cx, path) = (self.cx.clone(), self.request.path.clone());
        let listed = self.await?;
        if listed.expired() {
            return Err(cx.test_error(format!("list {path} at a past version"), listed.brief()).into());
        }
        listed.page()
    }

    /// Sends it at a recent version. A server that lags behind returns 504; then it sends the request again.
    pub async fn retry_on_504(self) -> Result<Arc<Exchange>, Halt> {
        let polled = self.cx.eventually(|| async {
            let response = self.clone().await?;
            Ok((response.status() != 504).then_some(response))
        });
        match polled.await? {
            Some(response) => Ok(response),
            None => self.await,
        }
    }
}

/// More pages than any scenario's own objects fill.
const MOST_PAGES: usize = 40;

impl From<Query> for Request {
    fn from(query: Query) -> Self {
        query.request
    }
}

impl IntoFuture for Query {
    type Output = Result<Arc<Exchange>, Halt>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.cx.send(self.request).await })
    }
}
