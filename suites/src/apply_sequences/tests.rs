//! The model against a small server without cells: correct in all sequences, or with a fault that the model must
//! find.

use std::collections::{BTreeMap, BTreeSet};

use harness::Curl;
use harness::applies::{
    AppliedObject, AppliedType, ApplyDifference, ApplyResponse, ApplyRule, ApplySequence, ApplyStep,
};
use harness::script::{Scene, StepRequest, script};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::generator::sequence;
use crate::prelude::*;

/// A fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    LetsTheLastWin,
    ForcesNothing,
    NamesOneOwner,
    WritesWhatItRefuses,
    KeepsWhatIsDropped,
    RemovesWhatIsShared,
    KeepsTheLosersClaim,
    ForgetsUpdates,
    ClaimsWhatIsUnchanged,
}

/// The texts of a `ConfigMap`, by the paths of `fieldsV1`.
type Texts = BTreeMap<String, Value>;

/// One `ConfigMap`, and the owners of its texts.
struct Server {
    texts: Texts,
    owners: BTreeMap<(String, &'static str), BTreeSet<String>>,
    version: u64,
    flaw: Flaw,
}

const MAPS: [&str; 3] = ["/data", "/metadata/labels", "/metadata/annotations"];

/// The texts of a body; null for those that a patch removes.
fn texts(body: &Value) -> Texts {
    let mut texts = Texts::new();
    for map in MAPS {
        let path = map.replace('/', "/f:");
        for (key, text) in body.pointer(map).and_then(Value::as_object).into_iter().flatten() {
            texts.insert(format!("{}/f:{key}", &path[1..]), text.clone());
        }
    }
    texts
}

/// Writes a leaf below a path into a tree.
fn plant(tree: &mut Value, steps: &str, leaf: Value) {
    let mut place = tree;
    for step in steps.split('/') {
        place = &mut place[step];
    }
    *place = leaf;
}

impl Server {
    fn new(flaw: Flaw) -> Self {
        Self { texts: Texts::new(), owners: BTreeMap::new(), version: 0, flaw }
    }

    fn shown(&self) -> Value {
        let mut shown = json!({ "metadata": { "resourceVersion": self.version.to_string() } });
        for (path, text) in &self.texts {
            plant(&mut shown, &path.replace("f:", ""), text.clone());
        }
        let entries = self.owners.iter().map(|((manager, operation), owned)| {
            let mut fields = json!({});
            for path in owned {
                plant(&mut fields, path, json!({}));
            }
            json!({ "manager": manager, "operation": operation, "fieldsV1": fields })
        });
        shown["metadata"]["managedFields"] = entries.collect();
        shown
    }

    fn write(&mut self, request: &StepRequest) -> ApplyResponse {
        let parameter =
            |name: &str| request.query.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let (manager, force) = (parameter("fieldManager").unwrap().to_owned(), parameter("force").is_some());
        let applied = texts(request.body.as_ref().unwrap());
        let new = self.version == 0;
        let before = self.shown();
        let status = if request.content_type.contains("apply") {
            if let Some(refused) = self.apply(manager, &applied, force) {
                return refused;
            }
            if new { 201 } else { 200 }
        } else {
            self.update(manager, request.body.as_ref().unwrap(), request.method == Method::PATCH);
            if new { 201 } else { 200 }
        };
        if before != self.shown() {
            self.version += 1;
        }
        ApplyResponse { status, json: self.shown() }
    }

    fn apply(&mut self, manager: String, applied: &Texts, force: bool) -> Option<ApplyResponse> {
        let who = (manager, "Apply");
        let changed =
            |path: &String| applied.get(path).is_some_and(|text| self.texts.get(path) != Some(text));
        let others = self.owners.iter().filter(|(owner, _)| **owner != who);
        let in_the_way: Vec<_> = others
            .flat_map(|((manager, _), owned)| {
                owned.iter().filter(|path| changed(path)).map(move |path| (manager, path))
            })
            .map(|(manager, path)| {
                let field = format!(".{}", path.replace("f:", "").replace('/', "."));
                json!({ "message": format!("conflict with {manager:?}"), "field": field })
            })
            .collect();
        let force = (force && self.flaw != Flaw::ForcesNothing) || self.flaw == Flaw::LetsTheLastWin;
        if !in_the_way.is_empty() && !force {
            let most = if self.flaw == Flaw::NamesOneOwner { 1 } else { in_the_way.len() };
            if self.flaw == Flaw::WritesWhatItRefuses {
                self.version += 1;
            }
            return Some(ApplyResponse {
                status: 409,
                json: json!({ "details": { "causes": in_the_way[..most] } }),
            });
        }
        let taken: BTreeSet<String> = applied.keys().filter(|path| changed(path)).cloned().collect();
        if self.flaw != Flaw::KeepsTheLosersClaim {
            self.owners.values_mut().for_each(|owned| owned.retain(|path| !taken.contains(path)));
        }
        let owned = applied.keys().cloned().collect::<BTreeSet<_>>();
        // The manager owns every applied field, also those that it took from others.
        let before = self.owners.insert(who, owned.clone()).unwrap_or_default();
        for path in before.difference(&owned) {
            let shared = self.owners.values().any(|owned| owned.contains(path));
            let kept = if shared {
                self.flaw != Flaw::RemovesWhatIsShared
            } else {
                self.flaw == Flaw::KeepsWhatIsDropped
            };
            if !kept {
                self.texts.remove(path);
            }
        }
        self.texts.extend(applied.clone());
        self.owners.retain(|_, owned| !owned.is_empty());
        None
    }

    fn update(&mut self, manager: String, body: &Value, patch: bool) {
        let (before, applied) = (self.texts.clone(), texts(body));
        if !patch {
            self.texts.clear();
        }
        self.texts.extend(applied.clone());
        self.texts.retain(|_, text| text.is_string());
        let changed = |path: &String| before.get(path) != self.texts.get(path);
        self.owners.values_mut().for_each(|owned| owned.retain(|path| !changed(path)));
        if self.flaw != Flaw::ForgetsUpdates {
            let claimed = |path: &&String| {
                changed(path) || (self.flaw == Flaw::ClaimsWhatIsUnchanged && applied.contains_key(*path))
            };
            let owned: BTreeSet<_> = self.texts.keys().filter(claimed).cloned().collect();
            self.owners.entry((manager, "Update")).or_default().extend(owned);
        }
        self.owners.retain(|_, owned| !owned.is_empty());
    }
}

/// The first difference, and the steps up to it.
fn play(flaw: Flaw, steps: &[ApplyStep]) -> Option<(ApplyDifference, ApplySequence)> {
    let kind = AppliedType::config_map();
    let (mut server, mut course) = (Server::new(flaw), ApplySequence::new(&kind, "o1"));
    for step in steps {
        let request = course.next(step);
        let response = server.write(&request);
        let after = AppliedObject::read(&server.shown(), &kind);
        if let Some(difference) = course.compare(&response, Some(after)).into_iter().next() {
            return Some((difference, course));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_right_server_keeps_the_model(steps in sequence(&AppliedType::config_map())) {
        let found = play(Flaw::None, &steps).map(|(difference, _)| difference.to_string());
        prop_assert_eq!(found, None);
    }
}

/// The shortest sequence that finds a fault, shrunk as in a scenario.
fn shortest(flaw: Flaw) -> (ApplyDifference, ApplySequence) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..200 {
        let mut tree = sequence(&AppliedType::config_map()).new_tree(&mut runner).unwrap();
        let Some(mut found) = play(flaw, &tree.current()) else { continue };
        let mut shows_it = true;
        while if shows_it { tree.simplify() } else { tree.complicate() } {
            let shorter = play(flaw, &tree.current());
            shows_it = shorter.is_some();
            found = shorter.unwrap_or(found);
        }
        return found;
    }
    panic!("{flaw:?} is not found");
}

#[test]
fn each_flaw_is_found_with_few_steps() {
    let flaws = [
        (Flaw::LetsTheLastWin, ApplyRule::Outcomes, 3),
        (Flaw::ForcesNothing, ApplyRule::Outcomes, 3),
        (Flaw::NamesOneOwner, ApplyRule::Conflicts, 4),
        (Flaw::WritesWhatItRefuses, ApplyRule::Refusals, 3),
        (Flaw::KeepsWhatIsDropped, ApplyRule::Values, 3),
        (Flaw::RemovesWhatIsShared, ApplyRule::Values, 4),
        (Flaw::KeepsTheLosersClaim, ApplyRule::Owners, 3),
        (Flaw::ForgetsUpdates, ApplyRule::Owners, 2),
        (Flaw::ClaimsWhatIsUnchanged, ApplyRule::Owners, 2),
    ];
    for (flaw, rule, most) in flaws {
        let (difference, course) = shortest(flaw);
        assert_eq!(difference.rule, rule, "{flaw:?}: {difference}");
        let steps: Vec<_> = course.steps().iter().map(|played| played.step.to_string()).collect();
        // Shrinking may end at a local minimum.
        assert!(steps.len() <= most + 2, "{flaw:?}: {steps:?}");
    }
}

#[test]
fn a_sequence_is_printed_as_commands() {
    let (difference, course) = shortest(Flaw::KeepsTheLosersClaim);
    let scene = Scene {
        curl: Curl { address: "https://h:1".to_owned(), ..Curl::default() },
        collection: "/api/v1/namespaces/assay-x-1-0/configmaps".to_owned(),
        own: "assay-x-1-0".to_owned(),
        needed: Vec::new(),
    };
    let commands = script(&scene, course.steps(), &difference);
    for part in [
        "# 1. creator creates an object with data.anchor 0, ",
        "'?fieldManager=creator' application/json",
        "&force=true' application/apply-patch+yaml",
        "if ! facts \"$G2\" | grep -q -x -F 'owner ",
        "exit $R",
    ] {
        assert!(commands.contains(part), "no {part} in:\n{commands}");
    }
}
