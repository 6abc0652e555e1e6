//! The setup after the installation: manual pages.

use crate::support::kube_assay;

#[test]
fn every_command_has_a_manual_page() {
    let ended = kube_assay(&["man", "--output-dir", "man1"]).end().ended_with(0);
    let page = |name: &str| std::fs::read_to_string(ended.folder().join("man1").join(name)).unwrap();
    let own = page("kube-assay.1");
    assert!(own.starts_with(".ie") && own.contains(".TH kube-assay 1"), "{own}");
    let help = kube_assay(&["--help"]).end().ended_with(0).out;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let names = commands.lines().take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    let names: Vec<&str> =
        names.filter_map(|line| line[2..].split(' ').next()).filter(|name| !name.is_empty()).collect();
    assert!(names.contains(&"run") && names.contains(&"man"), "{names:?}");
    for name in names.iter().filter(|name| **name != "help") {
        let page = page(&format!("kube-assay-{name}.1"));
        assert!(page.contains(&format!(".TH kube-assay-{name} 1")), "{page}");
    }
    let run = kube_assay(&["man", "run"]).end().ended_with(0).out;
    assert_eq!(run, page("kube-assay-run.1"));
    assert!(run.contains("wait\\-for\\-compaction"), "{run}");
}

#[test]
fn manual_pages_that_are_not_there() {
    let mut errors = Vec::new();
    errors.push(kube_assay(&["man", "rn"]).end().error());
    errors.push(kube_assay(&["man", "zzz"]).end().error());
    let ended = kube_assay(&["man", "--output-dir", "/proc/nowhere"]).end();
    errors.push(ended.error());
    insta::assert_snapshot!(errors.join("\n"));
}
