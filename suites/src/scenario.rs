//! Rows of suites by the names of their functions, and the fixtures of functions.

use std::future::Future;
use std::ops::Deref;

use harness::{Checked, Collection, Context, Halt};

use crate::apply_fixture::ApplyFixture;
use crate::deletion::pod::BoundPod;
use crate::object_fixture::StoredObject;
use crate::openapi::{self, Published};
use crate::pods::GuardedPod;
use crate::{closed_schema, deployments};

/// The row of a function, which has the name of its clause. A row for another clause has its id before the function.
macro_rules! row {
    ($function:path) => {
        row!(&stringify!($function).replace('_', "-"), $function)
    };
    ($clause:expr, $function:path) => {
        harness::row($clause, |cx| $crate::scenario::run($function, cx))
    };
}

/// The rows of a file: `rows![first_function, second_function.namespaced().also("clause")];`.
macro_rules! rows {
    ($($function:ident $(.$modifier:ident($($argument:expr),*))*),* $(,)?) => {
        pub(super) fn rows() -> Vec<harness::Row> {
            vec![$(row!($function)$(.$modifier($($argument),*))*),*]
        }
    };
}

/// The suite of an area: the rows of its files.
macro_rules! suite {
    [$area:literal, $($file:ident),* $(,)?] => {
        pub(crate) fn suite() -> harness::Suite {
            harness::Suite::new($area, [$($file::rows()),*])
        }
    };
}

/// The fixture of a scenario. If it cannot be created, that is a test error, or a reason to skip the scenario.
pub(crate) trait Fixture: Sized + Send + 'static {
    fn arrange(cx: &Context) -> impl Future<Output = Result<Self, Halt>> + Send;
}

/// A function of a scenario. Its fixtures are arranged in the order of its parameters.
pub(crate) trait Scenario<Fixtures>: Send + 'static {
    fn run(self, cx: Context) -> impl Future<Output = Checked> + Send;
}

impl<F, A, R> Scenario<(A,)> for F
where
    F: FnOnce(A) -> R + Send + 'static,
    A: Fixture,
    R: Future<Output = Checked> + Send,
{
    async fn run(self, cx: Context) -> Checked {
        self(A::arrange(&cx).await?).await
    }
}

impl<F, A, B, R> Scenario<(A, B)> for F
where
    F: FnOnce(A, B) -> R + Send + 'static,
    A: Fixture,
    B: Fixture,
    R: Future<Output = Checked> + Send,
{
    async fn run(self, cx: Context) -> Checked {
        let first = A::arrange(&cx).await?;
        self(first, B::arrange(&cx).await?).await
    }
}

/// Arranges the fixtures, and runs the scenario.
pub(crate) fn run<F: Scenario<Fixtures>, Fixtures: 'static>(
    function: F,
    cx: Context,
) -> impl Future<Output = Checked> + Send + 'static {
    function.run(cx)
}

/// Types that are fixtures, each with how it is arranged.
macro_rules! fixture_types {
    ($($(#[$what:meta])* $fixture:ty = |$cx:ident| $arrange:expr;)*) => {
        $(
            $(#[$what])*
            impl Fixture for $fixture {
                async fn arrange($cx: &Context) -> Result<Self, Halt> {
                    $arrange.await
                }
            }
        )*
    };
}

fixture_types! {
    Context = |cx| async { Ok(cx.clone()) };
    /// The collection of the subject.
    Collection = |cx| cx.collection_under_test();
    /// An object of the subject, created and read.
    StoredObject = |cx| StoredObject::create(cx);
    /// An object of the subject that does not exist yet, and its managers.
    ApplyFixture = |cx| ApplyFixture::of_the_subject(cx);
    /// The server's `OpenAPI` documents. Skips where it publishes none.
    Published = |cx| openapi::published(cx);
    /// A Pod on a node.
    BoundPod = |cx| BoundPod::create(cx);
    /// A Pod that a disruption budget guards.
    GuardedPod = |cx| GuardedPod::create(cx);
}

/// An object of the subject that has been written since it was read: as it was read, and as it is stored.
pub(crate) struct Outdated(pub(crate) StoredObject, pub(crate) StoredObject);

impl Fixture for Outdated {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let read = StoredObject::create(cx).await?;
        read.write("second").await?;
        let stored = read.again().await?;
        Ok(Self(read, stored))
    }
}

/// Other fixtures, each with its type and how it is arranged.
macro_rules! fixtures {
    ($($(#[$what:meta])* $fixture:ident($of:ty) = |$cx:ident| $arrange:expr;)*) => {
        $(
            $(#[$what])*
            #[derive(Debug)]
            pub(crate) struct $fixture(pub(crate) $of);

            impl Fixture for $fixture {
                async fn arrange($cx: &Context) -> Result<Self, Halt> {
                    $arrange.await.map(Self)
                }
            }

            impl Deref for $fixture {
                type Target = $of;

                fn deref(&self) -> &$of {
                    &self.0
                }
            }

            impl From<$fixture> for $of {
                fn from(fixture: $fixture) -> $of {
                    fixture.0
                }
            }
        )*
    };
}

fixtures! {
    /// The collection of the subject. Skips where its type keeps unknown fields.
    ClosedSchema(Collection) = |cx| closed_schema::collection(cx);
    /// The config maps of the scenario's namespace.
    ConfigMaps(Collection) = |cx| cx.configmaps();
    /// Deployments, which no controller acts on: see [`deployments`].
    Deployments(Collection) = |cx| deployments::collection(cx);
    /// Custom resources.
    CustomResources(Collection) = |cx| cx.custom_resources();
    /// Custom resources of a type that keeps some unknown fields.
    OpenCustomResources(Collection) = |cx| cx.open_custom_resources();
    /// A config map that does not exist yet, and its managers.
    ConfigMapApplyFixture(ApplyFixture) = |cx| ApplyFixture::of_a_configmap(cx);
    /// A custom resource with every type of list and map that does not exist yet.
    Gizmo(ApplyFixture) = |cx| ApplyFixture::of_a_gizmo(cx);
    /// A Deployment that does not exist yet, and which no controller acts on.
    DeploymentApplyFixture(ApplyFixture) = |cx| ApplyFixture::of_a_deployment(cx);
    /// An object with replicas, which `m1` has applied.
    Scaled(ApplyFixture) = |cx| ApplyFixture::of_a_scaled_thing(cx);
    /// An object of the subject that another manager has created.
    CreatedByOther(ApplyFixture) = |cx| ApplyFixture::of_a_thing(cx, &[]);
    /// The same with the text `kept`. Skips where the server does not apply.
    Tracked(ApplyFixture) = |cx| ApplyFixture::of_a_tracked_thing(cx);
    /// An object of the subject that does not exist yet. Skips where the server does not apply.
    Untracked(ApplyFixture) = |cx| ApplyFixture::of_a_new_thing(cx);
}
