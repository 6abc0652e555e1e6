//! Whether the template of a subject fits, found out before the first scenario: one object of it is created and read
//! again. The server must keep the value that scenarios write, and let it be changed.

use std::fmt;
use std::sync::Arc;

use http::Method;
use model::{Exchange, Request, ResourceUnderTest, TestError, dotted};
use serde_json::Value;

use crate::fixture::RUN_LABEL;
use crate::run_error::RunError;
use crate::session::Session;

/// How often an update is sent again that was in conflict with another.
const CONFLICTS_AT_MOST: usize = 5;

/// The values that scenarios write.
const VALUES: [&str; 2] = ["first", "second"];

impl Session {
    /// Creates one object of the template, checks it, and removes it; in `namespace`, if its type has them.
    pub(crate) async fn check_template(
        self: &Arc<Self>,
        shape: &ResourceUnderTest,
        namespace: Option<&str>,
    ) -> Result<(), RunError> {
        let resource = &shape.resource;
        let within = namespace.map(|name| format!("/namespaces/{name}")).unwrap_or_default();
        let collection = format!("{}{within}/{}", resource.root(), resource.plural);
        let name = format!("{}template", self.fixtures.names_of(0));
        let path = format!("{collection}/{name}");
        match namespace {
            Some(namespace) => self.fixtures.register_collection(namespace, &collection),
            None => self.fixtures.register_thing(&path),
        }
        let check = Check { session: self, shape, collection, name, path: path.clone() };
        check.value().await?;
        check.replacement().await?;
        check.status().await?;
        check.deletion().await
    }
}

/// What to do about objects that live on for a while when they are deleted.
const OTHER_TYPE: &str = "give a template of objects that the server deletes at once, or choose another type";

/// One object of a template.
struct Check<'a> {
    session: &'a Arc<Session>,
    shape: &'a ResourceUnderTest,
    collection: String,
    name: String,
    path: String,
}

/// How a change that the server offers did not come about.
enum Unchanged {
    /// The server refuses it.
    Refused(Exchange),
    /// The server accepts it, and shows another value.
    Ignored(Exchange),
}

impl Check<'_> {
    /// Whether the value comes back, and can be changed by a verb that the server offers.
    async fn value(&self) -> Result<(), RunError> {
        let created = self.create().await?;
        self.expect_no_finalizers(&created)?;
        let field = self.shape.value_at();
        self.expect(field, VALUES[0], &created, "POST").await?;
        let mut unchanged = None;
        for method in [Method::PUT, Method::PATCH] {
            let verb = if method == Method::PUT { "update" } else { "patch" };
            if self.shape.lacks(verb) {
                continue;
            }
            match self.change(&method).await? {
                None => return Ok(()),
                Some(other) => unchanged = unchanged.or(Some((method, other))),
            }
        }
        unchanged.map_or(Ok(()), |(method, unchanged)| self.judge(field, &method, &unchanged))
    }

    fn body(&self, value: &str) -> Value {
        let mut body = self.shape.body(&self.name, value);
        body["metadata"]["labels"][RUN_LABEL] = self.session.id.as_str().into();
        body
    }

    async fn create(&self) -> Result<Exchange, RunError> {
        let created = self.send(Request::post(&self.collection, &self.body(VALUES[0]))).await?;
        if created.succeeded() {
            return Ok(created);
        }
        let attempted = format!("create an object of the template at {}", self.collection);
        let why = self.said(&created);
        Err(match created.status() {
            400 | 415 | 422 => unfit(attempted, why, "give a template of an object that the server accepts"),
            401 | 403 => TestError::new(attempted, why).hint("use credentials that may create it").into(),
            404 => {
                let advice = "if it has namespaces, use credentials that may read them at /api/v1";
                TestError::new(attempted, why).hint(advice).into()
            }
            _ => TestError::new(attempted, why).into(),
        })
    }

    /// Changes the value and reads it again; `None` if it is changed.
    async fn change(&self, method: &Method) -> Result<Option<Unchanged>, RunError> {
        let field = self.shape.value_at();
        let answered = match *method {
            Method::PUT => self.update(&self.path, |object| self.shape.write(object, VALUES[1])).await?,
            _ => self.send(Request::merge_patch(&self.path, &self.shape.change(VALUES[1]))).await?,
        };
        if !answered.succeeded() {
            return Ok(Some(Unchanged::Refused(answered)));
        }
        let shown = self.get().await?;
        let changed = shown.json().and_then(|json| json.pointer(field)) == Some(&VALUES[1].into());
        Ok((!changed).then_some(Unchanged::Ignored(shown)))
    }

    /// What a change that did not come about says of the template. What else is wrong is for the scenarios to say.
    fn judge(&self, field: &str, method: &Method, unchanged: &Unchanged) -> Result<(), RunError> {
        match unchanged {
            Unchanged::Ignored(shown) => {
                let attempted = format!("change {} of {} by {method}", dotted(field), self.path);
                let why =
                    format!("the server accepts the change, and returns {} (immutable)", Shown(shown, field));
                Err(unfit(attempted, why, self.another(field)))
            }
            Unchanged::Refused(response) if matches!(response.status(), 400 | 422) => {
                let attempted = format!("change {} of {} by {method}", dotted(field), self.path);
                Err(unfit(attempted, format!("{} (immutable)", self.said(response)), self.another(field)))
            }
            Unchanged::Refused(_) => Ok(()),
        }
    }

    /// Whether the template replaces an object that was made of it: scenarios update with what the template says and no
    /// more, which a server refuses that fills in fields which cannot change.
    async fn replacement(&self) -> Result<(), RunError> {
        if self.shape.lacks("update") {
            return Ok(());
        }
        let replaced = self.update(&self.path, |object| {
            let version = object["metadata"]["resourceVersion"].take();
            *object = self.body(VALUES[0]);
            object["metadata"]["resourceVersion"] = version;
        });
        let answered = replaced.await?;
        if !matches!(answered.status(), 400 | 422) {
            return Ok(());
        }
        let hint = "add the fields to the template that the server fills in and does not let a PUT leave out";
        Err(unfit(format!("replace {} by the template", self.path), self.said(&answered), hint))
    }

    /// Whether the server deletes an object at once: scenarios expect a deletion to be one change. What else goes wrong
    /// is seen when the run ends.
    async fn deletion(&self) -> Result<(), RunError> {
        let before = self.get().await?;
        let (delete, get) = (Request::delete(&self.path), Request::get(&self.path));
        let (Ok(deleted), Ok(left)) = (self.send(delete).await, self.send(get).await) else { return Ok(()) };
        let answered = |exchange: &Exchange| exchange.succeeded() && exchange.json().is_some_and(is_marked);
        // Who only answers with the mark may still have removed the object by one change.
        let by_two_changes = answered(&left) || (answered(&deleted) && self.shows_mark_since(&before).await);
        if !by_two_changes {
            return Ok(());
        }
        let why = "the server sets metadata.deletionTimestamp before it removes the object".to_owned();
        Err(unfit(format!("delete {} at once", self.path), why, OTHER_TYPE))
    }

    /// Whether a watch from an earlier state shows the object as modified, and to be removed.
    async fn shows_mark_since(&self, before: &Exchange) -> bool {
        let Some(version) = before.json().and_then(|json| json["metadata"]["resourceVersion"].as_str())
        else {
            return false;
        };
        let watch = Request::get(&self.collection).query("watch", 1).query("resourceVersion", version);
        let Ok(watched) = self.send(watch.query("timeoutSeconds", 1)).await else { return false };
        let text = watched.text();
        let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut of_it = events.filter(|event| event["object"]["metadata"]["name"] == self.name.as_str());
        of_it.any(|event| event["type"] == "MODIFIED" && is_marked(&event["object"]))
    }

    /// Objects with finalizers are not deleted at once, either.
    fn expect_no_finalizers(&self, created: &Exchange) -> Result<(), RunError> {
        let finalizers = created.json().and_then(|json| json["metadata"]["finalizers"].as_array());
        let names: Vec<&str> = finalizers.into_iter().flatten().filter_map(Value::as_str).collect();
        if names.is_empty() {
            return Ok(());
        }
        let attempted = format!("create an object without finalizers at {}", self.collection);
        let why = format!("the object has the finalizers {}", names.join(", "));
        Err(unfit(attempted, why, OTHER_TYPE))
    }

    /// Whether the value of the status comes back through its subresource, and can be changed there.
    async fn status(&self) -> Result<(), RunError> {
        let Some(field) = self.shape.status_at() else { return Ok(()) };
        let path = format!("{}/status", self.path);
        for value in VALUES {
            let Some(patch) = self.shape.status_change(value) else { return Ok(()) };
            let mut answered = self.send(Request::merge_patch(&path, &patch)).await?;
            if matches!(answered.status(), 404 | 405 | 415) {
                answered = self.update(&path, |object| self.shape.write_status(object, value)).await?;
            }
            match answered.status() {
                200 => self.expect(field, value, &answered, "the write to the status subresource").await?,
                400 | 422 => {
                    let attempted = format!("write {} at {path}", dotted(field));
                    return Err(unfit(attempted, self.said(&answered), self.another(field)));
                }
                // Whether a status can be written at all is for the scenarios to say.
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Whether an object that was written holds the value when it is read again.
    async fn expect(&self, field: &str, value: &str, written: &Exchange, by: &str) -> Result<(), RunError> {
        let shown = self.get().await?;
        let at = |exchange: &Exchange| exchange.json().and_then(|json| json.pointer(field)).cloned();
        let attempted = format!("read {} of {} again", dotted(field), self.path);
        let why = match (at(&shown), at(written)) {
            (Some(found), _) if found == value => return Ok(()),
            (Some(_), _) => format!("the server sets it to {} by itself", Shown(&shown, field)),
            (None, Some(found)) if found == value => {
                format!("the answer to {by} has it, and GET does not return it (write-only)")
            }
            (None, _) => {
                format!("the server drops {} (unknown to its schema, or write-only)", lost(&shown, field))
            }
        };
        Err(unfit(attempted, why, self.another(field)))
    }

    async fn get(&self) -> Result<Exchange, RunError> {
        let shown = self.send(Request::get(&self.path)).await?;
        if shown.succeeded() && shown.json().is_some_and(Value::is_object) {
            return Ok(shown);
        }
        Err(TestError::new(format!("get {}", self.path), self.said(&shown)).into())
    }

    /// Writes the object back with a change, again if another came between.
    async fn update(&self, path: &str, edit: impl Fn(&mut Value)) -> Result<Exchange, RunError> {
        let mut conflicts = 0;
        loop {
            let mut object = self.get().await?.json().cloned().unwrap_or_default();
            edit(&mut object);
            let answered = self.send(Request::put(path, &object)).await?;
            conflicts += 1;
            if answered.status() != 409 || conflicts > CONFLICTS_AT_MOST {
                return Ok(answered);
            }
        }
    }

    async fn send(&self, request: Request) -> Result<Exchange, RunError> {
        Ok(self.session.arrange(request).await?)
    }

    fn said(&self, response: &Exchange) -> String {
        self.session.client.redactor().redact(&response.brief())
    }

    /// What to mark instead of a field.
    fn another(&self, field: &str) -> &'static str {
        if field.starts_with("/status/") {
            return "mark another text of the status with $VALUE, or none";
        }
        if self.shape.value_in_spec() || field.starts_with("/metadata/labels/") {
            return "mark another field of the template with $VALUE: a text that the server keeps as it is";
        }
        "mark a field of the template with $VALUE: a text that the server keeps as it is"
    }
}

fn unfit(attempted: String, why: String, hint: &str) -> RunError {
    RunError::Template(TestError::new(attempted, why).hint(hint))
}

/// Whether an object is to be removed.
fn is_marked(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

/// The outermost part of the way to a field that an object lacks.
fn lost(shown: &Exchange, field: &str) -> String {
    let ends = field.match_indices('/').map(|(at, _)| at).skip(1).chain([field.len()]);
    let missing = |end: &usize| shown.json().is_some_and(|json| json.pointer(&field[..*end]).is_none());
    dotted(&field[..ends.into_iter().find(missing).unwrap_or(field.len())])
}

/// What an object holds at a field.
struct Shown<'a>(&'a Exchange, &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.json().and_then(|json| json.pointer(self.1)) {
            Some(value) => write!(f, "{}", value.to_string().chars().take(80).collect::<String>()),
            None => f.write_str("nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Response, Timing};

    #[test]
    fn the_part_that_is_lost_is_named() {
        let body = r#"{"spec":{"a":{}}}"#.to_owned();
        let response = Response { status: 200, body: body.into(), ..Response::default() };
        let shown = Exchange::new(0, Request::get("/"), response, Timing::default());
        assert_eq!(lost(&shown, "/spec/a/b"), "spec.a.b");
        assert_eq!(lost(&shown, "/spec/c/0/d"), "spec.c");
        assert_eq!(lost(&shown, "/metadata/annotations/x~1y"), "metadata");
        assert_eq!(Shown(&shown, "/spec/a").to_string(), "{}");
    }
}
