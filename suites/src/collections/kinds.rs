//! The kinds of lists, for every type that discovery lists.

use std::collections::BTreeMap;

use crate::api_resources::{self, Type};
use crate::prelude::*;

rows![
    collections_kind_suffix.own_kinds().read_only(),
    collections_concrete_kinds.own_kinds().read_only(),
    collections_no_kind_list.own_kinds().read_only(),
];

async fn collections_kind_suffix(cx: Context) -> Checked {
    let lists = api_resources::lists(&cx).await?;

    for (ty, listed) in &lists {
        let kind = listed.json().map(|list| list["kind"].clone()).unwrap_or_default();
        if kind == format!("{}List", ty.kind) {
            continue;
        }
        if let Some(expected) = own_kind_of_lists(&cx, ty).await? {
            listed.expect(kind == expected.as_str(), format!("kind {expected:?}"), kind.to_string())?;
        }
    }
    Ok(())
}

/// The list kind of a type: its definition may choose another; `None` where we may not read the definition.
async fn own_kind_of_lists(cx: &Context, ty: &Type) -> Result<Option<String>, Halt> {
    let usual = Some(format!("{}List", ty.kind));
    let Some(path) = ty.definition() else { return Ok(usual) };
    let definition = cx.send(Request::get(&path)).await?;
    if definition.status() == 403 {
        cx.note(format!("{} not tested: no permission to get {path}", ty.path()));
        return Ok(None);
    }
    let chosen = definition.json().and_then(|json| json["spec"]["names"]["listKind"].as_str());
    Ok(chosen.map(str::to_owned).or(usual))
}

async fn collections_concrete_kinds(cx: Context) -> Checked {
    let lists = api_resources::lists(&cx).await?;

    let mut known: BTreeMap<String, &Type> = BTreeMap::new();
    for (ty, listed) in &lists {
        let kind = listed.json().map(|list| list["kind"].to_string()).unwrap_or_default();
        let other = known.entry(kind.clone()).or_insert(ty);
        let expected = format!("a list kind other than that of {}", other.path());
        // One type may be served in several groups and versions.
        let alike = other.kind == ty.kind;
        listed.expect(alike, expected, format!("{kind} for {}", ty.path()))?;
    }
    Ok(())
}

async fn collections_no_kind_list(cx: Context) -> Checked {
    let all = api_resources::all(&cx).await?;
    let lists = api_resources::lists_of(&cx, all.clone()).await?;

    // The definition of a custom type may have any kind.
    let own = |ty: &&Type| crate::openapi::is_of_the_project(ty.group());
    if let Some(ty) = all.iter().filter(own).find(|ty| ty.kind == "List") {
        return Err(cx.failed("no kind List in discovery", format!("kind List of {}", ty.path()), None));
    }
    for (ty, listed) in &lists {
        let list = listed.json().is_some_and(|json| json["kind"] == "List");
        listed.expect(!list, format!("a kind other than List for {}", ty.path()), "List")?;
    }
    Ok(())
}
