//! `kube-assay.toml`: flags of `run` by profile, and targets by name.
//!
//! The file only adds flags to the command line. A flag that the user gives outranks it, and so does the environment,
//! except for the address of a target: the user asks for that target by a flag, `--target`.

mod flags;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueEnum};
use harness::parse_toml;
use serde::Deserialize;
use toml::Table;

use crate::cli::Profile;
use crate::origin;
use crate::toml_file::read_toml;
use flags::Flags;

/// The file in the working directory that needs no flag.
const NAME: &str = "kube-assay.toml";

/// The profile of every run.
const DEFAULT: &str = "default";

/// The key of a profile that names the one below it.
const INHERITS: &str = "inherits";

/// The most profiles that a profile may inherit from, one through the other.
const MOST_INHERITED: usize = 32;

/// The content of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    /// Targets by name: the flags of a target.
    target: BTreeMap<String, Table>,
    /// Profiles by name: flags of `run`.
    profile: BTreeMap<String, Table>,
}

/// The command line with the flags of the file, and the command that parses it.
pub(crate) fn layered(
    command: Command,
    mut words: Vec<OsString>,
) -> Result<(Command, Vec<OsString>), String> {
    // Help, and wrong flags, are for the second parsing, which ends with them.
    let Ok(first) = lenient(command.clone()).try_get_matches_from(&words) else {
        return Ok((command, words));
    };
    let Some((name, matches)) = first.subcommand() else { return Ok((command, words)) };
    let Some(subcommand) = command.find_subcommand(name).cloned() else { return Ok((command, words)) };
    let (path, file) = match matches.try_get_one::<PathBuf>("config") {
        Err(_) => return Ok((command, words)),
        Ok(given) => read(given.map(PathBuf::as_path))?,
    };
    let mut flags = Flags::new(&subcommand, matches, path.parent().unwrap_or(Path::new("")));
    let wrong = |why: String| format!("{} cannot be used: {why}", path.display());
    if let Some(target) = matches.get_one::<String>("target") {
        flags.add_target(target, file.target(target).map_err(wrong)?).map_err(wrong)?;
    }
    let mut profiles = BTreeMap::new();
    if name == "run" {
        let given = matches.get_one::<String>("profile").filter(|_| is_given(matches, "profile"));
        let (settings, extent) = file.settings(given.map_or(DEFAULT, String::as_str)).map_err(wrong)?;
        flags.add_profile(&settings, extent).map_err(wrong)?;
        for name in file.profile.keys() {
            profiles.insert(name.clone(), file.settings(name).map_err(wrong)?.1.unwrap_or(Profile::Core));
        }
    }
    let lost = flags.lost_environment();
    if let Some(variable) = flags.empty_variable(&lost) {
        let variable = variable.display();
        return Err(format!("the variable {variable} is empty; hint: give it a value, or unset it"));
    }
    origin::learn(flags.origins(&path, &lost));
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.splice(end..end, flags.into_words());
    let command = command.mut_subcommand(name, |command| with_profiles(without(command, &lost), profiles));
    Ok((command, words))
}

impl File {
    /// The flags of a target.
    fn target(&self, name: &str) -> Result<&Table, String> {
        let names: Vec<&str> = self.target.keys().map(String::as_str).collect();
        let hint = match names.as_slice() {
            [] => format!("add [target.{name}]"),
            _ => format!("it has [{}]", names.join(", ")),
        };
        let none = || format!("it has no target {name:?}; hint: {hint}");
        self.target.get(name).ok_or_else(none)
    }

    fn has_profile(&self, name: &str) -> bool {
        built_in(name).is_some() || self.profile.contains_key(name)
    }

    /// The settings of a run with a profile: those of the default profile, and over them those of the named one and the
    /// ones below it. The extent is `None` where no profile sets it.
    fn settings(&self, name: &str) -> Result<(Table, Option<Profile>), String> {
        let mut chain = Vec::new();
        let (mut next, mut extent) = (Some(name.to_owned()), None);
        while let Some(name) = next.take() {
            extent = built_in(&name);
            if extent.is_some() {
                break;
            }
            if chain.len() > self.profile.len() {
                return Err(format!("profile {name:?} inherits from itself"));
            }
            if chain.len() > MOST_INHERITED {
                return Err(format!(
                    "profile {name:?} is inherited through more than {MOST_INHERITED} profiles"
                ));
            }
            let Some(settings) = self.profile.get(&name) else {
                // Without any such profile the command line has the better error.
                break;
            };
            next = match settings.get(INHERITS) {
                None => None,
                Some(toml::Value::String(below)) if self.has_profile(below) => Some(below.clone()),
                Some(other) => {
                    return Err(format!("profile {name:?} inherits from {other}, which is no profile"));
                }
            };
            chain.push(settings);
        }
        let mut merged = self.profile.get(DEFAULT).cloned().unwrap_or_default();
        for settings in chain.into_iter().rev() {
            merged.extend(settings.clone());
        }
        merged.remove(INHERITS);
        Ok((merged, extent))
    }
}

/// The extent of this name.
fn built_in(name: &str) -> Option<Profile> {
    Profile::from_str(name, false).ok()
}

/// The named file, or else the one in the working directory, or else an empty one.
fn read(given: Option<&Path>) -> Result<(PathBuf, File), String> {
    let path = given.unwrap_or(Path::new(NAME));
    // A link that leads nowhere is a mistake, and no absent file.
    if given.is_none() && path.symlink_metadata().is_err() {
        return Ok((path.to_owned(), File::default()));
    }
    let shown = path.display();
    let text = read_toml(path)?;
    let file: File = parse_toml(&text).map_err(|why| format!("{shown} cannot be used: {why}"))?;
    match file.profile.keys().find(|name| built_in(name).is_some()) {
        None => Ok((path.to_owned(), file)),
        Some(name) => Err(format!(
            "{shown} cannot be used: profile {name:?} is built in; hint: choose another name, with inherits = {name:?}"
        )),
    }
}

/// Parses as far as possible, without the environment, and takes any name of a profile.
fn lenient(command: Command) -> Command {
    let any_name = |arg: Arg| match arg.get_id().as_str() {
        "profile" => arg.value_parser(clap::value_parser!(String)),
        _ => arg.env(None::<&str>),
    };
    command.ignore_errors(true).mut_subcommands(|command| command.mut_args(any_name))
}

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Without the variables of some flags.
fn without(command: Command, flags: &[String]) -> Command {
    let is_lost = |arg: &Arg| flags.iter().any(|flag| arg.get_id() == flag.as_str());
    command.mut_args(|arg| if is_lost(&arg) { arg.env(None::<&str>) } else { arg })
}

/// Also takes the names of the file's profiles, each for its extent.
fn with_profiles(command: Command, profiles: BTreeMap<String, Profile>) -> Command {
    if profiles.is_empty() {
        return command;
    }
    let parse = move |text: &str| {
        profiles.get(text).copied().or_else(|| built_in(text)).ok_or_else(|| {
            let names: Vec<&str> =
                profiles.keys().map(String::as_str).filter(|name| *name != DEFAULT).collect();
            format!("there is no such profile; hint: give basic, core, full, {}", names.join(", "))
        })
    };
    command.mut_args(|arg| if arg.get_id() == "profile" { arg.value_parser(parse.clone()) } else { arg })
}
