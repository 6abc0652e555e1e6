//! A sequence as commands that show the same again.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use http::Method;
use serde_json::Value;

use super::check::{Check, Difference};
use super::facts;
use super::step_request::{NOBODY, StepRequest};
use model::{Curl, quote};

/// What stands in a body for what only a server can say.
const VERSION: &str = "VERSION-OF-STEP";
const UID: &str = "UID-OF-STEP";

/// A merge patch that lets go of an object.
const FREE: &str = r#"{"metadata":{"finalizers":null}}"#;

/// Where a sequence is played.
#[derive(Debug, Clone)]
pub struct Scene {
    /// How curl reaches the server.
    pub curl: Curl,
    /// The path of the collection.
    pub collection: String,
    /// The namespace, or what the names begin with: the script takes another one each time.
    pub own: String,
    /// What must be there first, each with the path of its collection: the namespace, the type.
    pub needed: Vec<(String, Value)>,
}

/// A step as it was played.
#[derive(Debug, Clone)]
pub struct PlayedStep<S> {
    /// What it did.
    pub step: S,
    /// The whole name of its object.
    pub name: String,
    /// Its request.
    pub step_request: StepRequest,
    /// The number of the last step on the same object before it, if there was one.
    pub before: Option<usize>,
}

/// Commands for a shell that play a sequence and look at what the last step did: they end with 1 if it is wrong.
pub fn script<S: Display, R>(scene: &Scene, steps: &[PlayedStep<S>], difference: &Difference<R>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", head(scene));
    for (number, told) in steps.iter().enumerate() {
        let _ = write!(text, "\n# {}. {}\n{}", number + 1, told.step, step(number, told));
    }
    let _ = write!(text, "\n# it must be: {}\n", difference.expected.replace('\n', " "));
    let before = steps.last().and_then(|told| told.before);
    let right = condition(&difference.check, before, steps.len());
    let _ = writeln!(text, "if {right}; then R=0; echo right; else R=1; echo wrong; fi");
    let names: BTreeSet<&str> = steps.iter().map(|told| told.name.as_str()).collect();
    for object in names.into_iter().map(object) {
        let _ =
            writeln!(text, "ask PATCH {object} application/merge-patch+json '{FREE}'; ask DELETE {object}");
    }
    for (path, manifest) in scene.needed.iter().rev() {
        let _ = writeln!(text, "ask DELETE {}", quote(&format!("{path}/{}", name_of(manifest))));
    }
    let _ = write!(text, "exit $R");
    // It always stands between single quotes.
    if scene.own.is_empty() { text } else { text.replace(&scene.own, "'\"$N\"'") }
}

fn name_of(manifest: &Value) -> &str {
    manifest["metadata"]["name"].as_str().unwrap_or_default()
}

/// Functions, and what must be there.
fn head(scene: &Scene) -> String {
    let mut text = "# sh, with the credential in TOKEN\nN=assay-$(date +%s)\n".to_owned();
    let _ = writeln!(text, "S={}\nC={}", quote(&scene.curl.address), quote(&scene.collection));
    let curl = format!("{}{}", scene.curl.program(), scene.curl.credential());
    text.push_str(&FUNCTIONS.replace("@CURL@", &curl));
    text.push_str(facts::FUNCTION);
    for (path, manifest) in &scene.needed {
        let _ = writeln!(text, "ask POST {} application/json {}", quote(path), quote(&manifest.to_string()));
    }
    // A new type is served after a moment.
    text.push_str(
        "n=0; until ask GET \"$C\" && [ \"$X\" = 200 ] || [ $n -ge 100 ]; do n=$((n+1)); sleep 0.2; done\n",
    );
    text
}

/// `ask` leaves the code in X and the response, without blanks, in A; the others take a part of A.
const FUNCTIONS: &str = r#"ask() {
  A=$(@CURL@ -X "$1" "$S$2" -H 'Accept: application/json' ${4:+-H "Content-Type: $3" --data-binary "$4"} -w '\n%{http_code}')
  X=$(printf '%s' "$A" | tail -n 1); A=$(printf '%s' "$A" | sed '$d' | tr -d ' \n')
}
part() { printf '%s' "$A" | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2- | tr -d '"'; }
"#;

/// The commands of a step; they leave what is there after it in the variables of its number.
fn step<S>(number: usize, told: &PlayedStep<S>) -> String {
    let request = &told.step_request;
    let mut path = if request.method == Method::POST { "\"$C\"".to_owned() } else { object(&told.name) };
    for (number, (name, value)) in request.query.iter().enumerate() {
        let _ = write!(path, "'{}{name}={value}'", if number == 0 { '?' } else { '&' });
    }
    let body =
        request.body.as_ref().map(|body| format!(" {} {}", request.content_type, body_text(body, told)));
    let mut text =
        format!("ask {} {path}{}; X{number}=$X A{number}=$A\n", request.method, body.unwrap_or_default());
    let _ = writeln!(text, "ask GET {}; Y{number}=$X G{number}=$A", object(&told.name));
    let parts = [("V", "resourceVersion"), ("U", "uid"), ("N", "generation")];
    let parts = parts.map(|(variable, part)| format!("{variable}{number}=$(part {part})"));
    let _ = writeln!(text, "{}", parts.join(" "));
    text
}

fn object(name: &str) -> String {
    format!("\"$C/\"{}", quote(name))
}

/// A body in which the versions and uids are those that the script has seen.
fn body_text<S>(body: &Value, told: &PlayedStep<S>) -> String {
    let mut body = body.clone();
    let place = if told.step_request.method == Method::DELETE { "preconditions" } else { "metadata" };
    let mut marks = Vec::new();
    if let Some(number) = told.step_request.version_of {
        body[place]["resourceVersion"] = VERSION.into();
        marks.push((VERSION, format!("V{number}")));
    }
    let own = told.step_request.uid.as_deref().is_some_and(|uid| uid != NOBODY);
    if let (Some(number), true) = (told.before, own) {
        body[place]["uid"] = UID.into();
        marks.push((UID, format!("U{number}")));
    }
    let quoted = quote(&body.to_string());
    marks.into_iter().fold(quoted, |text, (mark, variable)| text.replace(mark, &format!("'\"${variable}\"'")))
}

/// What must be so after the last step.
fn condition(check: &Check, before: Option<usize>, steps: usize) -> String {
    let last = steps.saturating_sub(1);
    let as_before = |variable: &str, same: bool| {
        let before = before.map(|number| format!("${variable}{number}")).unwrap_or_default();
        format!("[ \"${variable}{last}\" {} \"{before}\" ]", if same { "=" } else { "!=" })
    };
    match check {
        Check::Status(codes) => {
            let each: Vec<_> = codes.iter().map(|code| format!("[ $X{last} = {code} ]")).collect();
            each.join(" || ")
        }
        Check::There(there) => format!("[ $Y{last} = {} ]", if *there { 200 } else { 404 }),
        Check::Says { response, text, there } => {
            let variable = if *response { "A" } else { "G" };
            let not = not(*there);
            format!("{not}printf '%s' \"${variable}{last}\" | grep -q -F {}", quote(text))
        }
        Check::Version(same) => as_before("V", *same),
        Check::Uid(same) => as_before("U", *same),
        Check::Generation(same) => as_before("N", *same),
        Check::Whole => as_before("G", true),
        Check::Owns { owner, path, owns } => {
            let line = quote(&format!("owner {owner} {path}"));
            format!("{}facts \"$G{last}\" | grep -q -x -F {line}", not(*owns))
        }
        Check::Cause { manager, field, there } => {
            let (field, manager) = (quote(&format!("cause {field} ")), quote(&format!("\"{manager}\"")));
            format!("{}facts \"$A{last}\" | grep -F {field} | grep -q -F {manager}", not(*there))
        }
    }
}

/// Before a pipeline, which must succeed or must not.
fn not(must: bool) -> &'static str {
    if must { "" } else { "! " }
}
