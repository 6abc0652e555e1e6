//! Tables of scenarios in which field managers write the string fields of one object.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::Owner;
use crate::prelude::*;
use crate::string_map;

/// The values of string fields, by key.
pub(crate) type Texts = &'static [(&'static str, &'static str)];

/// A write of string fields by a field manager.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Write {
    manager: &'static str,
    texts: Texts,
    request: fn(&ApplyFixture, &str, &Value) -> Request,
}

pub(crate) const fn apply(manager: &'static str, texts: Texts) -> Write {
    Write { manager, texts, request: ApplyFixture::applying }
}

pub(crate) const fn force(manager: &'static str, texts: Texts) -> Write {
    Write { manager, texts, request: ApplyFixture::forcing }
}

/// A merge patch.
pub(crate) const fn merge(manager: &'static str, texts: Texts) -> Write {
    Write { manager, texts, request: ApplyFixture::merging }
}

impl Write {
    fn of(self, fixture: &ApplyFixture) -> Request {
        (self.request)(fixture, self.manager, &fixture.texts(self.texts.iter().copied()))
    }
}

/// The required result of the last write of a case.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expect {
    /// Return this status code.
    Code(u16),
    /// Return 409, with a cause for each of these managers and keys.
    Conflicts(&'static [(&'static str, &'static str)]),
    /// Show these values in the response and in the stored object.
    Texts(&'static [string_map::Expected]),
    /// Record exactly these owners of a key.
    Owners(&'static str, &'static [Owner]),
    /// Record an entry of this owner with exactly these keys, or no entry if there are no keys.
    Owned(Owner, &'static [&'static str]),
    /// Store nothing.
    Unchanged,
}

/// Writes that lead up to the last one, the last one, and the expectations of it.
pub(crate) type Case = (&'static [Write], Write, &'static [Expect]);

/// Runs a case on an object that another manager has created.
pub(crate) async fn on_created_by_other(cx: Context, case: Case) -> Checked {
    run(&*CreatedByOther::arrange(&cx).await?, case).await
}

/// Runs a case on an object with the string field `kept`. Skips where the server does not apply.
pub(crate) async fn on_tracked(cx: Context, case: Case) -> Checked {
    run(&*Tracked::arrange(&cx).await?, case).await
}

/// Runs a case on this fixture.
pub(crate) async fn run(fixture: &ApplyFixture, (before, last, expected): Case) -> Checked {
    for write in before {
        fixture.write(write.of(fixture)).await?;
    }
    let looks_back = expected.iter().any(|expectation| matches!(expectation, Expect::Unchanged));
    let stored = if looks_back { Some(fixture.read().await?.written()?) } else { None };

    let response = fixture.send(last.of(fixture)).await?;

    for expectation in expected {
        expectation.check(fixture, &response).await?;
    }
    match stored {
        Some(stored) => fixture.expect_unchanged(&stored).await,
        None => Ok(()),
    }
}

impl Expect {
    async fn check(self, fixture: &ApplyFixture, response: &Exchange) -> Checked {
        match self {
            Self::Code(code) => response.expect_status(&[code]),
            Self::Conflicts(conflicts) => {
                let fields = conflicts.iter().map(|(manager, key)| (*manager, fixture.field_of_text(key)));
                let fields: Vec<_> = fields.collect();
                let fields: Vec<_> =
                    fields.iter().map(|(manager, field)| (*manager, field.as_str())).collect();
                expect_conflicts(response, &fields)
            }
            Self::Texts(texts) => fixture.expect_texts(response, texts).await,
            Self::Owners(key, owners) => fixture.expect_owners(response, key, owners),
            Self::Owned(owner, keys) => fixture.expect_owned_texts(response, owner, keys),
            // The runner compares the object when it has checked the response.
            Self::Unchanged => Ok(()),
        }
    }
}
