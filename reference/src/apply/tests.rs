//! Property tests of server-side apply on generated objects.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::apply::path::Element;

/// A type with a field of every kind.
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

/// One version of it, in which everything can be written.
struct Only(Type);

impl Types for Only {
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

fn only() -> Only {
    Only(structural_type(&schema()))
}

type Names = Owners<&'static str>;

/// Applies for somebody; what is there and who owns it becomes what follows.
fn applied(
    live: &Value,
    owners: &Names,
    who: &'static str,
    config: &Value,
    force: bool,
) -> Option<(Value, Names)> {
    match apply(&only(), live, &Config { value: config, force }, owners, &who) {
        Ok((new, owners)) => Some((new.unwrap_or_else(|| live.clone()), owners)),
        Err(Problem::Conflicts(_)) => None,
        Err(Problem::Other(why)) => panic!("{why}"),
    }
}

fn updated(live: &Value, owners: &Names, who: &'static str, new: &Value) -> (Value, Names) {
    (new.clone(), update(&only(), live, new, owners, &who).unwrap())
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

fn nothing() -> Value {
    json!({})
}

/// An object, or what somebody applies.
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

/// What three writers make of nothing, one after the other.
fn history() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    vec((proptest::sample::select(&["m1", "m2", "u1"][..]), object()), 0..5)
}

fn played(history: &[(&'static str, Value)]) -> (Value, Names) {
    let start = (json!({}), BTreeMap::new());
    history.iter().fold(start, |(live, owners), (who, value)| match *who {
        "u1" => updated(&live, &owners, who, value),
        who => applied(&live, &owners, who, value, true).unwrap(),
    })
}

fn owned(owners: &Names, who: &str) -> FieldSet {
    owners.get(who).map(|owned| owned.fields.clone()).unwrap_or_default()
}

/// The value without what somebody removed and left null: nobody here has a use for it.
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
    fn recursion_takes_what_is_below_as_well(a in set(), b in set()) {
        let left = a.recursive_difference(&b);
        prop_assert_eq!(left.difference(&a.difference(&b)), FieldSet::default());
        for path in a.paths() {
            let gone = (1..=path.0.len()).any(|length| b.has(&Path(path.0[..length].to_vec())));
            prop_assert_eq!(left.has(&path), !gone, "{}", path);
        }
    }

    #[test]
    fn sets_are_read_as_they_are_written(a in set()) {
        prop_assert_eq!(FieldSet::from_fields_v1(&a.to_fields_v1()), Some(a));
    }

    #[test]
    fn what_differs_is_gone_new_or_changed(a in object(), b in object()) {
        let ty = structural_type(&schema());
        let (there, back) = (compare(&ty, &a, &b), compare(&ty, &b, &a));
        prop_assert_eq!(&there.removed, &back.added);
        prop_assert_eq!(&there.added, &back.removed);
        prop_assert_eq!(&there.modified, &back.modified);
        let nothing = there.removed.is_empty() && there.written().is_empty();
        let ordered = |value: &Value| value["spec"]["rules"].is_null() && value["spec"]["tags"].is_null();
        prop_assert!(!same(&a, &b) || nothing);
        prop_assert!(!nothing || same(&a, &b) || !ordered(&a));
    }

    #[test]
    fn merging_keeps_what_is_there_and_adds_what_is_applied(live in object(), config in object()) {
        let ty = structural_type(&schema());
        let merged = merge::merge(&ty, &live, &config);
        let fields = |value: &Value| fields_of(&ty, value);
        prop_assert_eq!(fields(&merged), fields(&live).union(&fields(&config)));
        prop_assert!(same(&merge::merge(&ty, &merged, &config), &merged));
        let changed = compare(&ty, &config, &merged);
        prop_assert!(changed.removed.is_empty() && changed.modified.is_empty());
        prop_assert!(same(&merge::merge(&ty, &live, &nothing()), &live));
    }

    #[test]
    fn removing_everything_that_one_has_removes_it(live in object(), other in object()) {
        let ty = structural_type(&schema());
        let gone = fields_of(&ty, &other).with_named(&ty);
        let left = removal::remove(&ty, &live, &gone);
        let kept = fields_of(&ty, &left);
        prop_assert!(kept.intersection(&gone).is_empty() || has_null(&left));
        prop_assert!(live == nothing() || same(&removal::remove(&ty, &live, &FieldSet::default()), &live));
    }

    #[test]
    fn applying_again_changes_nothing(history in history(), config in object(), force: bool) {
        let (live, owners) = played(&history);
        let Some((once, owners)) = applied(&live, &owners, "m3", &config, force) else { return Ok(()) };
        let (twice, again) = applied(&once, &owners, "m3", &config, false).expect("nothing is in conflict with itself");
        prop_assert!(same(&once, &twice));
        prop_assert_eq!(owners, again);
    }

    #[test]
    fn applying_what_is_there_changes_nothing_but_the_owner(history in history()) {
        let (live, owners) = played(&history);
        let (after, owned_after) = applied(&live, &owners, "m3", &live, false).unwrap();
        prop_assert!(same(&live, &after));
        let ty = structural_type(&schema());
        prop_assert_eq!(owned(&owned_after, "m3"), fields_of(&ty, &live));
        for who in owners.keys() {
            prop_assert_eq!(owned(&owners, who), owned(&owned_after, who));
        }
    }

    #[test]
    fn who_applies_owns_what_it_applied_and_nothing_else(history in history(), config in object()) {
        let (live, owners) = played(&history);
        let (_, owners) = applied(&live, &owners, "m3", &config, true).unwrap();
        prop_assert_eq!(owned(&owners, "m3"), fields_of(&structural_type(&schema()), &config));
    }

    #[test]
    fn conflicts_are_where_another_owns_what_changes(history in history(), config in object()) {
        let (live, owners) = played(&history);
        let ty = structural_type(&schema());
        let merged = merge::merge(&ty, &live, &config);
        let changes = compare(&ty, &live, &merged).written();
        let expected: Vec<_> = owners.iter().flat_map(|(who, owned)| {
            let fields = owned.fields.intersection(&changes).paths();
            fields.into_iter().map(|field| Conflict { owner: *who, field })
        }).collect();
        let result = apply(&only(), &live, &Config { value: &config, force: false }, &owners, &"m3");
        match result {
            Ok(_) => prop_assert_eq!(expected, Vec::new()),
            Err(Problem::Conflicts(conflicts)) => prop_assert_eq!(conflicts, expected),
            Err(Problem::Other(why)) => prop_assert!(false, "{}", why),
        }
        prop_assert!(applied(&live, &owners, "m3", &config, true).is_some());
    }

    #[test]
    fn what_nobody_applied_stays(history in history(), first in object(), second in object()) {
        let (live, owners) = played(&history);
        let ty = structural_type(&schema());
        let before = fields_of(&ty, &live);
        let Some((live, owners)) = applied(&live, &owners, "m3", &first, false) else { return Ok(()) };
        let Some((live, owners)) = applied(&live, &owners, "m3", &second, false) else { return Ok(()) };
        if has_null(&live) {
            return Ok(());
        }
        let applied = fields_of(&ty, &first).with_named(&ty).union(&fields_of(&ty, &second));
        // What was empty and holds something now is not lost.
        let lost = before.difference(&fields_of(&ty, &live).with_named(&ty));
        // Only what was applied goes, and what is in it.
        for path in lost.paths() {
            let given_up = (1..=path.0.len()).any(|length| applied.has(&Path(path.0[..length].to_vec())));
            prop_assert!(given_up, "{} is gone", path);
            prop_assert!(owners.values().all(|owned| !owned.fields.has(&path)));
        }
    }

    #[test]
    fn an_update_owns_what_it_changes(history in history(), new in object()) {
        let (live, owners) = played(&history);
        let comparison = compare(&structural_type(&schema()), &live, &new);
        let (_, after) = updated(&live, &owners, "u2", &new);
        prop_assert_eq!(owned(&after, "u2"), comparison.written());
        for who in owners.keys() {
            let kept = owned(&owners, who).difference(&comparison.written()).difference(&comparison.removed);
            prop_assert_eq!(owned(&after, who), kept);
        }
        prop_assert_eq!(updated(&new, &after, "u3", &new).1, after);
    }
}

#[test]
fn the_last_field_that_is_given_up_takes_its_map_along() {
    let both = json!({"spec": {"settings": {"a": "1", "b": "2"}, "mode": "x"}});
    let (live, owners) =
        applied(&json!({"spec": {"settings": {"b": "2"}}}), &Names::new(), "m1", &both, false).unwrap();
    let rest = json!({"spec": {"mode": "x"}});
    assert_eq!(applied(&live, &owners, "m1", &rest, false).unwrap().0, rest);
}

#[test]
fn items_come_in_the_order_in_which_they_are_applied() {
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
fn who_owned_a_part_of_what_became_atomic_owns_all_of_it() {
    let owned = FieldSet::of(&[Path::of(&["spec", "fixed", "a"]), Path::of(&["spec", "settings", "a"])]);
    let reconciled = owned.reconciled(&structural_type(&schema()));
    assert_eq!(
        reconciled,
        FieldSet::of(&[Path::of(&["spec", "fixed"]), Path::of(&["spec", "settings", "a"])])
    );
}

#[test]
fn what_comes_twice_is_refused_in_what_is_applied() {
    let ty = structural_type(&schema());
    let why = |spec: Value| validate(&ty, &json!({"spec": spec})).unwrap_err();
    assert_eq!(why(json!({"tags": ["a", "a"]})), r#".spec.tags: duplicate entries for key [="a"]"#);
    assert_eq!(
        why(json!({"rules": [{"name": "a"}, {"name": "a"}]})),
        r#".spec.rules: duplicate entries for key [name="a"]"#
    );
    assert_eq!(why(json!({"nope": 1})), ".spec.nope: field not declared in schema");
    assert_eq!(why(json!({"size": "x"})), ".spec.size: expected numeric (int or float), got string");
    assert_eq!(why(json!({"tags": "x"})), ".spec.tags: expected list, got &{x}");
    assert_eq!(why(json!([])), ".spec: expected map, got &{[]}");
    let missing = why(json!({"rules": [{"value": 1}]}));
    assert!(missing.starts_with(r#".spec.rules: element 0: associative list with keys has an element that omits all key fields ["name"]"#), "{missing}");
    assert!(validate_stored(&ty, &json!({"spec": {"tags": ["a", "a"]}})).is_ok());
}
