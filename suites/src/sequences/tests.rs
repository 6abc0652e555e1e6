//! The model against a small server: correct in all sequences, or with a fault that the model must find.

use std::collections::BTreeMap;

use harness::script::{Check, Scene, StepRequest, script};
use harness::writes::{
    ObjectChange, UidChoice, Verb, VersionChoice, WriteDifference, WriteResponse, WriteRule, WriteSequence,
    WriteStep, WrittenObject,
};
use harness::{Curl, ResourceUnderTest};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::generator::sequence;
use crate::prelude::*;

/// A fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    TakesOldVersions,
    RefusesWhatItDid,
    KeepsLabels,
    KeepsVersions,
    BumpsAlways,
    PersistsDryRuns,
    IgnoresFinalizers,
    TakesNewFinalizers,
}

/// Objects, and a counter of versions.
struct Server {
    objects: BTreeMap<String, Value>,
    version: u64,
    uids: u64,
    flaw: Flaw,
}

fn shape() -> ResourceUnderTest {
    ResourceUnderTest::of(Resource::configmaps())
}

fn merge(target: &mut Value, patch: &Value) {
    let Some(fields) = patch.as_object() else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (name, value) in fields {
        if value.is_null() {
            target.as_object_mut().unwrap().shift_remove(name);
        } else {
            merge(&mut target[name], value);
        }
    }
}

/// An object without empty fields in its metadata.
fn tidy(mut object: Value) -> Value {
    let metadata = object["metadata"].as_object_mut().unwrap();
    metadata.retain(|_, value| !value.as_object().is_some_and(serde_json::Map::is_empty));
    metadata.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty) && !value.is_null());
    object
}

impl Server {
    fn new(flaw: Flaw) -> Self {
        Self { objects: BTreeMap::new(), version: 10, uids: 0, flaw }
    }

    /// The code and the object of the response.
    fn write(&mut self, name: &str, request: &StepRequest, dry_run: bool) -> (u16, Option<Value>) {
        let before = (self.objects.clone(), self.version);
        let done = self.carry_out(name, request);
        let persists = self.flaw == Flaw::PersistsDryRuns && request.method == Method::PATCH;
        if done.0 >= 400 || (dry_run && !persists) {
            (self.objects, self.version) = before;
        }
        if self.flaw == Flaw::RefusesWhatItDid && request.method == Method::PUT && done.0 == 200 && !dry_run {
            return (409, None);
        }
        done
    }

    fn carry_out(&mut self, name: &str, request: &StepRequest) -> (u16, Option<Value>) {
        let now = self.objects.get(name).cloned();
        let body = request.body.clone().unwrap_or_default();
        let Some(now) = now else {
            return if request.method == Method::POST { self.create(name, body) } else { (404, None) };
        };
        let named = if request.method == Method::DELETE { &body["preconditions"] } else { &body["metadata"] };
        let differs = |field: &str| named[field].is_string() && named[field] != now["metadata"][field];
        let stale = differs("resourceVersion") && self.flaw != Flaw::TakesOldVersions;
        match request.method {
            Method::POST => (409, None),
            _ if stale || differs("uid") => (409, None),
            Method::DELETE => self.delete(name, now),
            Method::PUT => self.replace(name, &now, body),
            _ if request.content_type.contains("json-patch") => self.json_patch(name, &now, &body),
            _ => {
                let mut patch = body;
                if self.flaw == Flaw::KeepsLabels {
                    patch["metadata"]["labels"] = json!({});
                }
                let mut object = now.clone();
                merge(&mut object, &patch);
                self.replace(name, &now, object)
            }
        }
    }

    fn create(&mut self, name: &str, mut body: Value) -> (u16, Option<Value>) {
        (self.version, self.uids) = (self.version + 1, self.uids + 1);
        body["metadata"]["resourceVersion"] = self.version.to_string().into();
        body["metadata"]["uid"] = format!("uid-{}", self.uids).into();
        self.objects.insert(name.to_owned(), tidy(body.clone()));
        (201, Some(body))
    }

    fn replace(&mut self, name: &str, now: &Value, mut object: Value) -> (u16, Option<Value>) {
        for field in ["resourceVersion", "uid", "deletionTimestamp"] {
            object["metadata"][field] = now["metadata"][field].clone();
        }
        let object = tidy(object);
        let finalizers =
            |object: &Value| object["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
        let deleting = now["metadata"]["deletionTimestamp"].is_string();
        let added = finalizers(&object).iter().any(|one| !finalizers(now).contains(one));
        if deleting && added && self.flaw != Flaw::TakesNewFinalizers {
            return (422, None);
        }
        if deleting && finalizers(&object).is_empty() {
            self.objects.remove(name);
            return (200, Some(object));
        }
        self.store(name, now, object)
    }

    fn store(&mut self, name: &str, now: &Value, mut object: Value) -> (u16, Option<Value>) {
        let changed = object != *now || self.flaw == Flaw::BumpsAlways;
        if changed && self.flaw != Flaw::KeepsVersions {
            self.version += 1;
            object["metadata"]["resourceVersion"] = self.version.to_string().into();
        }
        self.objects.insert(name.to_owned(), object.clone());
        (200, Some(object))
    }

    fn json_patch(&mut self, name: &str, now: &Value, patch: &Value) -> (u16, Option<Value>) {
        let mut object = now.clone();
        for operation in patch.as_array().unwrap() {
            let place = object.pointer_mut(operation["path"].as_str().unwrap()).unwrap();
            match operation["op"].as_str().unwrap() {
                "test" if *place != operation["value"] => return (422, None),
                "test" => {}
                _ => *place = operation["value"].clone(),
            }
        }
        self.replace(name, now, object)
    }

    fn delete(&mut self, name: &str, mut now: Value) -> (u16, Option<Value>) {
        let held = now["metadata"]["finalizers"].is_array() && self.flaw != Flaw::IgnoresFinalizers;
        if !held {
            self.objects.remove(name);
            return (200, None);
        }
        let before = now.clone();
        now["metadata"]["deletionTimestamp"] = "now".into();
        self.store(name, &before, now)
    }
}

/// The first difference, and the steps up to it.
fn play(flaw: Flaw, steps: &[WriteStep]) -> Option<(WriteDifference, WriteSequence)> {
    let (mut server, mut sequence) = (Server::new(flaw), WriteSequence::new(shape()));
    for step in steps {
        let request = sequence.next(step, step.name);
        let (status, object) = server.write(step.name, &request, step.dry_run);
        let read = |json: &Value| WrittenObject::read(json, &shape());
        let after = server.objects.get(step.name).map(read);
        let response = WriteResponse { status, object: object.as_ref().map(read) };
        if let Some(difference) = sequence.compare(&response, after).into_iter().next() {
            return Some((difference, sequence));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_right_server_keeps_the_model(steps in sequence()) {
        let found = play(Flaw::None, &steps).map(|(difference, _)| difference.to_string());
        prop_assert_eq!(found, None);
    }
}

/// The shortest sequence that finds a fault, shrunk as in a scenario.
fn shortest(flaw: Flaw) -> (WriteDifference, Vec<WriteStep>) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..200 {
        let mut tree = sequence().new_tree(&mut runner).unwrap();
        let Some((mut difference, _)) = play(flaw, &tree.current()) else { continue };
        let (mut steps, mut found_it) = (tree.current(), true);
        while if found_it { tree.simplify() } else { tree.complicate() } {
            let found = play(flaw, &tree.current());
            found_it = found.is_some();
            if let Some((shorter, sequence)) = found {
                (difference, steps) =
                    (shorter, sequence.steps().iter().map(|played| played.step.clone()).collect());
            }
        }
        return (difference, steps);
    }
    panic!("{flaw:?} is not found");
}

#[test]
fn each_flaw_is_found_with_few_steps() {
    let flaws = [
        (Flaw::TakesOldVersions, &[WriteRule::Outcomes, WriteRule::Deletions, WriteRule::DryRuns][..], 3),
        (Flaw::RefusesWhatItDid, &[WriteRule::Outcomes, WriteRule::Refusals], 2),
        (Flaw::KeepsLabels, &[WriteRule::Contents, WriteRule::DryRuns], 3),
        (Flaw::KeepsVersions, &[WriteRule::Versions, WriteRule::Deletions], 2),
        (Flaw::BumpsAlways, &[WriteRule::NoOps], 2),
        (Flaw::PersistsDryRuns, &[WriteRule::DryRuns], 2),
        (Flaw::IgnoresFinalizers, &[WriteRule::Deletions], 2),
        (Flaw::TakesNewFinalizers, &[WriteRule::Deletions], 3),
    ];
    for (flaw, rules, most) in flaws {
        let (difference, steps) = shortest(flaw);
        assert!(rules.contains(&difference.rule), "{flaw:?}: {difference:?}");
        let steps: Vec<_> = steps.iter().map(ToString::to_string).collect();
        // Shrinking may end at a local minimum.
        assert!(steps.len() <= most + 2, "{flaw:?}: {steps:?}");
    }
}

#[test]
fn a_sequence_is_printed_as_commands() {
    let change = |value| ObjectChange { value: Some(value), ..ObjectChange::default() };
    let step = |verb| WriteStep { name: "a", verb, dry_run: false };
    let steps = [
        step(Verb::Create(change(0))),
        step(Verb::Merge(change(1), VersionChoice::Omitted, UidChoice::Own)),
        step(Verb::Update(change(2), VersionChoice::Old, UidChoice::Omitted)),
    ];
    let (difference, sequence) = play(Flaw::TakesOldVersions, &steps).unwrap();
    assert_eq!((difference.rule, &difference.check), (WriteRule::Outcomes, &Check::Status(vec![409])));
    let namespace = json!({ "metadata": { "name": "assay-x-1-0" } });
    let scene = Scene {
        curl: Curl { address: "https://h:1".to_owned(), ..Curl::default() },
        collection: "/api/v1/namespaces/assay-x-1-0/configmaps".to_owned(),
        own: "assay-x-1-0".to_owned(),
        needed: vec![("/api/v1/namespaces".to_owned(), namespace)],
    };
    let script = script(&scene, sequence.steps(), &difference);
    for part in [
        "C='/api/v1/namespaces/'\"$N\"'/configmaps'",
        "send POST '/api/v1/namespaces' application/json '{\"metadata\":{\"name\":\"'\"$N\"'\"}}'",
        "# 3. update a with value v2 at an old version",
        "\"uid\":\"'\"$U0\"'\"",
        "\"resourceVersion\":\"'\"$V0\"'\"",
        "if [ $X2 = 409 ]; then",
        "send DELETE '/api/v1/namespaces/'\"$N\"''",
        "exit $R",
    ] {
        assert!(script.contains(part), "no {part} in:\n{script}");
    }
}
