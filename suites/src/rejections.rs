//! Rows of requests that must be rejected and change nothing, and their runner.
//!
//! The function of the requests takes the fixture, as a scenario does.

mod fixtures;

use std::future::Future;

pub(crate) use self::fixtures::{AbsentThenStored, Listed, StoredIn, StringMap, StringMapIn};
use crate::apply_fixture::is_apply;
use crate::patch_types::{self, is_built_in};
use crate::prelude::*;

/// The codes for invalid requests, where the server may choose.
///
/// For many requests the documentation has 400 and kube-apiserver 422, or the other way round.
pub(crate) const OF_CLIENTS: &[u16] = &[400, 409, 412, 422];

/// A fixture that rejected requests leave as it was.
pub(crate) trait RejectionFixture: Fixture + Sync {
    /// The collection of the requests.
    fn collection(&self) -> &Collection;

    /// The object is as it was arranged; where there was none, there is none.
    fn expect_unchanged(&self) -> impl Future<Output = Checked> + Send;

    /// The object exists and is not being deleted.
    fn expect_alive(&self) -> impl Future<Output = Checked> + Send {
        self.expect_unchanged()
    }

    /// The fixture in another state, in which the requests are sent as well.
    fn another_state(self) -> impl Future<Output = Result<Option<Self>, Halt>> + Send {
        async { Ok(None) }
    }
}

/// A row: a clause, and requests that the server must reject with one of these codes.
pub(crate) struct Rejection<F> {
    clause: &'static str,
    requests: Box<RequestsOf<F>>,
    codes: &'static [u16],
    codes_of_custom_types: &'static [u16],
    reason: Option<&'static str>,
    check: Option<fn(&Exchange) -> Checked>,
    afterwards: Afterwards,
    absent: &'static [&'static str],
}

/// The requests, given the fixture.
type RequestsOf<F> = dyn Fn(&F) -> Vec<Request> + Send + Sync;

/// The check of the fixture after each request.
#[derive(Debug, Clone, Copy)]
enum Afterwards {
    /// The object is as it was.
    Unchanged,
    /// The object exists and is not being deleted.
    Alive,
    /// Nothing: the clause is about the response alone.
    Nothing,
}

/// Requests that must be rejected with one of these codes, for any reason. The fixture stays as it was.
pub(crate) fn rejected<F, R: Requests>(
    clause: &'static str,
    codes: &'static [u16],
    requests: impl Fn(&F) -> R + Send + Sync + 'static,
) -> Rejection<F> {
    Rejection {
        clause,
        requests: Box::new(move |fixture| requests(fixture).all()),
        codes,
        codes_of_custom_types: &[],
        reason: None,
        check: None,
        afterwards: Afterwards::Unchanged,
        absent: &[],
    }
}

/// One request, or some.
pub(crate) trait Requests {
    fn all(self) -> Vec<Request>;
}

impl Requests for Request {
    fn all(self) -> Vec<Request> {
        vec![self]
    }
}

impl Requests for Query {
    fn all(self) -> Vec<Request> {
        vec![self.into()]
    }
}

impl<R: Into<Request>> Requests for Vec<R> {
    fn all(self) -> Vec<Request> {
        self.into_iter().map(R::into).collect()
    }
}

impl<R: Into<Request>, const N: usize> Requests for [R; N] {
    fn all(self) -> Vec<Request> {
        self.map(R::into).into()
    }
}

impl<F: RejectionFixture> Rejection<F> {
    /// The reason that the Status must give.
    pub(crate) fn reason(self, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Codes that are also legal for custom types: they find a body invalid that built-in types cannot decode.
    pub(crate) fn or_of_custom_types(self, codes: &'static [u16]) -> Self {
        Self { codes_of_custom_types: codes, ..self }
    }

    /// What else the response must say.
    pub(crate) fn and(self, check: fn(&Exchange) -> Checked) -> Self {
        Self { check: Some(check), ..self }
    }

    /// There are no objects of these names afterwards.
    pub(crate) fn none_called(self, names: &'static [&'static str]) -> Self {
        Self { absent: names, ..self }
    }

    /// The object may change afterwards, but is not being deleted.
    pub(crate) fn alive(self) -> Self {
        Self { afterwards: Afterwards::Alive, ..self }
    }

    /// The clause is about the response alone: nothing is looked at afterwards.
    pub(crate) fn response_only(self) -> Self {
        Self { afterwards: Afterwards::Nothing, ..self }
    }

    /// The row of a suite.
    pub(crate) fn row(self) -> Row {
        let rejection = Arc::new(self);
        harness::row(rejection.clause, move |cx| {
            let rejection = rejection.clone();
            async move { rejection.run(&cx).await }
        })
    }

    async fn run(&self, cx: &Context) -> Checked {
        let mut state = Some(F::arrange(cx).await?);
        while let Some(fixture) = state {
            for request in (self.requests)(&fixture) {
                let applies = is_apply(&request);
                let response = cx.send(request).await?;
                if applies {
                    patch_types::applies(cx, &response)?;
                }
                self.expect(fixture.collection(), &response)?;
                self.expect_nothing_changed(&fixture).await?;
            }
            state = fixture.another_state().await?;
        }
        Ok(())
    }

    fn expect(&self, collection: &Collection, response: &Exchange) -> Checked {
        let custom = if is_built_in(collection) { &[] } else { self.codes_of_custom_types };
        let codes = [self.codes, custom].concat();
        match self.reason {
            Some(reason) => response.expect_error(&codes, &[reason])?,
            None => response.expect_rejection(&codes)?,
        };
        self.check.map_or(Ok(()), |check| check(response))
    }

    async fn expect_nothing_changed(&self, fixture: &F) -> Checked {
        match self.afterwards {
            Afterwards::Unchanged => fixture.expect_unchanged().await?,
            Afterwards::Alive => fixture.expect_alive().await?,
            Afterwards::Nothing => {}
        }
        for name in self.absent {
            expect_absent(fixture.collection(), name).await?;
        }
        Ok(())
    }
}
