//! Whether every type can be filtered by label.

use harness::{Context, Halt, Request, Suite};

use crate::types;

/// Adds the scenario of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("selectors-label-filter-supported", every_list_is_filtered_by_label).read_only()
}

async fn every_list_is_filtered_by_label(cx: Context) -> Result<(), Halt> {
    let mut types = types::all(&cx).await?;
    types.retain(types::Type::is_stored);

    let nothing = |ty: &types::Type| Request::get(ty.path()).query("labelSelector", "kube-assay.dev/none=x");
    let listed = types::ask_about(&cx, types, nothing).await?;

    for (ty, listed) in listed {
        // What we may not see, what has gone since, and what cannot be answered at the moment.
        if matches!(listed.status(), 403 | 404 | 405 | 500..) {
            continue;
        }
        let page = listed.page()?;
        let expected = format!("no item of {}: nothing has this label", ty.path());
        listed.expect(page.items.is_empty(), expected, format!("{} items", page.items.len()))?;
    }
    Ok(())
}
