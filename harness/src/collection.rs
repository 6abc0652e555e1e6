//! A collection of a scenario's own, and the requests that are made to it.

use std::fmt::{self, Display};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::context::{Context, Opening};
use crate::exchange::Exchange;
use crate::object::{Object, Page};
use crate::outcome::Halt;
use crate::request::Request;
use crate::watch::Watch;

/// A type of resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Empty for the core group.
    pub group: String,
    /// Such as `v1`.
    pub version: String,
    /// The plural, as in paths.
    pub plural: String,
    /// As in objects.
    pub kind: String,
}

impl Resource {
    /// The built-in type that needs no controller and no schema of ours.
    pub fn configmaps() -> Self {
        Self::core("configmaps", "ConfigMap")
    }

    /// A type of the core group.
    pub fn core(plural: &str, kind: &str) -> Self {
        let [version, plural, kind] = ["v1", plural, kind].map(str::to_owned);
        Self { group: String::new(), version, plural, kind }
    }

    /// `apiVersion` as in objects.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// The path of the group and version.
    pub fn root(&self) -> String {
        if self.group.is_empty() {
            format!("/api/{}", self.version)
        } else {
            format!("/apis/{}", self.api_version())
        }
    }
}

/// How a resourceVersion is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// Not said.
    Unset,
    /// `resourceVersionMatch=Exact`.
    Exact,
    /// `resourceVersionMatch=NotOlderThan`.
    NotOlderThan,
}

/// The objects of one type, in one namespace or in all.
#[derive(Debug, Clone)]
pub struct Collection {
    cx: Context,
    resource: Resource,
    namespace: Option<String>,
}

impl Collection {
    pub(crate) fn new(cx: Context, resource: Resource, namespace: Option<String>) -> Self {
        if let Some(namespace) = &namespace {
            cx.shared().fixtures.register_collection(namespace, &path(&resource, Some(namespace)));
        }
        Self { cx, resource, namespace }
    }

    /// Its type.
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// Its path.
    pub fn path(&self) -> String {
        path(&self.resource, self.namespace.as_deref())
    }

    /// The path of one of its objects.
    pub fn path_of(&self, name: &str) -> String {
        format!("{}/{name}", self.path())
    }

    /// The same type in another namespace of the scenario.
    pub fn within(&self, namespace: &str) -> Self {
        Self::new(self.cx.clone(), self.resource.clone(), Some(namespace.to_owned()))
    }

    /// The same type in all namespaces.
    pub fn everywhere(&self) -> Self {
        Self { namespace: None, ..self.clone() }
    }

    /// An object of that name holding one value, as scenarios write it; not yet sent.
    pub fn body(&self, name: &str, value: &str) -> Value {
        let field = self.field();
        json!({
            "apiVersion": self.resource.api_version(),
            "kind": self.resource.kind,
            "metadata": { "name": name },
            field: { "value": value },
        })
    }

    /// Where an object holds its value.
    fn field(&self) -> &'static str {
        if self.resource.group.is_empty() { "data" } else { "spec" }
    }

    /// A merge patch that writes a value.
    pub fn change(&self, value: &str) -> Value {
        let field = self.field();
        json!({ field: { "value": value } })
    }

    /// Creates an object; that it fails is an obstacle.
    pub async fn create(&self, name: &str) -> Result<Object, Halt> {
        self.create_body(&self.body(name, "first")).await
    }

    /// Creates a labelled object.
    pub async fn create_labelled(&self, name: &str, label: &str, value: &str) -> Result<Object, Halt> {
        let mut body = self.body(name, "first");
        body["metadata"]["labels"] = json!({ label: value });
        self.create_body(&body).await
    }

    /// Creates this object.
    pub async fn create_body(&self, body: &Value) -> Result<Object, Halt> {
        let name = body["metadata"]["name"].as_str().unwrap_or_default();
        let created = self.cx.send(Request::post(self.path(), body)).await?;
        self.arranged(&created, 201, &format!("create {}", self.path_of(name)))
    }

    /// Creates several objects, in this order.
    pub async fn create_all(&self, names: &[&str]) -> Result<Vec<Object>, Halt> {
        let mut objects = Vec::with_capacity(names.len());
        for name in names {
            objects.push(self.create(name).await?);
        }
        Ok(objects)
    }

    /// Writes a value into an object; that it fails is an obstacle.
    pub async fn write(&self, name: &str, value: &str) -> Result<Object, Halt> {
        self.patch(name, &self.change(value)).await
    }

    /// Applies a merge patch; that it fails is an obstacle.
    pub async fn patch(&self, name: &str, patch: &Value) -> Result<Object, Halt> {
        let patched = self.cx.send(Request::merge_patch(self.path_of(name), patch)).await?;
        self.arranged(&patched, 200, &format!("patch {}", self.path_of(name)))
    }

    /// Deletes an object; that it fails is an obstacle.
    pub async fn delete(&self, name: &str) -> Result<(), Halt> {
        let deleted = self.cx.send(Request::delete(self.path_of(name))).await?;
        let accepted = if deleted.status() == 202 { 202 } else { 200 };
        self.arranged(&deleted, accepted, &format!("delete {}", self.path_of(name))).map(drop)
    }

    fn arranged(&self, exchange: &Exchange, status: u16, attempted: &str) -> Result<Object, Halt> {
        match exchange.json() {
            Some(json) if exchange.status() == status => Ok(Object::new(json.clone())),
            _ => Err(self.cx.obstacle(attempted, exchange.brief()).into()),
        }
    }

    /// Asks for one object.
    pub fn get(&self, name: &str) -> Query {
        Query { cx: self.cx.clone(), request: Request::get(self.path_of(name)) }
    }

    /// Asks for a list.
    pub fn list(&self) -> Query {
        Query { cx: self.cx.clone(), request: Request::get(self.path()) }
    }

    /// Asks for a watch.
    pub fn watch(&self) -> Query {
        Query { cx: self.cx.clone(), request: Request::get(self.path()).query("watch", 1) }
    }

    /// The list as it is now.
    pub async fn now(&self) -> Result<Page, Halt> {
        self.list().page().await
    }
}

fn path(resource: &Resource, namespace: Option<&str>) -> String {
    let root = resource.root();
    match namespace {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{}", resource.plural),
        None => format!("{root}/{}", resource.plural),
    }
}

/// A get, list or watch being put together; `.await` sends it and gives the exchange.
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

    /// Sends it; `None` if no whole answer comes within a time.
    pub async fn answer_within(self, limit: Duration) -> Result<Option<Arc<Exchange>>, Halt> {
        let request = self.request.within(2 * limit);
        let answer = tokio::time::timeout(limit, self.cx.send(request)).await;
        answer.ok().transpose()
    }

    /// Opens the watch and takes whatever comes.
    pub async fn opening(self) -> Result<Opening, Halt> {
        self.cx.open(self.request).await
    }

    /// Opens the watch and expects HTTP 200.
    pub async fn open(self) -> Result<Watch, Halt> {
        match self.opening().await? {
            Opening::Watch(watch) => Ok(*watch),
            Opening::Refused(exchange) => Err(exchange.fail("a watch, HTTP 200", exchange.brief())),
        }
    }

    /// All pages, with these limits in turn; everything else is asked the same each time.
    ///
    /// No more than `MOST_PAGES`: where the last of them has a token, the server had no end.
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

    /// The page that a token leads to.
    pub async fn next_page(self, token: &str) -> Result<Page, Halt> {
        self.after(token).held_page().await
    }

    /// Sends it and expects a list at a version of the past: a token's, or an exact one.
    ///
    /// Such a version may expire at any time: that it has is an obstacle.
    pub async fn held_page(self) -> Result<Page, Halt> {
        let (cx, path) = (self.cx.clone(), self.request.path.clone());
        let listed = self.await?;
        if listed.expired() {
            return Err(cx.obstacle(format!("list {path} at a version of the past"), listed.brief()).into());
        }
        listed.page()
    }

    /// Sends it at a version that was just handed out. Who lags behind says so with a 504, and is asked again.
    pub async fn caught_up(self) -> Result<Arc<Exchange>, Halt> {
        let asked = self.cx.eventually(|| async {
            let answer = self.clone().await?;
            Ok((answer.status() != 504).then_some(answer))
        });
        match asked.await? {
            Some(answer) => Ok(answer),
            None => self.await,
        }
    }
}

/// More pages than any scenario's own objects fill.
const MOST_PAGES: usize = 40;

impl IntoFuture for Query {
    type Output = Result<Arc<Exchange>, Halt>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.cx.send(self.request).await })
    }
}
