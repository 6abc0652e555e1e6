//! The name of a manager: `fieldManager`, or the User-Agent.

use super::write_method::Way;
use crate::apply_fixture::owner::{entries, expect_no_entry, expect_owns, owners_text, paths};
use crate::patch_types::patch;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(PARAMETER, Kinds::All, the_parameter_names_the_manager),
        table(STRATEGIC, Kinds::Own, the_parameter_names_the_manager),
        vec![
            row!(managed_fields_manager_from_user_agent),
            row!(managed_fields_manager_from_user_agent_prefix).own_kinds(),
            row!(managed_fields_manager_param_beats_user_agent),
            row!(managed_fields_manager_param_verbatim),
            row!(managed_fields_manager_unknown),
            row!(managed_fields_manager_param_validated_on_all_writes),
            row!(managed_fields_field_manager_optional_for_update),
        ],
    ]
    .concat()
}

const PARAMETER: &[(&str, Way)] = &[
    ("managed-fields-manager-param-post", Way::Post),
    ("managed-fields-manager-param-put", Way::Put),
    ("managed-fields-manager-param-merge-patch", Way::Merge),
    ("managed-fields-manager-param-json-patch", Way::Json),
    ("managed-fields-manager-param-apply", Way::Apply),
];

/// Custom resources have no strategic merge patches.
const STRATEGIC: &[(&str, Way)] = &[("managed-fields-manager-param-strategic", Way::Strategic)];

async fn the_parameter_names_the_manager(cx: Context, way: Way) -> Checked {
    let fixture = ApplyFixture::of_a_tracked_thing(&cx).await?;

    let written = fixture.send(way.writes(&fixture).await?.query("fieldManager", "abc")).await?;

    expect_owns(&written, way.owner("abc"), &[&fixture.path_of_text(way.key())])
}

/// The manager of the entry with a path.
fn manager_of(response: &Exchange, path: &str) -> Result<String, Halt> {
    let object = response.object()?;
    let owns = |entry: &&Value| paths(&entry["fieldsV1"]).contains(path);
    let manager = entries(&object).iter().find(owns).and_then(|entry| entry["manager"].as_str());
    let manager =
        manager.ok_or_else(|| response.fail(format!("an entry of {path}"), owners_text(&object)))?;
    Ok(manager.to_owned())
}

fn sent_by(request: Request, agent: &str) -> Request {
    request.header("user-agent", agent)
}

async fn managed_fields_manager_from_user_agent(fixture: Tracked) -> Checked {
    for way in Way::UPDATES {
        let request = sent_by(way.writes(&fixture).await?, "acme-tool/1.2 (linux) x");
        let written = fixture.send(request).await?;

        let manager = manager_of(&written, &fixture.path_of_text(way.key()))?;
        written.expect(
            manager.starts_with("acme-tool"),
            "a manager whose name begins with acme-tool",
            manager,
        )?;
    }
    Ok(())
}

async fn managed_fields_manager_from_user_agent_prefix(fixture: Tracked) -> Checked {
    let (long, most) = (format!("{}/1", "f".repeat(200)), "f".repeat(128));
    let agents =
        [(long.as_str(), most.as_str()), ("Mozilla/5.0 (X11)", "Mozilla"), ("two words/1", "two words")];

    for (number, (agent, name)) in agents.into_iter().enumerate() {
        let key = format!("by-{number}");
        let merge = patch(&fixture.collection, fixture.name, MERGE, &fixture.texts([(key.as_str(), "1")]));
        let merged = fixture.send(sent_by(merge, agent)).await?;

        let manager = manager_of(&merged, &fixture.path_of_text(&key))?;
        merged.expect(manager == name, format!("the manager {name}"), manager)?;
    }
    Ok(())
}

async fn managed_fields_manager_param_beats_user_agent(fixture: Tracked) -> Checked {
    for way in Way::ALL {
        let request = way.writes(&fixture).await?.query("fieldManager", "abc");
        let written = fixture.write_response(sent_by(request, "zzz/1")).await?;

        let manager = manager_of(&written, &fixture.path_of_text(way.key()))?;
        written.expect(manager == "abc", "the manager abc", manager)?;
    }
    Ok(())
}

const VERBATIM: &str = "Team/A é";

async fn managed_fields_manager_param_verbatim(fixture: Tracked) -> Checked {
    for way in [Way::Merge, Way::Apply] {
        let request = way.writes(&fixture).await?.query("fieldManager", VERBATIM);
        let written = fixture.write_response(request).await?;

        expect_owns(&written, way.owner(VERBATIM), &[&fixture.path_of_text(way.key())])?;
        expect_no_entry(&written, way.owner("team/a é"))?;
    }
    Ok(())
}

async fn managed_fields_manager_unknown(fixture: Tracked) -> Checked {
    let written = fixture.send(sent_by(Way::Merge.writes(&fixture).await?, "")).await?;

    let object = written.object()?;
    let named =
        entries(&object).iter().all(|entry| entry["manager"].as_str().is_some_and(|name| !name.is_empty()));
    written.expect(named, "a manager in each entry", owners_text(&object))?;
    fixture.expect_texts(&written, &[(Way::Merge.key(), Some("1"))]).await
}

async fn managed_fields_manager_param_validated_on_all_writes(fixture: Tracked) -> Checked {
    let before = fixture.read().await?.object()?;

    for way in Way::UPDATES {
        let request = way.writes(&fixture).await?.query("fieldManager", "a".repeat(129));
        let refused = fixture.send(request).await?;

        refused.expect_rejection(&[400, 422])?;
    }
    fixture.expect_unchanged(&before).await
}

async fn managed_fields_field_manager_optional_for_update(fixture: Tracked) -> Checked {
    for way in Way::UPDATES {
        let written = fixture.send(way.writes(&fixture).await?).await?;

        way.about(&fixture).expect_texts(&written, &[(way.key(), Some("1"))]).await?;
    }
    Ok(())
}
