//! A failed watch as a timeline: the scenario's writes while it was open, with the event of each, or none.

use model::{Outcome, RecordedRequest, RecordedStep, ScenarioFinished};
use serde_json::Value;

use crate::failure::Message;

/// The maximum number of lines.
const MOST_LINES: usize = 20;

/// An event that arrived.
struct Arrived {
    kind: String,
    name: String,
    version: String,
    matched: bool,
}

/// The timeline; `None` unless the failure is that of a stream with writes.
pub(crate) fn timeline(finished: &ScenarioFinished) -> Option<String> {
    let Outcome::Failed { failure } = &finished.outcome else { return None };
    let mut requests = finished.steps.iter().filter_map(|step| match step {
        RecordedStep::Request(request) => Some(request.as_ref()),
        RecordedStep::Action { .. } => None,
    });
    let stream = requests.find(|request| request.stream && request.exchange == failure.exchange)?;
    let (mut events, cut_off) = arrived(Message::of(&finished.evidence.last()?.response).body);
    let writes: Vec<_> = requests.filter(|request| is_write_to(request, stream)).collect();
    if writes.is_empty() {
        return None;
    }
    let mut lines = vec![format!("opened   {}", stream.target)];
    lines.extend(writes.iter().map(|write| line(write, &mut events, cut_off)));
    let others = events.iter().filter(|event| !event.matched);
    lines.extend(others.map(|event| format!("arrived  {}, of no write above", event.brief())));
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES + 1;
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("… {more} lines more"));
    }
    Some(lines.join("\n"))
}

impl Arrived {
    fn brief(&self) -> String {
        format!("{} {} at {}", self.kind, self.name, self.version)
    }
}

/// The events of a stream, and whether the recording cuts it off.
fn arrived(body: &str) -> (Vec<Arrived>, bool) {
    let mut events = Vec::new();
    for frame in body.lines().filter(|line| !line.trim().is_empty()) {
        let Ok(event) = serde_json::from_str::<Value>(frame) else { return (events, true) };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let metadata = &event["object"]["metadata"];
        events.push(Arrived {
            kind: text(&event["type"]),
            name: text(&metadata["name"]),
            version: text(&metadata["resourceVersion"]),
            matched: false,
        });
    }
    (events, false)
}

/// Whether a request changed an object below the path of a stream.
fn is_write_to(request: &RecordedRequest, stream: &RecordedRequest) -> bool {
    let writes = matches!(request.method.as_str(), "POST" | "PUT" | "PATCH" | "DELETE");
    let succeeded = request.status.is_some_and(|status| (200..300).contains(&status));
    let collection = stream.path().rsplit('/').next().unwrap_or_default();
    writes
        && succeeded
        && !request.target.contains("dryRun=")
        && request.path().split('/').any(|part| part == collection)
}

/// A write, and its event.
fn line(write: &RecordedRequest, events: &mut [Arrived], cut_off: bool) -> String {
    let name = name_of(write);
    let version = write.version.as_deref().unwrap_or_default();
    let deletes = write.method == "DELETE";
    let is_its = |event: &&mut Arrived| {
        !event.matched
            && event.name == name
            && (event.version == version || deletes && event.kind == "DELETED")
    };
    let event = events.iter_mut().find(is_its).map(|event| {
        event.matched = true;
        format!("arrived  {}", event.brief())
    });
    let missing = if cut_off { "not in the recorded part" } else { "no event" };
    let at = if version.is_empty() { String::new() } else { format!(" at {version}") };
    format!("wrote    {} {name}{at}: {}", write.method, event.unwrap_or_else(|| missing.to_owned()))
}

/// The name of the written object: in the body of a create, in the path of any other write.
fn name_of(write: &RecordedRequest) -> String {
    let in_body = write.body.as_deref().filter(|_| write.method == "POST");
    let body: Value = in_body.and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
    let in_path = model::ApiPath::read(write.path()).and_then(|path| path.name);
    body["metadata"]["name"].as_str().or(in_path).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use model::{Failure, Request, ScenarioId, Transcript};
    use serde_json::json;

    use super::*;

    fn step(at: usize, request: &Request, stream: bool, version: &str) -> RecordedStep {
        let recorded = RecordedRequest::of(Some(at), request).unwrap();
        let version = Some(version.to_owned()).filter(|version| !version.is_empty());
        RecordedStep::Request(Box::new(RecordedRequest { stream, status: Some(200), version, ..recorded }))
    }

    fn event(kind: &str, name: &str, version: &str) -> String {
        json!({ "type": kind, "object": { "metadata": { "name": name, "resourceVersion": version } } })
            .to_string()
    }

    #[test]
    fn each_write_has_its_event_or_none() {
        const PATH: &str = "/api/v1/namespaces/n/configmaps";
        let create = |name: &str| Request::post(PATH, &json!({ "metadata": { "name": name } }));
        let response = format!(
            "HTTP/1.1 200 OK\n\n{}\n{}\n{}",
            event("ADDED", "a", "18"),
            event("DELETED", "a", "21"),
            event("BOOKMARK", "", "22")
        );
        let failure = Failure { expected: "ADDED b".into(), actual: "DELETED a".into(), exchange: Some(0) };
        let id = ScenarioId::of_invariant(&"a".into());
        let finished = ScenarioFinished {
            evidence: vec![Transcript {
                curl: String::new(),
                request: String::new(),
                response,
                elapsed_ms: 1,
            }],
            steps: vec![
                step(0, &Request::get(PATH).query("watch", 1), true, ""),
                step(1, &create("a"), false, "18"),
                step(2, &create("b"), false, "19"),
                step(3, &Request::get(PATH), false, ""),
                step(4, &Request::delete(format!("{PATH}/a")), false, ""),
            ],
            ..ScenarioFinished::new(id, Vec::new(), Outcome::Failed { failure })
        };
        insta::assert_snapshot!(timeline(&finished).unwrap(), @r"
        opened   /api/v1/namespaces/n/configmaps?watch=1
        wrote    POST a at 18: arrived  ADDED a at 18
        wrote    POST b at 19: no event
        wrote    DELETE a: arrived  DELETED a at 21
        arrived  BOOKMARK  at 22, of no write above
        ");
    }
}
