//! Tests of label and field selectors.

use serde_json::json;

use super::*;

fn selects(labels: &str) -> bool {
    let object = json!({"metadata": {"name": "n", "namespace": "s", "labels": {"a": "1", "tier": "front"}}});
    let selector = LabelSelector::parse(labels);
    selector.unwrap().matches(&object)
}

#[test]
fn every_operator_of_a_label_selector() {
    let yes = [
        "",
        "a=1",
        "a==1",
        "a!=2",
        "a",
        "!b",
        "a in (1,2)",
        "a notin (2)",
        "a=1,tier=front",
        "b!=1",
        "a>0",
        "a<2",
        "b notin (x)",
        "tier in (front), a",
    ];
    let no = ["a=2", "a!=1", "b", "!a", "a in (2,3)", "a notin (1)", "a=1,tier=back", "a>1", "b in (x)"];
    for selector in yes {
        assert!(selects(selector), "{selector}");
    }
    for selector in no {
        assert!(!selects(selector), "{selector}");
    }
}

#[test]
fn malformed_label_selectors_are_rejected() {
    for selector in ["a b c", "tier in a", "a=b=c", "-x=y", "a in (b", ",", "a=b,,c", "a=b,"] {
        assert!(LabelSelector::parse(selector).is_err(), "{selector}");
    }
}

#[test]
fn field_selectors_support_name_and_namespace() {
    let ty = crate::built_in_types::stored().next().unwrap();
    let object = json!({"metadata": {"name": "n", "namespace": "s"}});
    let matches = |text| FieldSelector::parse(text, &ty).map(|selector| selector.matches(&object)).ok();
    assert_eq!(matches("metadata.name=n"), Some(true));
    assert_eq!(matches("metadata.name==n,metadata.namespace!=t"), Some(true));
    assert_eq!(matches("metadata.name!=n"), Some(false));
    assert_eq!(matches("spec.nosuch=x"), None);
    assert_eq!(matches("metadata.name"), None);
}
