//! The pages about the catalogue, `docs/areas/`, and about files, `docs/files.md`: tests compare them with their
//! sources, and write them for `cargo ci docs`.

mod files;
mod index;
mod page;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::explain::scenario_ids;

/// Set by `cargo ci docs`.
const WRITE: &str = "KUBE_ASSAY_WRITE_DOCS";

/// Every page by its file's name.
fn pages() -> BTreeMap<String, String> {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let areas = catalogue.areas().iter().map(|area| {
        let entries: Vec<_> = area
            .clauses
            .iter()
            .map(|clause| page::Entry::new(clause, scenario_ids(clause, &suites)))
            .collect();
        (format!("{}.md", area.name), page::markdown(area, &entries))
    });
    let index = ("README.md".to_owned(), index::markdown(&catalogue, &suites));
    areas.chain([index]).collect()
}

/// The content of the folder, by file name.
fn written(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap());
    files.map(|file| (name(&file), fs::read_to_string(file.path()).unwrap())).collect()
}

fn name(file: &fs::DirEntry) -> String {
    file.file_name().to_string_lossy().into_owned()
}

/// Writes the pages, and removes every other file of the folder.
fn write(folder: &Path, pages: &BTreeMap<String, String>) {
    fs::create_dir_all(folder).unwrap();
    for stale in written(folder).keys().filter(|name| !pages.contains_key(*name)) {
        fs::remove_file(folder.join(stale)).unwrap();
    }
    for (name, text) in pages {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn the_pages_in_docs_match_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/areas");
    let pages = pages();
    if std::env::var_os(WRITE).is_some() {
        write(&folder, &pages);
    }
    let written = written(&folder);
    let differing = pages.keys().chain(written.keys()).filter(|name| pages.get(*name) != written.get(*name));
    let differing: std::collections::BTreeSet<_> = differing.collect();
    assert!(differing.is_empty(), "docs/areas is stale in {differing:?}: run `cargo ci docs`, and commit it");
}

#[test]
fn the_page_on_files_matches_the_schemas() {
    let (path, page) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/files.md"), files::markdown());
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(page, fs::read_to_string(path).unwrap(), "docs/files.md is stale: run `cargo ci docs`");
}

#[test]
fn the_readme_gives_the_numbers_of_the_catalogue() {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let tested = suites::tested_clauses(&suites);
    let all = catalogue.clauses().count();
    let observable: Vec<_> = catalogue.clauses().filter(|clause| clause.observable()).collect();
    let with_scenario = observable.iter().filter(|clause| tested.contains(clause.id.as_str())).count();
    let thousands = |number: usize| format!("{},{:03}", number / 1000, number % 1000);
    let expected = [
        format!("{} clauses in {} areas", thousands(all), catalogue.areas().len()),
        format!("{} of them can be observed over the API", thousands(observable.len())),
        format!("{} of these have a scenario", thousands(with_scenario)),
    ];
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for sentence in expected {
        assert!(readme.contains(&sentence), "README.md does not say: {sentence}");
    }
}

#[test]
fn every_clause_has_an_anchor_of_its_own_name() {
    let pages = pages();
    for clause in suites::catalogue().clauses() {
        let page = &pages[&format!("{}.md", clause.area)];
        // Forges derive a heading's anchor from its text; these characters stay as they are.
        let survives = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(clause.id.as_str().chars().all(survives), "{}", clause.id);
        assert_eq!(page.matches(&format!("\n### {}\n", clause.id)).count(), 1, "{}", clause.id);
        assert_eq!(page.matches(&format!("](#{})", clause.id)).count(), 1, "{}", clause.id);
    }
}
