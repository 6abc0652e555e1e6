//! The Status of a conflict: one cause for each manager and field.

use crate::apply_fixture::conflict::{causes, expect_conflicts};
use crate::apply_fixture::through;
use crate::prelude::*;

rows![
    apply_conflicts_status_object,
    apply_conflicts_cause_reason,
    apply_conflicts_cause_field,
    apply_conflicts_cause_field_list_item.own_kinds(),
    apply_conflicts_cause_message_manager,
    apply_conflicts_message_names_managers,
    apply_conflicts_one_cause_per_manager_and_field,
    apply_conflicts_update_owner_version_in_message.own_kinds(),
];

/// The refusal of `m2` because of the text `a`, which `m1` owns.
async fn refused(cx: &Context) -> Result<(ApplyFixture, Arc<Exchange>), Halt> {
    let fixture = ApplyFixture::of_a_thing(cx, &[]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let refused = fixture.ask(fixture.applying("m2", &fixture.texts([("a", "2")]))).await?;
    Ok((fixture, refused))
}

async fn apply_conflicts_status_object(cx: Context) -> Checked {
    let (_, refused) = refused(&cx).await?;

    let status = refused.expect_error(&[409], &["Conflict"])?;
    refused.expect(status["status"] == "Failure", "the status Failure", status["status"].to_string())
}

async fn apply_conflicts_cause_reason(cx: Context) -> Checked {
    let (_, refused) = refused(&cx).await?;

    let status = refused.expect_refusal(&[409])?;
    let all = status["details"]["causes"].as_array().map_or(0, Vec::len);
    let holds = all > 0 && causes(status).len() == all;
    refused.expect(holds, "causes of reason FieldManagerConflict", status["details"]["causes"].to_string())
}

async fn apply_conflicts_cause_field(cx: Context) -> Checked {
    let (fixture, refused) = refused(&cx).await?;

    let status = refused.expect_refusal(&[409])?;
    let (field, causes) = (fixture.field_of_text("a"), &status["details"]["causes"]);
    refused.expect(
        causes[0]["field"] == *field,
        format!("a cause with the field {field}"),
        causes.to_string(),
    )
}

async fn apply_conflicts_cause_field_list_item(Gizmo(fixture): Gizmo) -> Checked {
    let fields = |text: &str| {
        json!({ "spec": {
            "rules": [{ "name": "a", "value": text }],
            "ports": [{ "port": 80, "protocol": "TCP", "label": text }],
        } })
    };
    fixture.applied("m1", &fields("1")).await?;

    let refused = fixture.ask(fixture.applying("m2", &fields("2"))).await?;

    let rule = r#".spec.rules[name="a"].value"#;
    let port = r#".spec.ports[port=80,protocol="TCP"].label"#;
    expect_conflicts(&refused, &[("m1", rule), ("m1", port)])
}

async fn apply_conflicts_cause_message_manager(cx: Context) -> Checked {
    let (_, refused) = refused(&cx).await?;

    let causes = &refused.expect_refusal(&[409])?["details"]["causes"];
    let message = causes[0]["message"].as_str().unwrap_or_default();
    refused.expect(message.contains("m1"), "a cause whose message names m1", causes.to_string())
}

async fn apply_conflicts_message_names_managers(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;

    let refused = fixture.ask(fixture.applying("m3", &fixture.texts([("a", "2"), ("b", "2")]))).await?;

    let message = refused.expect_refusal(&[409])?["message"].as_str().unwrap_or_default();
    let both = ["m1", "m2"].iter().all(|manager| message.contains(manager));
    refused.expect(both, "a message that names m1 and m2", message)
}

async fn apply_conflicts_one_cause_per_manager_and_field(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1")])).await?;

    let refused = fixture.ask(fixture.applying("m3", &fixture.texts([("a", "2"), ("b", "2")]))).await?;

    let [a, b] = ["a", "b"].map(|key| fixture.field_of_text(key));
    expect_conflicts(&refused, &[("m1", &a), ("m2", &a), ("m1", &b)])?;
    let causes = causes(refused.expect_refusal(&[409])?);
    refused.expect(causes.len() == 3, "three causes", format!("{causes:?}"))
}

async fn apply_conflicts_update_owner_version_in_message(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "mode": "x" } })).await?;
    fixture.done(through("status", fixture.merging("u", &json!({ "status": { "phase": "x" } })))).await?;

    let applying = fixture.applying("m2", &json!({ "status": { "phase": "y" } }));
    let refused = fixture.ask(through("status", applying)).await?;

    expect_conflicts(&refused, &[("u", ".status.phase")])?;
    let message = refused.expect_refusal(&[409])?["details"]["causes"][0]["message"].as_str();
    let after = message.and_then(|message| message.split_once(r#""u""#)).map_or("", |(_, after)| after);
    let version = fixture.collection.resource().api_version();
    let expected = [("using ", version.as_str()), ("with subresource ", r#""status""#)];
    for (word, told) in expected {
        // It need not be told.
        let true_or_not_told = after.split_once(word).is_none_or(|(_, rest)| rest.starts_with(told));
        refused.expect(true_or_not_told, format!("{word}{told}"), after)?;
    }
    Ok(())
}
