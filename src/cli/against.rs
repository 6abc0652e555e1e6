//! `--against`: the target flags of another server, in one argument.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Parser};

use super::TargetArgs;

/// Another server.
#[derive(Debug, Clone, Parser)]
#[command(name = "--against", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct Other {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Use HTTP/2 without TLS and without negotiation
    #[arg(long)]
    pub(crate) http2: bool,
}

/// Parses the argument. Its errors do not repeat the argument, which may contain a token.
#[derive(Debug, Clone)]
pub(super) struct OtherParser;

impl TypedValueParser for OtherParser {
    type Value = Other;

    fn parse_ref(&self, cmd: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Other, clap::Error> {
        let parsed = value.to_str().ok_or_else(|| "it is no text in UTF-8".to_owned()).and_then(other);
        parsed.map_err(|why| {
            let why = format!("failed to read the flags of '--against <FLAGS>': {why}");
            cmd.clone().error(ErrorKind::ValueValidation, why)
        })
    }
}

/// The flags, split into words as a POSIX shell does.
fn other(text: &str) -> Result<Other, String> {
    let words = shlex::split(text).ok_or(
        "a quote or a backslash at the end is open; hint: quote a value with blanks, for example \
         --against '--server URL --token-file \"my token\"'",
    )?;
    let other = Other::try_parse_from(words).map_err(|why| {
        let why = why.to_string();
        let lines = why.lines().map(str::trim).take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
    })?;
    let TargetArgs { server, kubeconfig, in_cluster, .. } = &other.target;
    // An empty variable of a script is no wish for the embedded server.
    if server.is_none() && kubeconfig.is_none() && !in_cluster {
        return Err("they name no server; hint: give --server URL or --kubeconfig FILE".to_owned());
    }
    Ok(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_within_quotes_belong_to_a_value() {
        for text in [
            "--server http://h --token-file 'my token'",
            "--server http://h --token-file \"my token\"",
            "--server  http://h\t--token-file my\\ token",
            "--token-file=my' 'token --server=http://h",
        ] {
            let other = other(text).unwrap();
            assert_eq!(other.target.token_file.unwrap().to_str(), Some("my token"), "{text}");
        }
    }

    #[test]
    fn an_open_quote_is_an_error_with_a_hint() {
        for text in ["--server 'http://h", "--server \"http://h", "--server http://h\\"] {
            assert!(other(text).unwrap_err().contains("hint: quote"), "{text}");
        }
        assert_eq!(other("--server http://h").unwrap().target.server.as_deref(), Some("http://h"));
    }
}
