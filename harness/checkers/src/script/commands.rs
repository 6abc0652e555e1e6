//! Writes a sequence as shell commands.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use http::Method;
use serde_json::Value;

use super::check::{Check, Difference};
use super::facts;
use super::step_request::{NOBODY, StepRequest};
use model::{Curl, quote};

/// Marks in a body for values that only the server knows.
const VERSION: &str = "VERSION-OF-STEP";
const UID: &str = "UID-OF-STEP";

/// A merge patch that removes all finalizers.
const FREE: &str = r#"{"metadata":{"finalizers":null}}"#;

/// The place of a sequence.
#[derive(Debug, Clone)]
pub struct Scene {
    /// How curl reaches the server.
    pub curl: Curl,
    /// The path of the collection.
    pub collection: String,
    /// The namespace, or the prefix of names: the script replaces it by a new one.
    pub own: String,
    /// The objects that must exist first, each with the path of its collection: the namespace, the type.
    pub needed: Vec<(String, Value)>,
}

/// A step as a scenario played it.
#[derive(Debug, Clone)]
pub struct PlayedStep<S> {
    /// The step.
    pub step: S,
    /// The whole name of its object.
    pub name: String,
    /// Its request.
    pub step_request: StepRequest,
    /// The number of the previous step on the same object, if any.
    pub before: Option<usize>,
}

/// Shell commands that play a sequence and check its last step: exit code 1 if it is wrong.
pub fn script<S: Display, R>(scene: &Scene, steps: &[PlayedStep<S>], difference: &Difference<R>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", head(scene));
    for (number, played) in steps.iter().enumerate() {
        let _ = write!(text, "\n# {}. {}\n{}", number + 1, played.step, step(number, played));
    }
    let _ = write!(text, "\n# expected: {}\n", difference.expected.replace('\n', " "));
    let before = steps.last().and_then(|played| played.before);
    let right = condition(&difference.check, before, steps.len());
    let _ = writeln!(text, "if {right}; then R=0; echo right; else R=1; echo wrong; fi");
    let names: BTreeSet<&str> = steps.iter().map(|played| played.name.as_str()).collect();
    for object in names.into_iter().map(object) {
        let _ =
            writeln!(text, "send PATCH {object} application/merge-patch+json '{FREE}'; send DELETE {object}");
    }
    for (path, manifest) in scene.needed.iter().rev() {
        let _ = writeln!(text, "send DELETE {}", quote(&format!("{path}/{}", name_of(manifest))));
    }
    let _ = write!(text, "exit $R");
    // The name is always between single quotes.
    if scene.own.is_empty() { text } else { text.replace(&scene.own, "'\"$N\"'") }
}

fn name_of(manifest: &Value) -> &str {
    manifest["metadata"]["name"].as_str().unwrap_or_default()
}

/// The functions, and the requests that create the needed objects.
fn head(scene: &Scene) -> String {
    let mut text = "# sh, with the credential in TOKEN\nN=assay-$(date +%s)\n".to_owned();
    let _ = writeln!(text, "S={}\nC={}", quote(&scene.curl.url_of(0)), quote(&scene.collection));
    let curl = format!("{}{}{}", scene.curl.program(), scene.curl.connect_to(0), scene.curl.credential());
    text.push_str(&FUNCTIONS.replace("@CURL@", &curl));
    text.push_str(facts::FUNCTION);
    for (path, manifest) in &scene.needed {
        let _ = writeln!(text, "send POST {} application/json {}", quote(path), quote(&manifest.to_string()));
    }
    // The server serves a new type after a moment.
    text.push_str(
        "n=0; until send GET \"$C\" && [ \"$X\" = 200 ] || [ $n -ge 100 ]; do n=$((n+1)); sleep 0.2; done\n",
    );
    text
}

/// `send` leaves the code in X and the response, without blanks, in A; `part` extracts a field of A.
const FUNCTIONS: &str = r#"send() {
  A=$(@CURL@ -X "$1" "$S$2" -H 'Accept: application/json' ${4:+-H "Content-Type: $3" --data-binary "$4"} -w '\n%{http_code}')
  X=$(printf '%s' "$A" | tail -n 1); A=$(printf '%s' "$A" | sed '$d' | tr -d ' \n')
}
part() { printf '%s' "$A" | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2- | tr -d '"'; }
"#;

/// The commands of a step; the variables of its number keep the state after it.
fn step<S>(number: usize, played: &PlayedStep<S>) -> String {
    let request = &played.step_request;
    let mut path = if request.method == Method::POST { "\"$C\"".to_owned() } else { object(&played.name) };
    for (number, (name, value)) in request.query.iter().enumerate() {
        let _ = write!(path, "'{}{name}={value}'", if number == 0 { '?' } else { '&' });
    }
    let body =
        request.body.as_ref().map(|body| format!(" {} {}", request.content_type, body_text(body, played)));
    let mut text =
        format!("send {} {path}{}; X{number}=$X A{number}=$A\n", request.method, body.unwrap_or_default());
    let _ = writeln!(text, "send GET {}; Y{number}=$X G{number}=$A", object(&played.name));
    let parts = [("V", "resourceVersion"), ("U", "uid"), ("N", "generation")];
    let parts = parts.map(|(variable, part)| format!("{variable}{number}=$(part {part})"));
    let _ = writeln!(text, "{}", parts.join(" "));
    text
}

fn object(name: &str) -> String {
    format!("\"$C/\"{}", quote(name))
}

/// A body with the versions and uids that the script has read.
fn body_text<S>(body: &Value, played: &PlayedStep<S>) -> String {
    let mut body = body.clone();
    let place = if played.step_request.method == Method::DELETE { "preconditions" } else { "metadata" };
    let mut marks = Vec::new();
    if let Some(number) = played.step_request.version_of {
        body[place]["resourceVersion"] = VERSION.into();
        marks.push((VERSION, format!("V{number}")));
    }
    let own = played.step_request.uid.as_deref().is_some_and(|uid| uid != NOBODY);
    if let (Some(number), true) = (played.before, own) {
        body[place]["uid"] = UID.into();
        marks.push((UID, format!("U{number}")));
    }
    let quoted = quote(&body.to_string());
    marks.into_iter().fold(quoted, |text, (mark, variable)| text.replace(mark, &format!("'\"${variable}\"'")))
}

/// The condition after the last step.
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
        Check::Exists(exists) => format!("[ $Y{last} = {} ]", if *exists { 200 } else { 404 }),
        Check::Contains { response, text, present } => {
            let variable = if *response { "A" } else { "G" };
            let not = not(*present);
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
        Check::Cause { manager, field, present } => {
            let (field, manager) = (quote(&format!("cause {field} ")), quote(&format!("\"{manager}\"")));
            format!("{}facts \"$A{last}\" | grep -F {field} | grep -q -F {manager}", not(*present))
        }
    }
}

/// The prefix of a pipeline that must succeed, or must not.
fn not(must: bool) -> &'static str {
    if must { "" } else { "! " }
}
