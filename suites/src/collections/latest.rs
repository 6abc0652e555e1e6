//! That a list shows every write that was acknowledged before it.

use harness::{Collection, Context, Halt, Object, Suite};

use crate::resource_version::{READER, rounds};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("collections-consistent-read", a_list_shows_every_write_before_it)
}

async fn a_list_shows_every_write_before_it(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "z"]).await?;

    for round in rounds() {
        things.create("x").await?;
        is_listed(&things, Some("first")).await?;
        let value = format!("write {round}");
        things.write("x", &value).await?;
        is_listed(&things, Some(&value)).await?;
        things.delete("x").await?;
        is_listed(&things, None).await?;
    }
    Ok(())
}

/// Another connection than the writer's shows `x` with this value, or not at all.
async fn is_listed(things: &Collection, value: Option<&str>) -> Result<(), Halt> {
    let page = things.list().with(|request| request.lane(READER)).page().await?;
    let found = page.item("x").map(Object::value);
    let said = |value: Option<&str>| value.map_or("no x".to_owned(), |value| format!("x with {value:?}"));
    page.expect(found == value, said(value), said(found))
}
