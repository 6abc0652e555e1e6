//! Large lists, which a server may encode item by item.

use crate::prelude::*;

rows![collections_streamed_encoding_same_output.namespaced()];

async fn collections_streamed_encoding_same_output(cx: Context) -> Checked {
    const OBJECTS: usize = 24;
    const SIZE: usize = 20_000;
    let collection = cx.collection_under_test().await?;
    for number in 0..OBJECTS {
        let text = char::from(b'a' + u8::try_from(number).unwrap_or(0)).to_string().repeat(SIZE);
        let mut body = collection.body(&format!("large-{number:02}"), "first");
        // An annotation, because the value of some types is limited.
        body["metadata"]["annotations"]["large"] = text.into();
        collection.create_body(&body).await?;
    }

    let listed = collection.list().await?;
    let pages = collection.list().pages(&[5]).await?;

    let whole = listed.page()?;
    let fields = listed.json().is_some_and(|list| list["kind"].is_string() && list["apiVersion"].is_string());
    let fields = fields && !whole.version.is_empty();
    whole.expect(fields, "kind, apiVersion and resourceVersion", listed.brief())?;
    let items: Vec<_> = pages.iter().flat_map(|page| page.items.clone()).collect();
    Page { items, ..whole.clone() }.expect_items(&whole.items)?;
    let own = whole.own_items().len();
    whole.expect(own == OBJECTS, format!("{OBJECTS} items"), format!("{own} items"))
}
