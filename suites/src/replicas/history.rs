//! The history of concurrent clients, each of which uses one server.

use harness::history::HistoryRule;

use super::servers::Servers;
use crate::history::clients_of_servers_keep;
use crate::prelude::*;

rows![replicas_linearizable.namespaced()];

async fn replicas_linearizable(servers: Servers) -> Checked {
    let rules = [HistoryRule::WritesOrdered, HistoryRule::ReadsLinearizable];
    clients_of_servers_keep(servers.all(), &rules).await
}
