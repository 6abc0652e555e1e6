//! Label selectors on every type.

use crate::api_resources;
use crate::prelude::*;

rows![selectors_label_filter_supported.own_kinds().read_only()];

async fn selectors_label_filter_supported(cx: Context) -> Checked {
    let mut types = api_resources::all(&cx).await?;
    types.retain(api_resources::Type::is_stored);

    let list =
        |ty: &api_resources::Type| Request::get(ty.path()).query("labelSelector", "kube-assay.dev/none=x");
    let lists = api_resources::ask_about(&cx, types, list).await?;

    for (ty, listed) in lists {
        api_resources::note_failed_list(&cx, &listed);
        // Types that the user may not list, that no longer exist, or that are unavailable.
        if matches!(listed.status(), 403 | 404 | 405 | 500..) {
            continue;
        }
        let page = listed.page()?;
        let expected = format!("no item of {}: no object has this label", ty.path());
        listed.expect(page.items.is_empty(), expected, format!("{} items", page.items.len()))?;
    }
    Ok(())
}
