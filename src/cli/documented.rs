//! Every command line in README and docs/ is valid.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use clap::error::ErrorKind;

use super::{Cli, Command, help};
use crate::selection;

/// The names of the program at the beginning of a command.
const NAMES: [&str; 2] = ["kube-assay", "kubectl assay"];

/// All pages for users, with the folders below docs/.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut pages, mut folders) = (vec![root.join("README.md")], vec![root.join("docs")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                Some(extension) if extension == "md" => pages.push(path),
                None if path.is_dir() => folders.push(path),
                _ => {}
            }
        }
    }
    pages
}

/// The commands of a page: whole lines of its code, and the text between backquotes.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (number, part) in page.replace("\\\n", " ").split("```").enumerate() {
        let lines: Vec<&str> = if number % 2 == 1 { part.lines().collect() } else { between(part) };
        found.extend(lines.into_iter().filter_map(command));
    }
    found
}

fn between(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The words after the program's name, if the line begins with one.
fn command(line: &str) -> Option<Vec<String>> {
    let line = line.trim().trim_start_matches("- ").trim_start_matches("run: ").trim_start_matches("$ ");
    let rest = NAMES.iter().find_map(|name| line.strip_prefix(name))?;
    rest.starts_with(' ').then(|| words(&filled(rest)))
}

/// Replaces every variable of a shell or a CI system by a number.
fn filled(line: &str) -> String {
    let mut parts = line.split('$');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        let rest = match part.strip_prefix("{{").and_then(|part| part.split_once("}}")) {
            Some((_, rest)) => rest,
            None => &part[name..],
        };
        filled.push_str(if part.starts_with('(') { "$" } else { "1" });
        filled.push_str(rest);
    }
    filled
}

/// Splits a line like a shell, up to another command or a comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (None, ' ') => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (None, '|' | ';' | '>' | '&') => break,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if c == open => quote = None,
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.into_iter().chain(word).collect()
}

fn refused(words: &[String]) -> Option<String> {
    match Cli::try_parse_from(["kube-assay".to_owned()].iter().chain(words)) {
        Ok(Cli { command: Command::Run(args), .. }) => {
            selection::check(&selection::chosen(&args.selection), &args.feature).err()
        }
        Ok(_) => None,
        Err(why) if matches!(why.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => None,
        Err(why) => Some(why.to_string()),
    }
}

#[test]
fn every_command_that_the_docs_show_is_understood() {
    let mut seen = 0;
    for page in pages() {
        seen += understood(&page.display().to_string(), &fs::read_to_string(&page).unwrap());
    }
    assert!(seen > 20, "only {seen} commands were found");
}

#[test]
fn every_command_that_the_help_shows_is_understood() {
    for text in [help::OF_ALL, help::OF_RUN] {
        assert!(understood("help", &format!("```{text}```")) >= 3);
    }
}

/// The number of commands on the page; all of them must be valid.
fn understood(page: &str, text: &str) -> usize {
    let commands = commands(text);
    for words in &commands {
        if let Some(why) = refused(words) {
            panic!("{page}: kube-assay {}: {why}", words.join(" "));
        }
    }
    commands.len()
}
