//! The flags that the file adds to the command line.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum};
use toml::{Table, Value};

use super::{INHERITS, is_given};
use crate::cli::Profile;
use crate::suggest::suggest;

/// Flags that name the server: a target by name outranks their variables.
const ADDRESS: [&str; 4] = ["server", "kubeconfig", "context", "in_cluster"];

/// The beginning of the variables that give flags.
const OURS: &str = "KUBE_ASSAY_";

/// A credential: a file that a team shares holds none.
const CREDENTIAL: &str = "token";

/// The flags of a subcommand: given by the user, and added by the file.
pub(super) struct Flags<'a> {
    command: &'a Command,
    given: Vec<&'a Arg>,
    added: Vec<&'a Arg>,
    words: Vec<OsString>,
    folder: &'a Path,
}

impl<'a> Flags<'a> {
    /// Paths in the file are relative to its folder.
    pub(super) fn new(command: &'a Command, matches: &ArgMatches, folder: &'a Path) -> Self {
        let given = command.get_arguments().filter(|arg| is_given(matches, arg.get_id().as_str()));
        Self { command, given: given.collect(), added: Vec::new(), words: Vec::new(), folder }
    }

    /// Adds the flags of a target, which the user has not named in another way.
    pub(super) fn add_target(&mut self, name: &str, flags: &Table) -> Result<(), String> {
        let address = |arg: &&&Arg| ADDRESS.contains(&arg.get_id().as_str());
        if let Some(other) = self.given.iter().find(address) {
            let other = other.get_long().unwrap_or_default();
            return Err(format!("target {name:?} and --{other} name two servers; hint: give one of them"));
        }
        if !self.names_server(flags) {
            return Err(format!(
                "target {name} names no server; hint: give it server, kubeconfig or in-cluster = true"
            ));
        }
        for (key, value) in flags {
            let arg = self.arg(key, is_of_target)?;
            let by_name = ADDRESS.contains(&arg.get_id().as_str());
            let outranks = |other: &Arg| has_variable(other) && (other == arg || self.excludes(arg, other));
            if by_name || !self.command.get_arguments().any(outranks) {
                self.add(arg, value)?;
            }
        }
        Ok(())
    }

    /// Whether the flags of a target, or the environment, name a server. A wrong value gets its own error later.
    fn names_server(&self, flags: &Table) -> bool {
        let named = flags.iter().any(|(key, value)| {
            ADDRESS.contains(&key.replace('-', "_").as_str()) && *value != Value::Boolean(false)
        });
        named || self.command.get_arguments().any(|arg| arg.get_id() == "server" && has_variable(arg))
    }

    /// Adds the settings of a profile.
    pub(super) fn add_profile(&mut self, settings: &Table, extent: Option<Profile>) -> Result<(), String> {
        for (key, value) in settings {
            let arg = self.arg(key, |arg| !is_of_target(arg))?;
            self.add(arg, value)?;
        }
        match (extent, self.command.get_arguments().find(|arg| arg.get_id() == "profile")) {
            (Some(extent), Some(arg)) => {
                let name = extent.to_possible_value().map(|value| value.get_name().to_owned());
                self.add(arg, &Value::String(name.unwrap_or_default()))
            }
            _ => Ok(()),
        }
    }

    /// The variables that a flag outranks, and those of a target without an address.
    pub(super) fn lost_environment(&self) -> Vec<String> {
        let present: Vec<&Arg> = self.given.iter().chain(&self.added).copied().collect();
        let outranked = |arg: &Arg| present.iter().any(|other| self.excludes(arg, other));
        let server = self.command.get_arguments().find(|arg| arg.get_id() == "server");
        let has_server = server
            .is_some_and(|server| present.contains(&server) || has_variable(server) && !outranked(server));
        // Others, such as the index of a Job's pod, are no variables of ours.
        let is_ours = |arg: &Arg| arg.get_env().is_some_and(|name| name.to_string_lossy().starts_with(OURS));
        let lost = |arg: &&Arg| is_ours(arg) && (!has_server || outranked(arg));
        self.command.get_arguments().filter(lost).map(|arg| arg.get_id().to_string()).collect()
    }

    /// The flags whose values the user has not given on the command line, each with the origin: the file, or a variable.
    pub(super) fn origins(&self, file: &Path, lost: &[String]) -> Vec<(String, String)> {
        let flag = |arg: &Arg| format!("--{}", arg.get_long().unwrap_or_default());
        let of_file = self.added.iter().map(|arg| (flag(arg), format!("{} in {}", key(arg), file.display())));
        let of_variables =
            self.variables(lost).map(|(arg, name)| (flag(arg), format!("the variable {}", name.display())));
        of_file.chain(of_variables).collect()
    }

    /// The first variable without a text in it, of those that give flags: it may stand for a secret that is missing.
    pub(super) fn empty_variable(&self, lost: &[String]) -> Option<&'a OsStr> {
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        self.variables(lost).map(|(_, name)| name).find(|name| is_empty(name))
    }

    /// The flags that variables give, each with its variable.
    fn variables(&self, lost: &[String]) -> impl Iterator<Item = (&'a Arg, &'a OsStr)> {
        let is_elsewhere = move |arg: &Arg| {
            let is_lost = lost.iter().any(|id| arg.get_id() == id.as_str());
            is_lost || self.given.contains(&arg) || self.added.contains(&arg)
        };
        let given = move |arg: &&Arg| has_variable(arg) && !is_elsewhere(arg);
        self.command.get_arguments().filter(given).filter_map(|arg| Some((arg, arg.get_env()?)))
    }

    pub(super) fn into_words(self) -> Vec<OsString> {
        self.words
    }

    fn arg(&self, key: &str, allowed: impl Fn(&Arg) -> bool) -> Result<&'a Arg, String> {
        if key == CREDENTIAL {
            return Err("it holds a token; hint: use token-file, or the variable KUBE_ASSAY_TOKEN".to_owned());
        }
        let allowed = &allowed;
        let known = || {
            let fits =
                move |arg: &&Arg| arg.get_long().is_some_and(|long| !OWN.contains(&long)) && allowed(arg);
            self.command.get_arguments().filter(fits)
        };
        known().find(|arg| arg.get_long() == Some(key)).ok_or_else(|| {
            let names = known().filter_map(Arg::get_long);
            let all = format!("hint: its keys are flags of `kube-assay {}`", self.command.get_name());
            format!("there is no setting {key:?}; {}", suggest(key, names, &all))
        })
    }

    /// Adds a flag, unless the user gave it or one that excludes it.
    fn add(&mut self, arg: &'a Arg, value: &Value) -> Result<(), String> {
        if self.given.iter().any(|given| given == &arg || self.excludes(arg, given)) {
            return Ok(());
        }
        let long = arg.get_long().unwrap_or_default();
        let wrong = || {
            format!("{long:?} has the value {value}, which is neither a text, a number nor a list of them")
        };
        let words = match (value, arg.get_action()) {
            (Value::Boolean(true), ArgAction::SetTrue) => vec![format!("--{long}").into()],
            (Value::Boolean(false), ArgAction::SetTrue) => return Ok(()),
            _ => {
                let texts = texts(value).ok_or_else(wrong)?;
                texts.into_iter().map(|text| self.word(arg, long, &text)).collect()
            }
        };
        self.added.push(arg);
        self.words.extend::<Vec<OsString>>(words);
        Ok(())
    }

    fn word(&self, arg: &Arg, long: &str, text: &str) -> OsString {
        let mut word = OsString::from(format!("--{long}="));
        if arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() {
            word.push(self.folder.join(text));
        } else {
            word.push(text);
        }
        word
    }

    /// Whether clap refuses two flags together.
    fn excludes(&self, one: &Arg, other: &Arg) -> bool {
        let named = |one, other: &Arg| self.command.get_arg_conflicts_with(one).contains(&other);
        named(one, other) || named(other, one)
    }
}

/// Flags about the file itself.
const OWN: [&str; 3] = ["config", "target", "profile"];

fn is_of_target(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|long| reports::TARGET_FLAGS.contains(&format!("--{long}").as_str()))
}

/// The key of the file that adds a flag.
fn key(arg: &Arg) -> String {
    let long = arg.get_long().unwrap_or_default();
    format!("the key {:?}", if arg.get_id() == "profile" { INHERITS } else { long })
}

fn has_variable(arg: &Arg) -> bool {
    // An empty variable counts as set, as it does for clap.
    matches!(arg.get_env(), Some(name) if std::env::var_os(name).is_some())
}

/// The values of a flag: one, a list, or a table for flags with NAME=VALUE.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Array(values) => {
            let lists: Option<Vec<Vec<String>>> = values.iter().map(texts).collect();
            lists.map(|lists| lists.concat())
        }
        Value::Table(table) => {
            let pair = |(name, value): (&String, &Value)| Some(format!("{name}={}", value.as_str()?));
            table.iter().map(pair).collect()
        }
        Value::Boolean(_) | Value::Float(_) | Value::Datetime(_) => None,
    }
}
