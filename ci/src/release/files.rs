//! `cargo ci release-files`: the files of a release that name its archives and its image.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::template::{fill, with_image};
use super::{archive, read, sha256, version, write};
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// The targets of a release.
const TARGETS: [&str; 4] = [
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "x86_64-unknown-linux-musl",
];

/// Where a release is published.
#[derive(Debug, Args)]
pub(crate) struct ReleaseFilesOptions {
    /// URL of the repository, for example `$GITHUB_SERVER_URL/$GITHUB_REPOSITORY` [default: that of the remote origin].
    #[arg(long, value_name = "URL")]
    pub(crate) repository: Option<String>,
    /// Container image with its tag or digest.
    #[arg(long)]
    pub(crate) image: String,
    /// Tag of the release, v and the version of Cargo.toml [default: a rehearsal].
    #[arg(long, requires = "notes")]
    pub(crate) tag: Option<String>,
    /// File for the release notes: the section of CHANGELOG.md for this version.
    #[arg(long, value_name = "FILE", requires = "tag")]
    pub(crate) notes: Option<PathBuf>,
    /// Folder with the archives of all targets; the files are written into it.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub(crate) dist: PathBuf,
}

/// What the templates of a release need.
struct Release {
    version: String,
    repository: String,
    image: String,
    /// A digest per target, in the order of `TARGETS`.
    digests: [String; 4],
}

/// Writes the files, and `SHA256SUMS` of everything in the folder.
pub(super) fn run(workspace: &Workspace, options: &ReleaseFilesOptions) -> Result<Notices, TaskError> {
    let version = version(&workspace.root)?;
    if let (Some(tag), Some(path)) = (&options.tag, &options.notes) {
        check_tag(tag, &version)?;
        write(path, notes(&read(&workspace.root.join("CHANGELOG.md"))?, &version)?.as_bytes())?;
    }
    let mut digests = TARGETS.map(str::to_owned);
    for digest in &mut digests {
        let path = options.dist.join(format!("{}.tar.gz", archive::name(&version, digest)));
        let bytes = fs::read(&path).map_err(TaskError::failed_to(format!("read {}", path.display())))?;
        *digest = sha256(&bytes);
    }
    let repository = options.repository.clone().map_or_else(|| origin(&workspace.root), Ok)?;
    let image = options.image.clone();
    let release = Release { version, repository, image, digests };
    for (name, text) in render(&workspace.root, &release)? {
        write(&options.dist.join(name), text.as_bytes())?;
    }
    write(&options.dist.join(SUMS), sums(&options.dist)?.as_bytes())?;
    Ok(Notices::new())
}

/// The web address of the remote `origin`.
fn origin(root: &Path) -> Result<String, TaskError> {
    let output = Command::new("git").current_dir(root).args(["remote", "get-url", "origin"]).output();
    let output = output.map_err(TaskError::failed_to("run git"))?;
    let remote = String::from_utf8_lossy(&output.stdout);
    let unknown = || TaskError::new("failed to find the URL of the remote origin; hint: give --repository");
    web_address(remote.trim()).ok_or_else(unknown)
}

/// The web address of a remote, without credentials; `None` for a folder and other unclear addresses.
fn web_address(remote: &str) -> Option<String> {
    let remote = remote.strip_suffix(".git").unwrap_or(remote);
    let address = match remote.strip_prefix("https://") {
        Some(address) => address.to_owned(),
        None => remote.strip_prefix("git@")?.replacen(':', "/", 1),
    };
    let (authority, path) = address.split_once('/')?;
    let host = authority.rsplit('@').next().unwrap_or(authority);
    Some(format!("https://{host}/{path}"))
}

fn check_tag(tag: &str, version: &str) -> Result<(), TaskError> {
    let differ = || TaskError::new(format!("the tag is {tag}, and the version in Cargo.toml is {version}"));
    (tag.strip_prefix('v') == Some(version)).then_some(()).ok_or_else(differ)
}

/// The files of a release that never was, for linters.
pub(crate) fn sample(root: &Path) -> Result<Vec<(&'static str, String)>, TaskError> {
    let release = Release {
        version: version(root)?,
        repository: "https://git.example/owner/kube-assay".into(),
        image: "registry.example/owner/kube-assay:sample".into(),
        digests: TARGETS.map(|target| sha256(target.as_bytes())),
    };
    render(root, &release)
}

fn render(root: &Path, release: &Release) -> Result<Vec<(&'static str, String)>, TaskError> {
    let packaging = |name: &str| read(&root.join("ci/packaging").join(name));
    let digests = TARGETS.iter().zip(&release.digests);
    let mut values: Vec<_> =
        digests.map(|(target, digest)| (format!("sha256 {target}"), digest.clone())).collect();
    values.push(("version".into(), release.version.clone()));
    values.push(("repository".into(), release.repository.clone()));
    let permissions = read(&root.join("docs/recipes/permissions.yaml"))?;
    let job = with_image(&packaging("in-cluster.yaml")?, &release.image)?;
    Ok(vec![
        ("kube-assay.rb", fill(&packaging("homebrew.rb")?, &values)?),
        ("assay.yaml", fill(&packaging("krew.yaml")?, &values)?),
        ("in-cluster.yaml", format!("{permissions}---\n{job}")),
        ("sonobuoy.yaml", with_image(&packaging("sonobuoy.yaml")?, &release.image)?),
    ])
}

/// The checksum file, as `sha256sum --check` reads it.
const SUMS: &str = "SHA256SUMS";

fn sums(folder: &Path) -> Result<String, TaskError> {
    let listing = || TaskError::failed_to(format!("list {}", folder.display()));
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).map_err(listing())? {
        let entry = entry.map_err(listing())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SUMS {
            let bytes = fs::read(entry.path()).map_err(TaskError::failed_to(format!("read {name}")))?;
            let line = format!("{}  {name}\n", sha256(&bytes));
            lines.push((name, line));
        }
    }
    lines.sort();
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

/// The section of the changelog for a version, without its heading.
fn notes(changelog: &str, version: &str) -> Result<String, TaskError> {
    let heading = format!("## [{version}] - ");
    let mut lines = changelog.lines().skip_while(|line| !line.starts_with(&heading));
    if lines.next().is_none() {
        return Err(TaskError::new(format!("CHANGELOG.md has no section `{heading}DATE`")));
    }
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    Ok(section.join("\n").trim().to_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_of_the_version() {
        assert!(check_tag("v0.2.0", "0.2.0").is_ok());
        let task_error = check_tag("v0.1.0", "0.2.0").expect_err("another version");
        assert_eq!(task_error.to_string(), "the tag is v0.1.0, and the version in Cargo.toml is 0.2.0");
    }

    #[test]
    fn a_remote_has_a_web_address_without_credentials() {
        let expected = Some("https://git.example/owner/name".to_owned());
        for remote in [
            "https://git.example/owner/name",
            "https://git.example/owner/name.git",
            "https://user:secret@git.example/owner/name.git",
            "git@git.example:owner/name.git",
        ] {
            assert_eq!(web_address(remote), expected, "{remote}");
        }
        assert_eq!(web_address("/home/me/name"), None);
        assert_eq!(web_address("ssh://git@git.example:22/owner/name"), None);
        assert_eq!(web_address(""), None);
    }

    #[test]
    fn notes_are_the_section_of_the_version() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n- c\n\n## [0.2.0] - 2026-01-01\n\n### Added\n\n- b\n\n## [0.1.0] - 2025-01-01\n\n- a\n";

        assert_eq!(notes(changelog, "0.2.0").expect("a section"), "### Added\n\n- b\n");
        assert_eq!(notes(changelog, "0.1.0").expect("a section"), "- a\n");
        assert!(notes(changelog, "0.3.0").is_err());
    }

    #[test]
    fn the_checksums_are_of_every_other_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b", "a", SUMS] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        let empty = sha256(b"");

        assert_eq!(sums(folder.path()).expect("a folder"), format!("{empty}  a\n{empty}  b\n"));
    }

    #[test]
    fn a_release_names_its_archives_its_image_and_its_digests() {
        let workspace = Workspace::find().expect("tests run in the workspace");

        let files = sample(&workspace.root).expect("every template is complete");

        let text = |name: &str| &files.iter().find(|(file, _)| *file == name).expect("a file").1;
        for (target, file) in
            TARGETS.iter().flat_map(|target| [(target, "kube-assay.rb"), (target, "assay.yaml")])
        {
            assert!(text(file).contains(&format!("-{target}.tar.gz")), "{file} lacks {target}");
            assert!(text(file).contains(&sha256(target.as_bytes())), "{file} lacks a digest");
        }
        for file in ["in-cluster.yaml", "sonobuoy.yaml"] {
            assert!(text(file).contains("image: registry.example/owner/kube-assay:sample\n"), "{file}");
        }
        assert!(text("in-cluster.yaml").contains("kind: ClusterRole\n"));
    }

    #[test]
    fn the_recipes_name_this_version() {
        let root = Workspace::find().expect("tests run in the workspace").root;
        let version = version(&root).expect("a version");
        let page = |name: &str| read(&root.join("docs/recipes").join(name)).expect("a page");

        let tags: Vec<String> = page("github-actions.md").lines().filter_map(tag_of_action).collect();

        assert!(tags.len() > 1 && tags.iter().all(|tag| *tag == format!("v{version}")), "{tags:?}");
        assert!(page("gitlab.md").contains(&format!("KUBE_ASSAY_VERSION: {version}\n")));
    }

    fn tag_of_action(line: &str) -> Option<String> {
        line.split_once("uses: OWNER/REPOSITORY@").map(|(_, tag)| tag.to_owned())
    }
}
