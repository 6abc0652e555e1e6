//! Property tests of server-side apply on generated objects.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::apply::path::Element;

/// A schema with a field of each type.
fn schema() -> Value {
    let text = json!({"type": "string"});
    let rule =
        json!({"type": "object", "properties": {"name": text, "value": {"type": "integer"}, "note": text}});
    json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "mode": text,
        "size": {"type": "integer"},
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": text},
        "rules": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": rule,
        },
        "args": {"type": "array", "items": text},
        "settings": {"type": "object", "additionalProperties": text},
        "fixed": {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": text},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }}}})
}

/// A type with one version and no reset fields.
struct OneVersion(Type);

impl Types for OneVersion {
    fn version(&self) -> &'static str {
        "v1"
    }

    fn at(&self, version: &str) -> Result<Option<Type>, String> {
        Ok((version == "v1").then(|| self.0.clone()))
    }

    fn reset(&self, _: &str) -> Option<&FieldSet> {
        None
    }
}

fn types() -> OneVersion {
    OneVersion(structural_type(&schema()))
}

type Names = Owners<&'static str>;

/// Forces or tries an apply: the new value and owners, or `None` on a conflict.
fn applied(
    live: &Value,
    owners: &Names,
    manager: &'static str,
    config: &Value,
    force: bool,
) -> Option<(Value, Names)> {
    match apply(&types(), live, &Config { value: config, force }, owners, &manager) {
        Ok((new, owners)) => Some((new.unwrap_or_else(|| live.clone()), owners)),
        Err(Problem::Conflicts(_)) => None,
        Err(Problem::Other(detail)) => panic!("{detail}"),
    }
}

fn updated(live: &Value, owners: &Names, manager: &'static str, new: &Value) -> (Value, Names) {
    (new.clone(), update(&types(), live, new, owners, &manager).unwrap())
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn name() -> impl Strategy<Value = String> {
    proptest::sample::select(&NAMES[..]).prop_map(str::to_owned)
}

fn texts() -> impl Strategy<Value = Value> {
    btree_map(name(), name(), 1..3)
        .prop_map(|map| Value::Object(map.into_iter().map(|(k, v)| (k, v.into())).collect()))
}

fn list() -> impl Strategy<Value = Value> {
    vec(name(), 1..3).prop_map(Value::from)
}

fn rules() -> impl Strategy<Value = Value> {
    let rule = (proptest::option::of(0..3), proptest::option::of(name()));
    btree_map(name(), rule, 1..3).prop_map(|rules| {
        let rule = |(name, (value, note)): (String, (Option<i32>, Option<String>))| {
            let mut rule = json!({"name": name});
            if let Some(value) = value {
                rule["value"] = value.into();
            }
            if let Some(note) = note {
                rule["note"] = note.into();
            }
            rule
        };
        Value::Array(rules.into_iter().map(rule).collect())
    })
}

fn field() -> impl Strategy<Value = (String, Value)> {
    let tags =
        btree_set(name(), 1..3).prop_map(|tags| Value::Array(tags.into_iter().map(Value::from).collect()));
    prop_oneof![
        name().prop_map(|mode| ("mode".to_owned(), mode.into())),
        (0..3).prop_map(|size: i32| ("size".to_owned(), size.into())),
        tags.prop_map(|tags| ("tags".to_owned(), tags)),
        rules().prop_map(|rules| ("rules".to_owned(), rules)),
        list().prop_map(|args| ("args".to_owned(), args)),
        texts().prop_map(|settings| ("settings".to_owned(), settings)),
        texts().prop_map(|fixed| ("fixed".to_owned(), fixed)),
        texts().prop_map(|free| ("free".to_owned(), json!({"deep": free}))),
    ]
}

fn empty_object() -> Value {
    json!({})
}

/// An object, or an applied configuration.
fn object() -> impl Strategy<Value = Value> {
    vec(field(), 0..6).prop_map(|fields| {
        if fields.is_empty() {
            return json!({});
        }
        json!({"spec": Value::Object(fields.into_iter().collect::<Map<_, _>>())})
    })
}

fn step() -> impl Strategy<Value = Element> {
    name().prop_map(|name| Element::field(&name))
}

fn set() -> impl Strategy<Value = FieldSet> {
    vec(vec(step(), 1..4).prop_map(Path), 0..8).prop_map(|paths| FieldSet::of(&paths))
}

/// The writes of three managers.
fn history() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    vec((proptest::sample::select(&["m1", "m2", "u1"][..]), object()), 0..5)
}

fn replay(history: &[(&'static str, Value)]) -> (Value, Names) {
    let start = (json!({}), BTreeMap::new());
    history.iter().fold(start, |(live, owners), (manager, value)| match *manager {
        "u1" => updated(&live, &owners, manager, value),
        manager => applied(&live, &owners, manager, value, true).unwrap(),
    })
}

fn owned(owners: &Names, manager: &str) -> FieldSet {
    owners.get(manager).map(|owned| owned.fields.clone()).unwrap_or_default()
}

/// Whether a value contains a null that a removal left: further checks do not apply to it.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        _ => false,
    }
}

proptest! {
    #[test]
    fn sets_obey_the_laws_of_sets(a in set(), b in set(), c in set()) {
        prop_assert_eq!(a.union(&b), b.union(&a));
        prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
        prop_assert_eq!(a.union(&a), a.clone());
        prop_assert_eq!(a.intersection(&b), b.intersection(&a));
        prop_assert_eq!(a.intersection(&b.union(&c)), a.intersection(&b).union(&a.intersection(&c)));
        prop_assert_eq!(a.difference(&b).union(&a.intersection(&b)), a.clone());
        prop_assert!(a.difference(&b).intersection(&b).is_empty());
        prop_assert!(a.difference(&a).is_empty());
        prop_assert_eq!(FieldSet::of(&a.paths()), a.clone());
    }

    #[test]
    fn a_recursive_difference_removes_nested_fields(a in set(), b in set()) {
        let remaining = a.recursive_difference(&b);
        prop_assert_eq!(remaining.difference(&a.difference(&b)), FieldSet::default());
        for path in a.paths() {
            let removed = (1..=path.0.len()).any(|length| b.has(&Path(path.0[..length].to_vec())));
            prop_assert_eq!(remaining.has(&path), !removed, "{}", path);
        }
    }

    #[test]
    fn a_written_set_parses_to_the_same_set(a in set()) {
        prop_assert_eq!(FieldSet::from_fields_v1(&a.to_fields_v1()), Some(a));
    }

    #[test]
    fn a_comparison_is_symmetric(a in object(), b in object()) {
        let ty = structural_type(&schema());
        let (forward, backward) = (compare(&ty, &a, &b), compare(&ty, &b, &a));
        prop_assert_eq!(&forward.removed, &backward.added);
        prop_assert_eq!(&forward.added, &backward.removed);
        prop_assert_eq!(&forward.modified, &backward.modified);
        let nothing = forward.removed.is_empty() && forward.written().is_empty();
        let ordered = |value: &Value| value["spec"]["rules"].is_null() && value["spec"]["tags"].is_null();
        prop_assert!(!same(&a, &b) || nothing);
        prop_assert!(!nothing || same(&a, &b) || !ordered(&a));
    }

    #[test]
    fn a_merge_keeps_live_fields_and_adds_applied_ones(live in object(), config in object()) {
        let ty = structural_type(&schema());
        let merged = merge::merge(&ty, &live, &config);
        let fields = |value: &Value| fields_of(&ty, value);
        prop_assert_eq!(fields(&merged), fields(&live).union(&fields(&config)));
        prop_assert!(same(&merge::merge(&ty, &merged, &config), &merged));
        let changed = compare(&ty, &config, &merged);
        prop_assert!(changed.removed.is_empty() && changed.modified.is_empty());
        prop_assert!(same(&merge::merge(&ty, &live, &empty_object()), &live));
    }

    #[test]
    fn removed_fields_are_absent(live in object(), other in object()) {
        let ty = structural_type(&schema());
        let removed = fields_of(&ty, &other).with_named(&ty);
        let remaining = removal::remove(&ty, &live, &removed);
        let kept = fields_of(&ty, &remaining);
        prop_assert!(kept.intersection(&removed).is_empty() || has_null(&remaining));
        prop_assert!(live == empty_object() || same(&removal::remove(&ty, &live, &FieldSet::default()), &live));
    }

    #[test]
    fn a_repeated_apply_changes_nothing(history in history(), config in object(), force: bool) {
        let (live, owners) = replay(&history);
        let Some((once, owners)) = applied(&live, &owners, "m3", &config, force) else { return Ok(()) };
        let (twice, again) = applied(&once, &owners, "m3", &config, false).expect("nothing is in conflict with itself");
        prop_assert!(same(&once, &twice));
        prop_assert_eq!(owners, again);
    }

    #[test]
    fn an_apply_of_the_live_object_changes_only_owners(history in history()) {
        let (live, owners) = replay(&history);
        let (after, owned_after) = applied(&live, &owners, "m3", &live, false).unwrap();
        prop_assert!(same(&live, &after));
        let ty = structural_type(&schema());
        prop_assert_eq!(owned(&owned_after, "m3"), fields_of(&ty, &live));
        for manager in owners.keys() {
            prop_assert_eq!(owned(&owners, manager), owned(&owned_after, manager));
        }
    }

    #[test]
    fn an_applier_owns_exactly_the_applied_fields(history in history(), config in object()) {
        let (live, owners) = replay(&history);
        let (_, owners) = applied(&live, &owners, "m3", &config, true).unwrap();
        prop_assert_eq!(owned(&owners, "m3"), fields_of(&structural_type(&schema()), &config));
    }

    #[test]
    fn conflicts_are_changed_fields_of_other_owners(history in history(), config in object()) {
        let (live, owners) = replay(&history);
        let ty = structural_type(&schema());
        let merged = merge::merge(&ty, &live, &config);
        let changes = compare(&ty, &live, &merged).written();
        let expected: Vec<_> = owners.iter().flat_map(|(manager, owned)| {
            let fields = owned.fields.intersection(&changes).paths();
            fields.into_iter().map(|field| Conflict { owner: *manager, field })
        }).collect();
        let result = apply(&types(), &live, &Config { value: &config, force: false }, &owners, &"m3");
        match result {
            Ok(_) => prop_assert_eq!(expected, Vec::new()),
            Err(Problem::Conflicts(conflicts)) => prop_assert_eq!(conflicts, expected),
            Err(Problem::Other(detail)) => prop_assert!(false, "{}", detail),
        }
        prop_assert!(applied(&live, &owners, "m3", &config, true).is_some());
    }

    #[test]
    fn unapplied_fields_stay(history in history(), first in object(), second in object()) {
        let (live, owners) = replay(&history);
        let ty = structural_type(&schema());
        let before = fields_of(&ty, &live);
        let Some((live, owners)) = applied(&live, &owners, "m3", &first, false) else { return Ok(()) };
        let Some((live, owners)) = applied(&live, &owners, "m3", &second, false) else { return Ok(()) };
        if has_null(&live) {
            return Ok(());
        }
        let applied = fields_of(&ty, &first).with_named(&ty).union(&fields_of(&ty, &second));
        // Fields that were empty and now hold a value are not lost.
        let lost = before.difference(&fields_of(&ty, &live).with_named(&ty));
        // Only applied fields and those below them disappear.
        for path in lost.paths() {
            let given_up = (1..=path.0.len()).any(|length| applied.has(&Path(path.0[..length].to_vec())));
            prop_assert!(given_up, "{} is gone", path);
            prop_assert!(owners.values().all(|owned| !owned.fields.has(&path)));
        }
    }

    #[test]
    fn an_updater_owns_the_fields_that_it_changes(history in history(), new in object()) {
        let (live, owners) = replay(&history);
        let comparison = compare(&structural_type(&schema()), &live, &new);
        let (_, after) = updated(&live, &owners, "u2", &new);
        prop_assert_eq!(owned(&after, "u2"), comparison.written());
        for manager in owners.keys() {
            let kept = owned(&owners, manager).difference(&comparison.written()).difference(&comparison.removed);
            prop_assert_eq!(owned(&after, manager), kept);
        }
        prop_assert_eq!(updated(&new, &after, "u3", &new).1, after);
    }
}

#[test]
fn a_map_without_fields_disappears() {
    let both = json!({"spec": {"settings": {"a": "1", "b": "2"}, "mode": "x"}});
    let (live, owners) =
        applied(&json!({"spec": {"settings": {"b": "2"}}}), &Names::new(), "m1", &both, false).unwrap();
    let rest = json!({"spec": {"mode": "x"}});
    assert_eq!(applied(&live, &owners, "m1", &rest, false).unwrap().0, rest);
}

#[test]
fn items_follow_the_applied_order() {
    let tags = |names: &[&str]| json!({"spec": {"tags": names}});
    let (live, owners) = applied(&json!({}), &Names::new(), "m1", &tags(&["a", "b"]), false).unwrap();
    let (live, owners) = applied(&live, &owners, "m2", &tags(&["z", "y"]), false).unwrap();
    assert_eq!(live, tags(&["a", "b", "z", "y"]));
    assert_eq!(
        applied(&live, &owners, "m1", &tags(&["b", "a"]), false).unwrap().0,
        tags(&["b", "z", "y", "a"])
    );
}

#[test]
fn an_owner_of_a_part_owns_all_of_a_map_that_became_atomic() {
    let owned = FieldSet::of(&[Path::of(&["spec", "fixed", "a"]), Path::of(&["spec", "settings", "a"])]);
    let reconciled = owned.reconciled(&structural_type(&schema()));
    assert_eq!(
        reconciled,
        FieldSet::of(&[Path::of(&["spec", "fixed"]), Path::of(&["spec", "settings", "a"])])
    );
}

#[test]
fn validation_rejects_duplicates_in_applied_configurations() {
    let ty = structural_type(&schema());
    let error = |spec: Value| validate(&ty, &json!({"spec": spec})).unwrap_err();
    assert_eq!(error(json!({"tags": ["a", "a"]})), r#".spec.tags: duplicate entries for key [="a"]"#);
    assert_eq!(
        error(json!({"rules": [{"name": "a"}, {"name": "a"}]})),
        r#".spec.rules: duplicate entries for key [name="a"]"#
    );
    assert_eq!(error(json!({"nope": 1})), ".spec.nope: field not declared in schema");
    assert_eq!(error(json!({"size": "x"})), ".spec.size: expected numeric (int or float), got string");
    assert_eq!(error(json!({"tags": "x"})), ".spec.tags: expected list, got &{x}");
    assert_eq!(error(json!([])), ".spec: expected map, got &{[]}");
    let missing = error(json!({"rules": [{"value": 1}]}));
    assert!(missing.starts_with(r#".spec.rules: element 0: associative list with keys has an element that omits all key fields ["name"]"#), "{missing}");
    assert!(validate_stored(&ty, &json!({"spec": {"tags": ["a", "a"]}})).is_ok());
}

/// 100,000 items take seconds if they are found by their keys, and hours if each is searched for.
#[test]
fn long_sets_take_no_quadratic_time() {
    let tags = |prefix: &str| (0..100_000).map(|index| format!("{prefix}{index}")).collect::<Vec<_>>();
    let config = json!({"spec": {"tags": tags("b")}});
    let live = json!({"spec": {"tags": tags("a")}});
    validate(&types().0, &config).unwrap();
    let (new, _) = applied(&live, &Names::new(), "a", &config, false).unwrap();
    let (again, _) = applied(&new, &Names::new(), "b", &config, true).unwrap();
    assert_eq!(new["spec"]["tags"].as_array().unwrap().len(), 200_000);
    assert_eq!(again, new);
}
