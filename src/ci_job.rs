//! The CI job that this process is part of, as its environment describes it.

use std::collections::BTreeMap;

use harness::without_user;

/// A CI system.
struct CiSystem {
    name: &'static str,
    /// The variable that only this system sets.
    mark: &'static str,
    /// A label and its variables; the first variable with a value counts.
    labels: &'static [(&'static str, &'static [&'static str])],
    /// Labels that take a part of a variable, or several variables.
    composed: fn(&Variables) -> Vec<(&'static str, String)>,
}

/// The variables of the environment that have a value.
type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The documented variables of each system.
const SYSTEMS: [CiSystem; 4] = [
    // Prow before the others: its jobs may run tools of other systems.
    CiSystem {
        name: "Prow",
        mark: "PROW_JOB_ID",
        labels: &[
            ("commit", &["PULL_PULL_SHA", "PULL_BASE_SHA"]),
            ("branch", &["PULL_BASE_REF"]),
            ("repository", &["REPO_NAME"]),
            ("pull-request", &["PULL_NUMBER"]),
            ("job", &["JOB_NAME"]),
            ("build", &["BUILD_ID"]),
        ],
        composed: |_| Vec::new(),
    },
    CiSystem {
        name: "GitHub Actions",
        mark: "GITHUB_ACTIONS",
        labels: &[
            ("commit", &["GITHUB_SHA"]),
            // In the job of a pull request, GITHUB_REF_NAME is `7/merge`.
            ("branch", &["GITHUB_HEAD_REF", "GITHUB_REF_NAME"]),
            ("repository", &["GITHUB_REPOSITORY"]),
            ("job", &["GITHUB_JOB"]),
            ("build", &["GITHUB_RUN_ID"]),
        ],
        composed: of_github,
    },
    CiSystem {
        name: "GitLab CI",
        mark: "GITLAB_CI",
        labels: &[
            ("commit", &["CI_COMMIT_SHA"]),
            ("branch", &["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME"]),
            ("repository", &["CI_PROJECT_PATH"]),
            ("pull-request", &["CI_MERGE_REQUEST_IID"]),
            ("job", &["CI_JOB_NAME"]),
            ("build", &["CI_JOB_ID"]),
            ("url", &["CI_JOB_URL"]),
        ],
        composed: |_| Vec::new(),
    },
    CiSystem {
        name: "Jenkins",
        mark: "JENKINS_URL",
        labels: &[
            ("commit", &["GIT_COMMIT"]),
            ("branch", &["CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH"]),
            ("pull-request", &["CHANGE_ID"]),
            ("job", &["JOB_NAME"]),
            ("build", &["BUILD_NUMBER"]),
            ("url", &["BUILD_URL"]),
        ],
        composed: |_| Vec::new(),
    },
];

/// The labels of the job, from the variables of its environment; an error outside of every known system.
pub(crate) fn labels(variable: impl Fn(&str) -> Option<String>) -> Result<BTreeMap<String, String>, String> {
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    let Some(system) = SYSTEMS.iter().find(|system| variable(system.mark).is_some()) else {
        let known = SYSTEMS.map(|system| format!("{} ({})", system.name, system.mark)).join(", ");
        return Err(format!(
            "failed to find the CI job for --label-from-ci: the environment has no variable of {known}; hint: give \
             --label commit=… and --label branch=…"
        ));
    };
    let found = system.labels.iter().filter_map(|(label, variables)| {
        let value = variables.iter().find_map(|name| variable(name))?;
        Some(((*label).to_owned(), value))
    });
    let composed = (system.composed)(&variable).into_iter().map(|(label, value)| (label.to_owned(), value));
    // A server's URL may have a user and a password in it.
    let shown = |(label, value): (String, String)| {
        let value = if label == "url" { without_user(&value) } else { value };
        (label, value)
    };
    Ok(found.chain(composed).map(shown).collect())
}

/// GitHub sets no variable for the number of a pull request, nor for the page of a job.
fn of_github(variable: &Variables) -> Vec<(&'static str, String)> {
    let number = variable("GITHUB_REF").and_then(|reference| {
        let (number, _) = reference.strip_prefix("refs/pull/")?.split_once('/')?;
        Some(("pull-request", number.to_owned()))
    });
    let parts = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"].map(variable);
    let url = match parts {
        [Some(server), Some(repository), Some(run)] => {
            Some(("url", format!("{server}/{repository}/actions/runs/{run}")))
        }
        _ => None,
    };
    number.into_iter().chain(url).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels_of(environment: &[(&str, &str)]) -> Result<BTreeMap<String, String>, String> {
        let variable = |name: &str| environment.iter().find(|(known, _)| *known == name);
        labels(|name| variable(name).map(|(_, value)| (*value).to_owned()))
    }

    fn expect(environment: &[(&str, &str)], expected: &[(&str, &str)]) {
        let found = labels_of(environment).unwrap();
        let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_pull_request_on_github() {
        expect(
            &[
                ("GITHUB_ACTIONS", "true"),
                ("GITHUB_SHA", "1f2e"),
                ("GITHUB_REF", "refs/pull/7/merge"),
                ("GITHUB_REF_NAME", "7/merge"),
                ("GITHUB_HEAD_REF", "faster-lists"),
                ("GITHUB_SERVER_URL", "https://github.com"),
                ("GITHUB_REPOSITORY", "o/r"),
                ("GITHUB_RUN_ID", "99"),
                ("GITHUB_JOB", "load"),
            ],
            &[
                ("branch", "faster-lists"),
                ("build", "99"),
                ("commit", "1f2e"),
                ("job", "load"),
                ("pull-request", "7"),
                ("repository", "o/r"),
                ("url", "https://github.com/o/r/actions/runs/99"),
            ],
        );
    }

    #[test]
    fn a_branch_on_github_has_no_pull_request() {
        expect(
            &[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/heads/main"), ("GITHUB_REF_NAME", "main")],
            &[("branch", "main")],
        );
    }

    #[test]
    fn jobs_on_gitlab_jenkins_and_prow() {
        expect(
            &[("GITLAB_CI", "true"), ("CI_COMMIT_SHA", "1f2e"), ("CI_COMMIT_REF_NAME", "main")],
            &[("branch", "main"), ("commit", "1f2e")],
        );
        expect(
            &[
                ("JENKINS_URL", "https://ci"),
                ("GIT_COMMIT", "1f2e"),
                ("BRANCH_NAME", ""),
                ("GIT_BRANCH", "m"),
            ],
            &[("branch", "m"), ("commit", "1f2e")],
        );
        expect(
            &[("PROW_JOB_ID", "p"), ("PULL_BASE_SHA", "0a"), ("PULL_PULL_SHA", "1f"), ("PULL_NUMBER", "7")],
            &[("commit", "1f"), ("pull-request", "7")],
        );
    }

    #[test]
    fn the_page_of_a_job_has_no_password() {
        expect(
            &[("JENKINS_URL", "https://u:p@ci"), ("BUILD_URL", "https://u:p@ci/job/7/")],
            &[("url", "https://ci/job/7/")],
        );
    }

    #[test]
    fn without_a_ci_job_the_error_names_the_flag() {
        let why = labels_of(&[("HOME", "/root")]).unwrap_err();
        assert!(why.contains("--label commit="), "{why}");
    }
}
