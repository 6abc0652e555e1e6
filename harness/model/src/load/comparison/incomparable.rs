//! Differences that rule out the comparison of two runs.

use std::collections::BTreeSet;
use std::fmt;

use crate::load::run::{LoadRun, Workload};

/// A difference that makes a comparison worthless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlike {
    /// The setting that differs.
    pub what: String,
    /// Its value in the base.
    pub base: String,
    /// Its value in the new run.
    pub new: String,
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} in the base, {} in the new run", self.what, self.base, self.new)
    }
}

/// Every difference that rules out a comparison; empty if the runs can be compared.
///
/// Servers may differ in patch release and build, the subject of a comparison, but not in minor.
pub fn unlike(base: &LoadRun, new: &LoadRun) -> Vec<Unlike> {
    let minor = |run: &LoadRun| run.target.version.map_or(String::new(), |version| version.to_string());
    let facts = |run: &LoadRun| {
        let (workload, version) = (run.workload.clone(), minor(run));
        [workload.name, run.seed.to_string(), workload.pace, workload.population, version]
    };
    let names = ["workload", "seed", "pace", "population", "target version"].map(str::to_owned);
    let facts = names.into_iter().zip(facts(base).into_iter().zip(facts(new)));
    let settings: BTreeSet<&String> =
        base.workload.settings.keys().chain(new.workload.settings.keys()).collect();
    let setting = |run: &LoadRun, name: &String| run.workload.settings.get(name).cloned().unwrap_or_default();
    let settings = settings
        .into_iter()
        .map(|name| (format!("setting {name}"), (setting(base, name), setting(new, name))));
    let mut unlike: Vec<Unlike> = facts
        .chain(settings)
        .filter(|(_, (base, new))| base != new)
        .map(|(what, (base, new))| Unlike { what, base: or_nothing(base), new: or_nothing(new) })
        .collect();
    if unlike.is_empty() {
        unlike.extend(other_objects(&base.workload, &new.workload));
    }
    unlike
}

/// The digest alone also covers the template of the objects. Files of earlier versions have none.
fn other_objects(base: &Workload, new: &Workload) -> Option<Unlike> {
    let (base, new) = (&base.digest, &new.digest);
    let differ = !base.is_empty() && !new.is_empty() && base != new;
    differ.then(|| Unlike { what: "workload digest".to_owned(), base: base.clone(), new: new.clone() })
}

fn or_nothing(value: String) -> String {
    if value.is_empty() { "nothing".to_owned() } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target_info::TargetInfo;

    fn run() -> LoadRun {
        let workload = Workload {
            name: "crud-mix".to_owned(),
            settings: [("duration".to_owned(), "60s".to_owned())].into(),
            ..Workload::default()
        };
        let target = TargetInfo { version: "1.36".parse().ok(), ..TargetInfo::default() };
        LoadRun::new("kube-assay 0", "a", workload, target, jiff::Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn runs_of_one_workload_are_comparable_across_builds_and_times() {
        let mut other = run();
        (other.run, other.began) = ("b".to_owned(), jiff::Timestamp::MAX);
        other.target.release = "v1.36.1-dirty".to_owned();
        assert_eq!(unlike(&run(), &other), []);
        other.workload.digest = "ab12".to_owned();
        assert_eq!(unlike(&run(), &other), [], "the base is of an earlier version");
    }

    #[test]
    fn another_template_is_a_difference() {
        let of_template = |digest: &str| {
            let mut run = run();
            run.workload.digest = digest.to_owned();
            run
        };
        let found = unlike(&of_template("ab12"), &of_template("cd34"));
        assert_eq!(found[0].to_string(), "workload digest: ab12 in the base, cd34 in the new run");
    }

    #[test]
    fn every_difference_is_reported() {
        type Change = fn(&mut LoadRun);
        let changes: [(&str, Change); 7] = [
            ("workload", |run| run.workload.name.push('2')),
            ("seed", |run| run.seed = 9),
            ("pace", |run| run.workload.pace.push('2')),
            ("population", |run| run.workload.population.push('2')),
            ("target version", |run| run.target.version = "1.35".parse().ok()),
            ("setting duration", |run| run.workload.settings.clear()),
            ("setting watches", |run| {
                run.workload.settings.insert("watches".to_owned(), "9".to_owned());
            }),
        ];
        let mut all = run();
        for (what, change) in changes {
            let mut other = run();
            change(&mut other);
            change(&mut all);
            let found: Vec<String> = unlike(&run(), &other).into_iter().map(|one| one.what).collect();
            assert_eq!(found, [what]);
        }
        assert_eq!(unlike(&run(), &all).len(), 7);
        let text = unlike(&run(), &all)[5].to_string();
        assert_eq!(text, "setting duration: 60s in the base, nothing in the new run");
    }
}
