//! Fixtures of requests that must be rejected.

use std::marker::PhantomData;
use std::ops::Deref;

use super::RejectionFixture;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::expect_alive;

/// Collections without an object: there is none of the usual name afterwards.
macro_rules! without_object {
    ($($fixture:ty),*) => {
        $(
            impl RejectionFixture for $fixture {
                fn collection(&self) -> &Collection {
                    self
                }

                async fn expect_unchanged(&self) -> Checked {
                    expect_absent(self, NAME).await
                }
            }
        )*
    };
}

without_object![Collection, ClosedSchema, ConfigMaps, CustomResources, Deployments];

impl RejectionFixture for StoredObject {
    fn collection(&self) -> &Collection {
        &self.collection
    }

    async fn expect_unchanged(&self) -> Checked {
        StoredObject::expect_unchanged(self).await
    }

    async fn expect_alive(&self) -> Checked {
        expect_alive(&*self.get().await?, &self.read).map(drop)
    }
}

impl RejectionFixture for Outdated {
    fn collection(&self) -> &Collection {
        &self.0.collection
    }

    async fn expect_unchanged(&self) -> Checked {
        self.1.expect_unchanged().await
    }

    async fn expect_alive(&self) -> Checked {
        RejectionFixture::expect_alive(&self.1).await
    }
}

/// Objects of a collection, each with how it is created there.
macro_rules! objects_in {
    ($($(#[$what:meta])* $fixture:ident = |$cx:ident, $collection:ident| $create:expr;)*) => {
        $(
            $(#[$what])*
            pub(crate) struct $fixture<C = Collection>(StoredObject, PhantomData<fn(C)>);

            impl<C: Fixture + Into<Collection>> Fixture for $fixture<C> {
                async fn arrange($cx: &Context) -> Result<Self, Halt> {
                    let $collection: Collection = C::arrange($cx).await?.into();
                    Ok(Self($create.await?, PhantomData))
                }
            }

            impl<C: Fixture + Into<Collection>> RejectionFixture for $fixture<C> {
                fn collection(&self) -> &Collection {
                    &self.0.collection
                }

                async fn expect_unchanged(&self) -> Checked {
                    self.0.expect_unchanged().await
                }
            }

            impl<C> Deref for $fixture<C> {
                type Target = StoredObject;

                fn deref(&self) -> &StoredObject {
                    &self.0
                }
            }
        )*
    };
}

objects_in! {
    /// A stored object of this collection.
    StoredIn = |cx, collection| StoredObject::create_among(cx, collection);
    /// A stored object of this collection with the string map `k: v, a: 1`: see [`string_map`].
    StringMapIn = |cx, collection| with_string_map(cx, collection);
}

/// A stored object of the subject with the string map `k: v, a: 1`.
pub(crate) type StringMap = StringMapIn<Collection>;

async fn with_string_map(cx: &Context, collection: Collection) -> Result<StoredObject, Halt> {
    string_map::create(&collection, NAME, &[("k", "v"), ("a", "1")]).await?;
    StoredObject::read(cx, collection).await
}

/// A collection of one object, and a version that it has had.
pub(crate) struct Listed {
    pub(crate) collection: Collection,
    pub(crate) version: String,
}

impl Fixture for Listed {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create(NAME).await?;
        let version = collection.now().await?.version;
        Ok(Self { collection, version })
    }
}

impl RejectionFixture for Listed {
    fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Lists change nothing.
    async fn expect_unchanged(&self) -> Checked {
        Ok(())
    }
}

/// An apply fixture without its object, and then with it.
pub(crate) struct AbsentThenStored {
    fixture: ApplyFixture,
    stored: Option<Object>,
}

impl Fixture for AbsentThenStored {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        Ok(Self { fixture: ApplyFixture::of_the_subject(cx).await?, stored: None })
    }
}

impl Deref for AbsentThenStored {
    type Target = ApplyFixture;

    fn deref(&self) -> &ApplyFixture {
        &self.fixture
    }
}

impl RejectionFixture for AbsentThenStored {
    fn collection(&self) -> &Collection {
        &self.fixture.collection
    }

    async fn expect_unchanged(&self) -> Checked {
        match &self.stored {
            None => self.fixture.expect_absent().await,
            Some(stored) => self.fixture.expect_unchanged(stored).await,
        }
    }

    async fn another_state(self) -> Result<Option<Self>, Halt> {
        if self.stored.is_some() {
            return Ok(None);
        }
        let stored = self.fixture.created(&[("kept", "yes")]).await?;
        Ok(Some(Self { stored: Some(stored), ..self }))
    }
}
