//! Whether responses show the writes: their own, and those that were acknowledged before their requests were sent; and
//! whether they show the same object.

use super::Mix;
use crate::broken_rules::Rule;
use crate::requests::{LoadRequest, Outcome};
use crate::workload::Verb;

impl Mix {
    /// A write to any object has a later version than all writes to the resource before it.
    pub(super) fn newer_than_writes(&self, verb: Verb, load_request: LoadRequest) -> LoadRequest {
        if !is_write(verb) {
            return load_request;
        }
        LoadRequest { not_older_than: self.stamps.versions.of_resource(), ..load_request }
    }

    /// Judges the state that a successful response shows, and records that of a write.
    pub(super) fn judge_state(
        &self,
        verb: Verb,
        object: usize,
        load_request: &LoadRequest,
        outcome: &Outcome,
    ) {
        let (method, path) = (&load_request.call.method, &load_request.call.path);
        if outcome.is_other == Some(true) {
            self.count(Rule::OtherObject, || format!("the response to {method} {path} has another object"));
        }
        let uid = outcome.uid.as_ref().filter(|_| outcome.is_success());
        let replaced = uid.and_then(|uid| Some((uid, self.stamps.uids.replaced(object, uid)?)));
        if let Some((uid, before)) = replaced {
            self.count(Rule::Replaced, || {
                format!("{method} {path} shows UID {uid:?}, which was {before:?} before")
            });
        }
        let is_right = outcome.is_other == Some(false) && outcome.is_success();
        if is_right && load_request.stamp.is_some() && load_request.stamp != outcome.stamp {
            self.count(Rule::Unstored, || format!("the response to {method} {path} lacks the write"));
        }
        let Some(version) = outcome.version.filter(|_| outcome.is_success()) else { return };
        if is_stale(verb, version, load_request.not_older_than) {
            let known = load_request.not_older_than;
            let example = || {
                format!(
                    "{method} {path} shows version {version}, after a write was acknowledged with {known}"
                )
            };
            self.count(Rule::Stale, example);
        }
        if is_write(verb) {
            self.stamps.versions.acknowledged(object, version);
        }
    }
}

fn is_write(verb: Verb) -> bool {
    matches!(verb, Verb::Create | Verb::Update | Verb::Patch | Verb::Apply)
}

/// Whether a version is older than it can be. Each write of a run changes its object, so its version is a new one.
fn is_stale(verb: Verb, version: u64, not_older_than: u64) -> bool {
    version < not_older_than || (is_write(verb) && version == not_older_than)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_may_show_the_last_write_and_a_write_is_a_new_version() {
        for verb in [Verb::Get, Verb::List] {
            assert_eq!([6, 7, 8].map(|version| is_stale(verb, version, 7)), [true, false, false]);
        }
        for verb in [Verb::Update, Verb::Patch, Verb::Apply] {
            assert_eq!([6, 7, 8].map(|version| is_stale(verb, version, 7)), [true, true, false]);
            assert!(!is_stale(verb, 1, 0), "no write is acknowledged yet");
        }
    }
}
