//! `--color`, for the help and the errors of the command line itself.

use std::ffi::OsString;

use clap::{ColorChoice, ValueEnum};

/// The value of `--color`. It is read before all other flags, because their errors have colours too; a wrong value is an
/// error of its own, later.
pub(super) fn given(words: &[OsString]) -> ColorChoice {
    let words =
        words.iter().map_while(|word| if word == "--" { None } else { Some(word.to_str().unwrap_or("")) });
    let words: Vec<&str> = words.collect();
    let separate = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    let choice = separate.chain(joined).find_map(|when| ColorChoice::from_str(when, false).ok());
    choice.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> ColorChoice {
        given(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn it_may_be_anywhere_before_the_end_of_flags() {
        assert_eq!(read("kube-assay --color always run --help"), ColorChoice::Always);
        assert_eq!(read("kube-assay run --no-such --color=never"), ColorChoice::Never);
        assert_eq!(read("kube-assay explain -- --color=never"), ColorChoice::Auto);
        assert_eq!(read("kube-assay --color sometimes"), ColorChoice::Auto);
        assert_eq!(read("kube-assay run --color"), ColorChoice::Auto);
    }
}
