//! A response in the form of a Table.

use crate::prelude::*;

/// The media type of a client that accepts nothing but a Table.
pub(crate) const TABLE: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

/// The same request for a Table.
pub(super) fn as_table(query: Query) -> Query {
    query.with(|request| request.accept(TABLE))
}

/// The entries of a list in a Table; empty if it is null or absent.
pub(super) fn entries<'a>(table: &'a Value, list: &str) -> &'a [Value] {
    table[list].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// A Table, as the server sent it.
pub(crate) struct Table(pub(super) Arc<Exchange>);

impl Table {
    /// The Table of a collection. Skips where the server offers none; another scenario tests a typed list.
    pub(super) async fn of(cx: &Context, collection: &Collection) -> Result<Self, Halt> {
        Self::offered(cx, as_table(collection.list()).await?)
    }

    /// The Table of the first response to a scenario's requests, with the same exceptions.
    pub(crate) fn offered(cx: &Context, response: Arc<Exchange>) -> Result<Self, Halt> {
        let kind = response.json().and_then(|json| json["kind"].as_str()).unwrap_or("text");
        cx.require_feature("Table", response.status() != 406, "a request for a Table gets 406")?;
        if response.status() == 200 && kind != "Table" {
            return Err(cx.lacks("Table", format!("a request for a Table gets a {kind}")));
        }
        Self::read(response)
    }

    /// Sends the request for a Table, and expects one.
    pub(super) async fn expect(query: Query) -> Result<Self, Halt> {
        Self::read(as_table(query).await?)
    }

    /// Expects a Table.
    pub(super) fn read(response: Arc<Exchange>) -> Result<Self, Halt> {
        response.expect_status(&[200])?;
        let is_table = response.json().is_some_and(|json| json["kind"] == "Table");
        response.expect(is_table, "a Table", response.brief())?;
        Ok(Self(response))
    }

    pub(crate) fn json(&self) -> &Value {
        self.0.json().unwrap_or(&Value::Null)
    }

    pub(crate) fn columns(&self) -> &[Value] {
        entries(self.json(), "columnDefinitions")
    }

    pub(super) fn rows(&self) -> &[Value] {
        entries(self.json(), "rows")
    }

    pub(super) fn version(&self) -> &str {
        self.json()["metadata"]["resourceVersion"].as_str().unwrap_or_default()
    }

    /// The row of an object.
    pub(super) fn row(&self, name: &str) -> Result<&Value, Halt> {
        let own = |row: &&Value| row["object"]["metadata"]["name"] == name;
        self.rows()
            .iter()
            .find(own)
            .ok_or_else(|| self.fail(format!("a row of {name}"), self.json()["rows"].to_string()))
    }

    /// The names of the scenario's objects in the rows.
    pub(super) fn own_names(&self, collection: &Collection) -> Vec<&str> {
        let names = self.rows().iter().filter_map(|row| row["object"]["metadata"]["name"].as_str());
        names.filter(|name| name.starts_with(&collection.name_of(""))).collect()
    }

    pub(super) fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        self.0.fail(expected, actual)
    }

    pub(crate) fn expect_that(&self, holds: bool, expected: &str, actual: &Value) -> Checked {
        self.0.expect(holds, expected, actual.to_string())
    }

    /// Every entry of a list passes the check.
    pub(super) fn expect_each(
        &self,
        entries: &[Value],
        expected: &str,
        right: impl Fn(&Value) -> bool,
    ) -> Checked {
        let wrong = entries.iter().find(|entry| !right(entry));
        self.expect_that(wrong.is_none(), expected, wrong.unwrap_or(&Value::Null))
    }
}

/// A stored object, and the Table of its collection.
pub(super) struct Tabled {
    pub(super) stored: StoredObject,
    pub(super) table: Table,
}

impl Fixture for Tabled {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let stored = StoredObject::create(cx).await?;
        let table = Table::of(cx, &stored.collection).await?;
        Ok(Self { stored, table })
    }
}
