//! The runner of requests that must be rejected.

use super::{Afterwards, Case, Fixture, Of, Requests};
use crate::apply_fixture::is_apply;
use crate::patch_types::{self, is_built_in};
use crate::prelude::*;
use crate::unchanged_object::{expect_absent, expect_alive};
use crate::{closed_schema, deployments, string_map};

/// Arranges the fixture, sends the requests, and looks at what is there afterwards.
pub(super) async fn run(cx: Context, case: Case) -> Checked {
    let collection = case.collection(&cx).await?;
    match case.requests {
        Requests::Object(requests) => {
            let (read, now) = case.arrange(&cx, &collection).await?;
            case.all_rejected(&cx, &collection, requests(&read), Some(&now)).await
        }
        Requests::Nothing(requests) => case.all_rejected(&cx, &collection, requests(&collection), None).await,
        Requests::Collection(requests) => {
            collection.create(NAME).await?;
            let version = collection.now().await?.version;
            for list in requests(&collection, &version) {
                case.expect(&collection, &*list.await?)?;
            }
            Ok(())
        }
    }
}

impl Case {
    async fn collection(&self, cx: &Context) -> Result<Collection, Halt> {
        match self.collection {
            Of::Subject => cx.collection_under_test().await,
            Of::ClosedSchema => closed_schema::collection(cx).await,
            Of::ConfigMaps => cx.configmaps().await,
            Of::CustomResources => cx.custom_resources().await,
            Of::Deployments => deployments::collection(cx).await,
        }
    }

    /// The object as it was read, and as it is stored.
    async fn arrange(
        &self,
        cx: &Context,
        collection: &Collection,
    ) -> Result<(StoredObject, StoredObject), Halt> {
        let read = if let Fixture::WithTexts = self.fixture {
            string_map::create(collection, NAME, &[("k", "v"), ("a", "1")]).await?;
            StoredObject::read(cx, collection.clone()).await?
        } else {
            StoredObject::create_among(cx, collection.clone()).await?
        };
        if let Fixture::Outdated = self.fixture {
            read.write("changed").await?;
            let now = read.again().await?;
            return Ok((read, now));
        }
        Ok((read.clone(), read))
    }

    async fn all_rejected(
        &self,
        cx: &Context,
        collection: &Collection,
        requests: Vec<Request>,
        object: Option<&StoredObject>,
    ) -> Checked {
        for request in requests {
            let applies = is_apply(&request);
            let refused = cx.send(request).await?;
            if applies {
                patch_types::applies(cx, &refused)?;
            }
            self.expect(collection, &refused)?;
            self.expect_nothing_changed(collection, object).await?;
        }
        Ok(())
    }

    fn expect(&self, collection: &Collection, refused: &Exchange) -> Checked {
        let custom = if is_built_in(collection) { &[] } else { self.codes_of_custom_types };
        let codes = [self.codes, custom].concat();
        match self.reason {
            Some(reason) => refused.expect_error(&codes, &[reason])?,
            None => refused.expect_refusal(&codes)?,
        };
        self.check.map_or(Ok(()), |check| check(refused))
    }

    async fn expect_nothing_changed(
        &self,
        collection: &Collection,
        object: Option<&StoredObject>,
    ) -> Checked {
        match (self.afterwards, object) {
            (Afterwards::Unchanged, Some(object)) => object.expect_unchanged().await?,
            (Afterwards::Alive, Some(object)) => {
                expect_alive(&*object.get().await?, &object.read)?;
            }
            _ => {}
        }
        for name in self.absent {
            expect_absent(collection, name).await?;
        }
        Ok(())
    }
}
