//! Services: allocation of cluster IPs and node ports.

use serde_json::{Value, json};

use crate::failure::{Cause, Failure};
use crate::lifecycle;
use crate::metadata::text;
use crate::store::{Commit, Object};
use crate::write::Target;

/// The address of a service in a dry run.
const NO_ADDRESS: &str = "10.0.0.0";

/// The range of node ports.
const NODE_PORTS: std::ops::Range<u16> = 30_000..32_768;

/// Gives a new service a free address, and node ports if its type is `NodePort`.
pub(super) fn complete(target: &Target<'_>, service: &mut Value) -> Result<(), Failure> {
    let spec = &mut service["spec"];
    if spec["type"] == "ExternalName" {
        return Ok(());
    }
    let others = lifecycle::all(target.cluster, "services");
    if spec["type"] == "NodePort" {
        give_node_ports(&others, spec);
    }
    let address = match spec["clusterIP"].as_str() {
        Some("None") => return Ok(()),
        Some(requested) => requested.to_owned(),
        None if target.commit == Commit::Dry => NO_ADDRESS.to_owned(),
        None => free(&others),
    };
    // A dry run does not allocate, so it finds no conflict.
    if target.commit == Commit::Real && is_taken(&others, &address) {
        let cause = Cause::invalid("spec.clusterIPs", &json!([address]), "provided IP is already allocated");
        return Err(Failure::invalid("", "Service", text(service, "name"), &[cause]));
    }
    service["spec"]["clusterIPs"] = json!([address]);
    service["spec"]["clusterIP"] = address.into();
    Ok(())
}

/// Gives each port without a node port a free one.
fn give_node_ports(others: &[Object], spec: &mut Value) {
    let taken = |number: u16| {
        let mut ports = others.iter().filter_map(|other| other["spec"]["ports"].as_array()).flatten();
        ports.any(|port| port["nodePort"] == number)
    };
    for port in spec["ports"].as_array_mut().into_iter().flatten().filter(|port| port["nodePort"].is_null()) {
        let free = std::iter::repeat_with(|| fastrand::u16(NODE_PORTS)).find(|number| !taken(*number));
        port["nodePort"] = free.into();
    }
}

fn is_taken(others: &[Object], address: &str) -> bool {
    others.iter().any(|other| other["spec"]["clusterIP"] == address)
}

fn free(others: &[Object]) -> String {
    loop {
        let address = format!("10.0.{}.{}", fastrand::u8(1..), fastrand::u8(1..255));
        if !is_taken(others, &address) {
            return address;
        }
    }
}
