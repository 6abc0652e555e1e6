//! `cargo ci check`: every stage in order, stopping at the first failure.

use std::time::{Duration, Instant};

use crate::cli::RealOptions;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;
use crate::{cargo, deny, packaging, real, tidy};

type Stage = (&'static str, fn(&Workspace) -> Result<Notices, TaskError>);

/// Cheapest first, so that common mistakes show within seconds.
const STAGES: &[Stage] = &[
    ("fmt", cargo::fmt),
    ("tidy", tidy::run),
    ("lint", cargo::lint),
    ("deny", deny::run),
    ("test", cargo::test),
    // Like `real`, it starts a server, and from then on the first signal only stops that.
    ("packaging", packaging::run),
    ("real", |workspace| real::run(workspace, &RealOptions::default())),
];

/// Runs all stages. Prints the time of each at the end, and repeats the notices.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    let (notices, times) = perform(STAGES, workspace)?;
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    let stages: Vec<String> =
        times.iter().map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64())).collect();
    println!("\nAll stages passed in {:.1} s: {}.", total.as_secs_f64(), stages.join(", "));
    for notice in &notices {
        println!("{notice}");
    }
    Ok(notices)
}

type Times = Vec<(&'static str, Duration)>;

fn perform(stages: &[Stage], workspace: &Workspace) -> Result<(Notices, Times), TaskError> {
    let mut notices = Notices::new();
    let mut times = Times::new();
    for (name, stage) in stages {
        println!("── {name}");
        let start = Instant::now();
        let outcome = stage(workspace);
        let time = start.elapsed();
        let seconds = time.as_secs_f64();
        match outcome {
            Ok(new) => {
                println!("── {name}: passed in {seconds:.1} s");
                notices.extend(new);
                times.push((*name, time));
            }
            Err(task_error) => {
                let sentence = format!("stage {name} failed after {seconds:.1} s: {task_error}");
                return Err(TaskError::new(sentence));
            }
        }
    }
    Ok((notices, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::Notice;

    #[test]
    fn the_first_failure_ends_the_check_with_the_name_of_its_stage() {
        let workspace = Workspace::find().expect("tests run in the workspace");
        let stages: &[Stage] = &[
            ("fine", |_| Ok(Notices::new())),
            ("broken", |_| Err(TaskError::new("it broke"))),
            ("never", |_| unreachable!("the check went on after a failure")),
        ];

        let task_error = perform(stages, &workspace).expect_err("the second stage fails");

        assert!(task_error.to_string().starts_with("stage broken failed after"), "{task_error}");
        assert!(task_error.to_string().ends_with("it broke"), "{task_error}");
    }

    #[test]
    fn notices_of_all_stages_are_repeated_at_the_end() {
        let workspace = Workspace::find().expect("tests run in the workspace");
        let stages: &[Stage] = &[
            ("one", |_| Ok(vec![Notice::announce(["first".into()])])),
            ("two", |_| Ok(vec![Notice::announce(["second".into()])])),
        ];

        let (notices, times) = perform(stages, &workspace).expect("both stages pass");

        assert_eq!(notices.len(), 2);
        assert_eq!(times.len(), 2);
    }
}
