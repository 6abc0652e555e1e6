//! The Status of a conflict: one cause for each manager and field.

use crate::apply_fixture::conflict::{causes, expect_conflicts};
use crate::apply_fixture::on_subresource;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(apply_conflicts_cause_field_list_item).own_kinds(),
        row!(apply_conflicts_message_names_managers),
        row!(apply_conflicts_one_cause_per_manager_and_field),
        row!(apply_conflicts_update_owner_version_in_message).own_kinds(),
    ];
    [table(STATUSES, Kinds::All, conflict), own].concat()
}

/// A check of the response to an apply by `m2` of the string field `a`, which `m1` owns.
type Check = fn(&ApplyFixture, &Exchange) -> Checked;

#[rustfmt::skip]
const STATUSES: &[(&str, Check)] = &[
    ("apply-conflicts-status-object",         is_a_failure),
    ("apply-conflicts-cause-reason",          has_causes_of_one_reason),
    ("apply-conflicts-cause-field",           names_the_field),
    ("apply-conflicts-cause-message-manager", names_the_manager),
];

async fn conflict(cx: Context, check: Check) -> Checked {
    let fixture = CreatedByOther::arrange(&cx).await?;
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let refused = fixture.send(fixture.applying("m2", &fixture.texts([("a", "2")]))).await?;

    check(&fixture, &refused)
}

fn is_a_failure(_: &ApplyFixture, refused: &Exchange) -> Checked {
    let status = refused.expect_error(&[409], &["Conflict"])?;
    refused.expect(status["status"] == "Failure", "status Failure", status["status"].to_string())
}

fn has_causes_of_one_reason(_: &ApplyFixture, refused: &Exchange) -> Checked {
    let status = refused.expect_rejection(&[409])?;
    let all = status["details"]["causes"].as_array().map_or(0, Vec::len);
    let holds = all > 0 && causes(status).len() == all;
    refused.expect(holds, "causes of reason FieldManagerConflict", status["details"]["causes"].to_string())
}

fn names_the_field(fixture: &ApplyFixture, refused: &Exchange) -> Checked {
    let causes = &refused.expect_rejection(&[409])?["details"]["causes"];
    let field = fixture.field_of_text("a");
    refused.expect(causes[0]["field"] == *field, format!("a cause with field {field}"), causes.to_string())
}

fn names_the_manager(_: &ApplyFixture, refused: &Exchange) -> Checked {
    let causes = &refused.expect_rejection(&[409])?["details"]["causes"];
    let message = causes[0]["message"].as_str().unwrap_or_default();
    refused.expect(message.contains("m1"), "a cause with m1 in its message", causes.to_string())
}

async fn apply_conflicts_cause_field_list_item(fixture: Gizmo) -> Checked {
    let fields = |text: &str| {
        json!({ "spec": {
            "rules": [{ "name": "a", "value": text }],
            "ports": [{ "port": 80, "protocol": "TCP", "label": text }],
        } })
    };
    fixture.applied("m1", &fields("1")).await?;

    let refused = fixture.send(fixture.applying("m2", &fields("2"))).await?;

    let rule = r#".spec.rules[name="a"].value"#;
    let port = r#".spec.ports[port=80,protocol="TCP"].label"#;
    expect_conflicts(&refused, &[("m1", rule), ("m1", port)])
}

async fn apply_conflicts_message_names_managers(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;

    let refused = fixture.send(fixture.applying("m3", &fixture.texts([("a", "2"), ("b", "2")]))).await?;

    let message = refused.expect_rejection(&[409])?["message"].as_str().unwrap_or_default();
    let both = ["m1", "m2"].iter().all(|manager| message.contains(manager));
    refused.expect(both, "a message with the names m1 and m2", message)?;
    // Each cause has the manager of its own field.
    let [a, b] = ["a", "b"].map(|key| fixture.field_of_text(key));
    expect_conflicts(&refused, &[("m1", &a), ("m2", &b)])
}

async fn apply_conflicts_one_cause_per_manager_and_field(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1")])).await?;

    let refused = fixture.send(fixture.applying("m3", &fixture.texts([("a", "2"), ("b", "2")]))).await?;

    let [a, b] = ["a", "b"].map(|key| fixture.field_of_text(key));
    expect_conflicts(&refused, &[("m1", &a), ("m2", &a), ("m1", &b)])?;
    let causes = causes(refused.expect_rejection(&[409])?);
    refused.expect(causes.len() == 3, "three causes", format!("{causes:?}"))
}

async fn apply_conflicts_update_owner_version_in_message(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "mode": "x" } })).await?;
    fixture
        .write(on_subresource("status", fixture.merging("u", &json!({ "status": { "phase": "x" } }))))
        .await?;

    let applying = fixture.applying("m2", &json!({ "status": { "phase": "y" } }));
    let refused = fixture.send(on_subresource("status", applying)).await?;

    expect_conflicts(&refused, &[("u", ".status.phase")])?;
    let message = refused.expect_rejection(&[409])?["details"]["causes"][0]["message"].as_str();
    let after = message.and_then(|message| message.split_once(r#""u""#)).map_or("", |(_, after)| after);
    let version = fixture.collection.resource().api_version();
    for (word, value) in [("using ", version.as_str()), ("with subresource ", r#""status""#)] {
        // Both are optional.
        let right = after.split_once(word).is_none_or(|(_, rest)| rest.starts_with(value));
        refused.expect(right, format!("{word}{value}"), after)?;
    }
    Ok(())
}
