//! The labels of a run: the user's, and those of the CI job that it is part of.

use std::collections::BTreeMap;
use std::env;

use clap::Args;

use super::label;
use crate::ci_job;

/// Names and values for the reports of a run.
#[derive(Debug, Args)]
pub(crate) struct LabelArgs {
    /// Label of the run, for its reports, for example team=storage (repeatable)
    #[arg(long = "label", value_name = "NAME=VALUE", value_parser = label)]
    given: Vec<(String, String)>,
    /// Take the labels commit, branch, repository, pull-request, job, build and url from the environment of GitHub
    /// Actions, GitLab CI, Jenkins or Prow; --label takes precedence
    #[arg(long)]
    label_from_ci: bool,
}

impl LabelArgs {
    /// All labels. An error if the environment of a CI job is required and there is none, or if a label is given twice.
    pub(crate) fn labels(&self) -> Result<BTreeMap<String, String>, String> {
        let from_ci = self.label_from_ci.then(|| ci_job::labels(|name| env::var(name).ok())).transpose()?;
        let mut labels = from_ci.unwrap_or_default();
        let mut given = BTreeMap::new();
        for (name, value) in &self.given {
            if let Some(other) = given.insert(name.clone(), value.clone()) {
                return Err(format!(
                    "--label gives {name} two values, {other:?} and {value:?}; hint: give each label once"
                ));
            }
        }
        labels.extend(given);
        Ok(labels)
    }
}
