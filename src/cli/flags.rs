//! The flags that a user gave, as a recording shows them.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueEnum};

use super::Profile;

/// A flag whose value is a credential.
const CREDENTIAL: &str = "token";

/// A flag whose value is `NAME=CMD`; a command may hold a credential.
const COMMAND: &str = "hook";

/// Flags about kube-assay.toml: the others contain what it says.
const OF_FILE: [&str; 2] = ["config", "target"];

/// The flags given to a subcommand by the user, kube-assay.toml or the environment, as `--name` or `--name=value`, in the
/// order of its help.
pub(super) fn given(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let arguments = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let given = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        let sources = [ValueSource::CommandLine, ValueSource::EnvVariable];
        let is_given = matches.try_contains_id(id).is_ok()
            && matches.value_source(id).is_some_and(|source| sources.contains(&source));
        is_given && !OF_FILE.contains(&id)
    };
    arguments.filter(given).flat_map(|argument| shown(argument, matches)).collect()
}

fn shown(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let Some(long) = argument.get_long() else { return Vec::new() };
    // A named profile has no meaning without its file.
    if let Ok(Some(extent)) = matches.try_get_one::<Profile>(argument.get_id().as_str()) {
        let name = extent.to_possible_value().map(|value| value.get_name().to_owned());
        return vec![format!("--{long}={}", name.unwrap_or_default())];
    }
    if !argument.get_action().takes_values() {
        return vec![format!("--{long}")];
    }
    let values = matches.get_raw(argument.get_id().as_str()).into_iter().flatten();
    values.map(|value| format!("--{long}={}", without_secrets(long, &value.to_string_lossy()))).collect()
}

fn without_secrets(long: &str, value: &str) -> String {
    match (long, value.split_once('=')) {
        (CREDENTIAL, _) => "[redacted]".to_owned(),
        (COMMAND, Some((name, _))) => format!("{name}=…"),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, CommandFactory};

    use super::*;
    use crate::cli::{Cli, TargetArgs};

    #[test]
    fn reports_know_the_flags_of_a_target() {
        let command = TargetArgs::augment_args(Command::new("target"));
        let mut flags: Vec<_> =
            command.get_arguments().filter_map(Arg::get_long).map(|long| format!("--{long}")).collect();
        let mut known = reports::TARGET_FLAGS.to_vec();
        flags.sort_unstable();
        known.sort_unstable();
        assert_eq!(flags, known);
    }

    #[test]
    fn reports_repeat_only_flags_of_run() {
        let command = Cli::command();
        let run = command.find_subcommand("run").unwrap();
        let flags: Vec<_> = run.get_arguments().filter_map(Arg::get_long).collect();
        for flag in reports::SCENARIO_FLAGS {
            assert!(flags.contains(&flag.trim_start_matches('-')), "{flag}");
        }
    }

    #[test]
    fn flags_are_shown_without_credentials_and_commands() {
        let line = "kube-assay run --server http://h --token=s3cr3t-token --area watch --area gone --strict \
                    --hook compact=etcdctl-with-password --output-dir out";
        let command = Cli::command();
        let matches = command.clone().try_get_matches_from(line.split_whitespace()).unwrap();
        let mut flags = given(&command, &matches);
        flags.sort_unstable();
        let expected = [
            "--area=gone",
            "--area=watch",
            "--hook=compact=…",
            "--output-dir=out",
            "--server=http://h",
            "--strict",
            "--token=[redacted]",
        ];
        assert_eq!(flags, expected);
    }
}
