//! Whether every type can be filtered by label.

use harness::{Checked, Context, Request, Row, row};

use crate::types;

/// The scenario of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![row("selectors-label-filter-supported", selectors_label_filter_supported).own_kinds().read_only()]
}

async fn selectors_label_filter_supported(cx: Context) -> Checked {
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
