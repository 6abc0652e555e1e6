//! What the record has of the server's own description.

use std::collections::BTreeMap;

use super::kept_body::KeptBody;
use super::reader::Evidence;

impl Evidence {
    /// The bodies of the first successful responses to the run's own requests for some paths, by path.
    pub fn first_responses(&self, wanted: impl Fn(&str) -> bool) -> BTreeMap<&str, Vec<u8>> {
        let mut first: BTreeMap<&str, (u64, Vec<u8>)> = BTreeMap::new();
        for exchange in
            self.exchanges.iter().filter(|exchange| exchange.scenario == 0 && wanted(&exchange.path))
        {
            let succeeded = exchange.head.as_ref().is_some_and(|head| head.status == 200);
            let earlier = first.get(exchange.path.as_str()).is_some_and(|(at, _)| *at < exchange.at);
            if exchange.method == "GET" && succeeded && !earlier {
                let body =
                    exchange.pieces.iter().filter_map(|piece| piece.body.as_ref()).flat_map(KeptBody::unpack);
                first.insert(&exchange.path, (exchange.at, body.collect()));
            }
        }
        first.into_iter().map(|(path, (_, body))| (path, body)).collect()
    }
}
