//! Area `replicas`: what a client may rely on when its requests reach different servers of one control plane.

mod apply;
mod control_plane;
mod definitions;
mod history;
mod lists;
mod races;
mod reads;
mod restart;
mod servers;
mod watches;
mod writes;

suite!["replicas", reads, lists, watches, writes, races, apply, definitions, control_plane, history, restart];
