//! Work that one scenario does for all scenarios of a run.

use std::any::Any;
use std::sync::Arc;

use model::Halt;

use super::Context;

impl Context {
    /// The value of this name: whichever scenario needs it first makes it, and the others wait for it. A value that could
    /// not be made is made again for the next scenario, unless the value itself is an error.
    ///
    /// A name belongs to one type of value.
    pub async fn once_per_run<T: Any + Send + Sync>(
        &self,
        name: &str,
        make: impl Future<Output = Result<T, Halt>>,
    ) -> Result<Arc<T>, Halt> {
        let cell = self.session().shared_values.cell(name);
        let branch = self.session().client.shared(name);
        let making =
            branch.run(async { make.await.map(|made| Arc::new(made) as Arc<dyn Any + Send + Sync>) });
        let value = cell.get_or_try_init(|| making).await?.clone();
        value.downcast().map_err(|_| self.test_error(format!("share {name}"), "it is of another type").into())
    }
}
