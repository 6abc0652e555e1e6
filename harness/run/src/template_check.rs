//! Checks the template of a subject before the first scenario: creates one object of it and reads it again. The server
//! must keep the value that scenarios write, and let them change it.

use std::fmt;
use std::sync::Arc;

use http::Method;
use model::{Exchange, Request, ResourceUnderTest, TestError, dotted};
use serde_json::Value;

use crate::fixture::RUN_LABEL;
use crate::run_error::RunError;
use crate::session::Session;

/// How often an update is sent again after a conflict.
const CONFLICTS_AT_MOST: usize = 5;

/// The length of the shown part of a value, in characters.
const SHOWN: usize = 80;

/// The values that scenarios write.
const VALUES: [&str; 2] = ["first", "second"];

impl Session {
    /// Creates one object of the template, checks it, and removes it; in `namespace`, if its type has them.
    pub(crate) async fn check_template(
        self: &Arc<Self>,
        subject: &ResourceUnderTest,
        namespace: Option<&str>,
    ) -> Result<(), RunError> {
        let resource = &subject.resource;
        let within = namespace.map(|name| format!("/namespaces/{name}")).unwrap_or_default();
        let collection = format!("{}{within}/{}", resource.root(), resource.plural);
        let name = format!("{}template", self.fixtures.names_of(0));
        let path = format!("{collection}/{name}");
        match namespace {
            Some(namespace) => self.fixtures.register_collection(namespace, &collection),
            None => self.fixtures.register_cluster_scoped(&path),
        }
        let check = Check { session: self, subject, collection, name, path: path.clone() };
        check.check_value().await?;
        check.check_replacement().await?;
        check.check_status().await?;
        check.check_deletion().await
    }
}

/// The hint for objects that live on for a while after their deletion.
const OTHER_TYPE: &str = "give a template of objects that the server deletes at once, or choose another type";

/// One object of a template.
struct Check<'a> {
    session: &'a Arc<Session>,
    subject: &'a ResourceUnderTest,
    collection: String,
    name: String,
    path: String,
}

/// Why a change that the server offers had no effect.
enum Unchanged {
    /// The server refuses it.
    Refused(Exchange),
    /// The server accepts it, but returns another value.
    Ignored(Exchange),
}

impl Check<'_> {
    /// Whether the server keeps the value, and changes it by a verb that it offers.
    async fn check_value(&self) -> Result<(), RunError> {
        let created = self.create().await?;
        self.expect_no_finalizers(&created)?;
        let field = self.subject.value_at();
        self.expect(field, VALUES[0], &created, "POST").await?;
        let mut unchanged = None;
        for method in [Method::PUT, Method::PATCH] {
            let verb = if method == Method::PUT { "update" } else { "patch" };
            if self.subject.lacks(verb) {
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
        let mut body = self.subject.body(&self.name, value);
        body["metadata"]["labels"][RUN_LABEL] = self.session.id.as_str().into();
        body
    }

    async fn create(&self) -> Result<Exchange, RunError> {
        let created = self.send(Request::post(&self.collection, &self.body(VALUES[0]))).await?;
        self.session.fixtures.find_misplaced(&created).await;
        if created.succeeded() {
            return Ok(created);
        }
        let action = format!("create an object of the template at {}", self.collection);
        let why = created.brief();
        Err(match created.status() {
            400 | 415 | 422 => unfit(action, why, "give a template of an object that the server accepts"),
            401 | 403 => TestError::new(action, why).hint("use credentials that may create it").into(),
            404 => {
                let advice = "if it has namespaces, use credentials that may read them at /api/v1";
                TestError::new(action, why).hint(advice).into()
            }
            _ => TestError::new(action, why).into(),
        })
    }

    /// Changes the value and reads it again; `None` if it changed.
    async fn change(&self, method: &Method) -> Result<Option<Unchanged>, RunError> {
        let field = self.subject.value_at();
        let response = match *method {
            Method::PUT => self.update(&self.path, |object| self.subject.write(object, VALUES[1])).await?,
            _ => self.send(Request::merge_patch(&self.path, &self.subject.change(VALUES[1]))).await?,
        };
        if !response.succeeded() {
            return Ok(Some(Unchanged::Refused(response)));
        }
        let read = self.get().await?;
        let changed = read.json().and_then(|json| json.pointer(field)) == Some(&VALUES[1].into());
        Ok((!changed).then_some(Unchanged::Ignored(read)))
    }

    /// Judges the template by a change without effect. The scenarios report all other errors.
    fn judge(&self, field: &str, method: &Method, unchanged: &Unchanged) -> Result<(), RunError> {
        match unchanged {
            Unchanged::Ignored(read) => {
                let action = format!("change {} of {} by {method}", dotted(field), self.path);
                let why = format!(
                    "the server accepts the change, and returns {} (immutable)",
                    AtField(read, field)
                );
                Err(unfit(action, why, self.another(field)))
            }
            Unchanged::Refused(response) if matches!(response.status(), 400 | 422) => {
                let action = format!("change {} of {} by {method}", dotted(field), self.path);
                Err(unfit(action, format!("{} (immutable)", response.brief()), self.another(field)))
            }
            Unchanged::Refused(_) => Ok(()),
        }
    }

    /// Whether the template replaces an object that was made from it: scenarios update with the template alone. A
    /// server that fills in immutable fields refuses that.
    async fn check_replacement(&self) -> Result<(), RunError> {
        if self.subject.lacks("update") {
            return Ok(());
        }
        let replaced = self.update(&self.path, |object| {
            let version = object["metadata"]["resourceVersion"].clone();
            *object = self.body(VALUES[0]);
            object["metadata"]["resourceVersion"] = version;
        });
        let response = replaced.await?;
        if !matches!(response.status(), 400 | 422) {
            return Ok(());
        }
        let hint = "add to the template the fields that the server fills in and requires in a PUT";
        Err(unfit(format!("replace {} by the template", self.path), response.brief(), hint))
    }

    /// Whether the server deletes an object at once: scenarios expect one change. Other errors show at the end.
    async fn check_deletion(&self) -> Result<(), RunError> {
        let before = self.get().await?;
        let (delete, get) = (Request::delete(&self.path), Request::get(&self.path));
        let (Ok(deleted), Ok(left)) = (self.send(delete).await, self.send(get).await) else { return Ok(()) };
        let has_mark = |exchange: &Exchange| exchange.succeeded() && exchange.json().is_some_and(is_marked);
        // A server that returns the mark may still have removed the object by one change.
        let by_two_changes = has_mark(&left) || (has_mark(&deleted) && self.shows_mark_since(&before).await);
        if !by_two_changes {
            return Ok(());
        }
        let why = "the server sets metadata.deletionTimestamp before it removes the object".to_owned();
        Err(unfit(format!("delete {} at once", self.path), why, OTHER_TYPE))
    }

    /// Whether a watch from an earlier state shows the object as modified, with the mark of a deletion.
    async fn shows_mark_since(&self, before: &Exchange) -> bool {
        let Some(version) = before.json().and_then(|json| json["metadata"]["resourceVersion"].as_str())
        else {
            return false;
        };
        let watch = Request::get(&self.collection).query("watch", 1).query("resourceVersion", version);
        let Ok(watched) = self.send(watch.query("timeoutSeconds", 1)).await else { return false };
        let text = watched.text();
        let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut own_events = events.filter(|event| event["object"]["metadata"]["name"] == self.name.as_str());
        own_events.any(|event| event["type"] == "MODIFIED" && is_marked(&event["object"]))
    }

    /// A server does not delete objects with finalizers at once, either.
    fn expect_no_finalizers(&self, created: &Exchange) -> Result<(), RunError> {
        let finalizers = created.json().and_then(|json| json["metadata"]["finalizers"].as_array());
        let names: Vec<&str> = finalizers.into_iter().flatten().filter_map(Value::as_str).collect();
        if names.is_empty() {
            return Ok(());
        }
        let action = format!("create an object without finalizers at {}", self.collection);
        let why = format!("the object has the finalizers {}", names.join(", "));
        Err(unfit(action, why, OTHER_TYPE))
    }

    /// Whether the status subresource keeps the value of the status, and changes it.
    async fn check_status(&self) -> Result<(), RunError> {
        let Some(field) = self.subject.status_at() else { return Ok(()) };
        let path = format!("{}/status", self.path);
        for value in VALUES {
            let Some(patch) = self.subject.status_change(value) else { return Ok(()) };
            let mut response = self.send(Request::merge_patch(&path, &patch)).await?;
            if matches!(response.status(), 404 | 405 | 415) {
                response = self.update(&path, |object| self.subject.write_status(object, value)).await?;
            }
            match response.status() {
                200 => self.expect(field, value, &response, "the write to the status subresource").await?,
                400 | 422 => {
                    let action = format!("write {} at {path}", dotted(field));
                    return Err(unfit(action, response.brief(), self.another(field)));
                }
                // The scenarios test whether a status can be written at all.
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Whether a written object has the value in a later read.
    async fn expect(&self, field: &str, value: &str, written: &Exchange, by: &str) -> Result<(), RunError> {
        let read = self.get().await?;
        let at = |exchange: &Exchange| exchange.json().and_then(|json| json.pointer(field)).cloned();
        let action = format!("read {} of {} again", dotted(field), self.path);
        let why = match (at(&read), at(written)) {
            (Some(found), _) if found == value => return Ok(()),
            (Some(_), _) => format!("the server sets it to {} by itself", AtField(&read, field)),
            (None, Some(found)) if found == value => {
                format!("the response to {by} has it, but GET does not return it (write-only)")
            }
            (None, _) => {
                format!("the server drops {} (unknown to its schema, or write-only)", lost(&read, field))
            }
        };
        Err(unfit(action, why, self.another(field)))
    }

    async fn get(&self) -> Result<Exchange, RunError> {
        let read = self.send(Request::get(&self.path)).await?;
        if read.succeeded() && read.json().is_some_and(Value::is_object) {
            return Ok(read);
        }
        Err(TestError::new(format!("get {}", self.path), read.brief()).into())
    }

    /// Writes the object back with a change, again after a conflict.
    async fn update(&self, path: &str, edit: impl Fn(&mut Value)) -> Result<Exchange, RunError> {
        let mut conflicts = 0;
        loop {
            let mut object = self.get().await?.json().cloned().unwrap_or_default();
            edit(&mut object);
            let response = self.send(Request::put(path, &object)).await?;
            conflicts += 1;
            if response.status() != 409 || conflicts > CONFLICTS_AT_MOST {
                return Ok(response);
            }
        }
    }

    async fn send(&self, request: Request) -> Result<Exchange, RunError> {
        Ok(self.session.arrange(request).await?)
    }

    /// The hint to mark another field.
    fn another(&self, field: &str) -> &'static str {
        if field.starts_with("/status/") {
            return "mark another string field of the status with $VALUE, or none";
        }
        if self.subject.value_in_spec() || field.starts_with("/metadata/labels/") {
            return "mark another field of the template with $VALUE: a string that the server keeps unchanged";
        }
        "mark a field of the template with $VALUE: a string that the server keeps unchanged"
    }
}

fn unfit(action: String, why: String, hint: &str) -> RunError {
    RunError::Template(TestError::new(action, why).hint(hint))
}

/// Whether an object has the mark of a deletion.
fn is_marked(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

/// The outermost missing part of the path to a field.
fn lost(read: &Exchange, field: &str) -> String {
    let ends = field.match_indices('/').map(|(at, _)| at).skip(1).chain([field.len()]);
    let missing = |end: &usize| read.json().is_some_and(|json| json.pointer(&field[..*end]).is_none());
    dotted(&field[..ends.into_iter().find(missing).unwrap_or(field.len())])
}

/// The value of an object at a field.
struct AtField<'a>(&'a Exchange, &'a str);

impl fmt::Display for AtField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.json().and_then(|json| json.pointer(self.1)) {
            Some(value) => {
                let text = value.to_string();
                let shown: String = text.chars().take(SHOWN).collect();
                // The mark tells the redactor that a credential may be cut.
                write!(f, "{shown}{}", if shown.len() < text.len() { "…" } else { "" })
            }
            None => f.write_str("nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Response, Timing};

    #[test]
    fn the_outermost_missing_part_is_named() {
        let body = r#"{"spec":{"a":{}}}"#.to_owned();
        let response = Response { status: 200, body: body.into(), ..Response::default() };
        let read = Exchange::new(0, Request::get("/"), response, Timing::default());
        assert_eq!(lost(&read, "/spec/a/b"), "spec.a.b");
        assert_eq!(lost(&read, "/spec/c/0/d"), "spec.c");
        assert_eq!(lost(&read, "/metadata/annotations/x~1y"), "metadata");
        assert_eq!(AtField(&read, "/spec/a").to_string(), "{}");
    }
}
