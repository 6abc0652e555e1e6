//! The fixture of this area: the collection of the subject, through each server.

use crate::prelude::*;

/// The collection of the subject through each server of the control plane; the first one is the target.
pub(crate) struct Servers {
    cx: Context,
    collections: Vec<Collection>,
}

impl Fixture for Servers {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        let collections: Vec<_> = numbers(cx).map(|server| collection.through(server)).collect();
        // A type that the run has just defined may not be served by all of them yet.
        let served = |server: &Collection| {
            let (cx, list) = (server.context().clone(), Request::from(server.list()));
            async move { cx.wait_until_served(&list).await }
        };
        try_join_all(collections.iter().map(served)).await?;
        Ok(Self { cx: cx.clone(), collections })
    }
}

/// The numbers of the servers: 0 is the target.
pub(super) fn numbers(cx: &Context) -> std::ops::RangeInclusive<u8> {
    0..=u8::try_from(cx.target_info().replicas.len()).unwrap_or(u8::MAX)
}

impl Servers {
    /// The scenario, through the target.
    pub(super) fn cx(&self) -> &Context {
        &self.cx
    }

    /// All servers.
    pub(super) fn all(&self) -> &[Collection] {
        &self.collections
    }

    /// The target.
    pub(super) fn first(&self) -> &Collection {
        &self.collections[0]
    }

    /// The last replica.
    pub(super) fn last(&self) -> &Collection {
        &self.collections[self.collections.len() - 1]
    }

    /// Each server with the next one, and the last with the first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&Collection, &Collection)> {
        self.collections.iter().zip(self.collections.iter().cycle().skip(1))
    }

    /// One server after the other, again and again.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = &Collection> {
        self.collections.iter().cycle()
    }
}
