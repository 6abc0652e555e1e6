use proptest::prelude::*;

use super::super::documents::Documents;
use super::*;

/// Version, kind, name and line of an object.
type Found = (String, String, String, u64);

/// The objects, and the errors.
fn read(text: &str) -> (Vec<Found>, Vec<String>) {
    let documents = Documents::new(text.as_bytes()).map(Result::unwrap).flat_map(Document::values);
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for document in documents {
        let content = content(&document);
        found.extend(content.objects.into_iter().map(|one| (one.version, one.kind, one.name, one.line)));
        errors.extend(content.errors);
    }
    (found, errors)
}

fn object(version: &str, kind: &str, name: &str, line: u64) -> Found {
    (version.to_owned(), kind.to_owned(), name.to_owned(), line)
}

#[test]
fn each_object_has_the_line_of_its_version() {
    let text = "# a comment\n---\nkind: A\napiVersion: a/v1\nmetadata:\n  name: one\n---\n---\n{ apiVersion: b/v1, kind: B }\n";
    assert_eq!(read(text), (vec![object("a/v1", "A", "one", 4), object("b/v1", "B", "", 9)], vec![]));
}

#[test]
fn the_objects_of_a_list_are_its_own() {
    let text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: a/v1\n  kind: A\n  metadata: { name: one }\n- kind: BList\n  apiVersion: b/v1\n  items:\n  - metadata: {}\n";
    assert_eq!(read(text).0, [object("a/v1", "A", "one", 4), object("b/v1", "B", "", 8)]);
}

#[test]
fn json_is_read_as_kubectl_reads_it() {
    let text = "{\n\t\"kind\": \"A\", \"metadata\": { \"name\": \"\\ud83d\\ude00\\/\" },\n\t\"apiVersion\": \"a/v1\"\n}\n{ \"apiVersion\": \"b/v1\",\n\"kind\": \"B\" }";
    let (found, errors) = read(text);
    assert_eq!(errors, [""; 0]);
    assert_eq!((found[0].1.as_str(), found[0].3), ("A", 3));
    assert_eq!(found[1], object("b/v1", "B", "", 5));
}

#[test]
fn other_documents_are_no_objects() {
    for text in [
        "a: 1",
        "- op: add\n  path: /a\n",
        "apiVersion: v2\nname: chart\n",
        "# nothing\n",
        "---\n",
        "apiVersion: 1\nkind: [A]\n",
        "apiVersion: v1\nkind: List\nitems: []\n",
    ] {
        assert_eq!(read(text), (vec![], vec![]), "{text}");
    }
    let (found, errors) = read("no object at all");
    assert_eq!((found.len(), errors), (0, vec!["line 1: the document is no object".to_owned()]));
}

#[test]
fn items_and_names_elsewhere_are_not_objects() {
    let text = "apiVersion: a/v1\nkind: A\nspec:\n  apiVersion: b/v1\n  kind: B\nitems:\n- { apiVersion: c/v1, kind: C }\n";
    assert_eq!(read(text).0, [object("a/v1", "A", "", 1)]);
}

#[test]
fn a_broken_document_hides_no_other_and_keeps_its_literal_lines() {
    let text = "a: [\n---\napiVersion: \"a/v1\" # old\nkind: A\nmetadata:\n  name: {{ .name }}\n{{- if .a }}\n---\napiVersion: b/v1\nkind: B\n";
    let (found, errors) = read(text);
    assert_eq!(found, [object("a/v1", "A", "", 3), object("b/v1", "B", "", 9)]);
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[1].starts_with("line "), "{errors:?}");
}

#[test]
fn anchors_are_followed_and_merged_keys_are_overridden() {
    let text = "apiVersion: a/v1\nkind: &kind A\nmetadata: { name: *kind }\n";
    assert_eq!(read(text).0, [object("a/v1", "A", "A", 1)]);
    let merged = "<<: { apiVersion: a/v1, kind: A }\napiVersion: b/v1\n";
    assert_eq!(read(merged), (vec![object("b/v1", "A", "", 2)], vec![]));
}

#[test]
fn a_key_that_is_there_twice_is_an_error_with_its_line() {
    for text in [
        "apiVersion: a/v1\nkind: A\napiVersion: b/v1\n",
        "{\"apiVersion\": \"a/v1\",\n\n\"apiVersion\": \"b/v1\"}",
    ] {
        let (_, errors) = read(text);
        assert_eq!(errors, ["line 3: it has the key apiVersion twice"], "{text}");
    }
    assert_eq!(read("apiVersion: a/v1\nkind: A\nspec: { kind: B, kind: C }\n").1, [""; 0]);
}

#[test]
fn what_has_no_version_or_kind_has_its_line() {
    let unnamed = |text: &str| {
        let documents = Documents::new(text.as_bytes()).map(Result::unwrap).flat_map(Document::values);
        documents.flat_map(|document| content(&document).unnamed).collect::<Vec<_>>()
    };
    let list = "---\nkind: List\nitems:\n- { apiVersion: a/v1, kind: A }\n---\n- { apiVersion: a/v1, kind: A }\n---\n# nothing\n";
    assert_eq!(unnamed(&format!("apiVersion: a/v1\nkind: A\n{list}")), [4, 8]);
    let item = "apiVersion: v1\nkind: List\nitems:\n- { apiVersion: a/v1, kind: A }\n- { kind: B }\n";
    assert_eq!(read(item).1, ["line 1: the list has an item without apiVersion or kind"]);
}

#[test]
fn deep_wide_and_repeated_values_are_refused_or_read() {
    let deep = format!("apiVersion: a/v1\nkind: A\nspec: {}", "[".repeat(100_000));
    let (found, errors) = read(&deep);
    assert_eq!((found.len(), errors.len()), (1, 1));
    assert_eq!(read(&format!("a: {}1{}", "[".repeat(150), "]".repeat(150))).1, [""; 0]);
    let level = |at: usize| format!("a{}: &a{} [*a{at}, *a{at}]", at + 1, at + 1);
    let bomb: Vec<String> = (0..30).map(level).collect();
    assert_eq!(read(&format!("a0: &a0 [1, 1]\n{}\n", bomb.join("\n"))).1.len(), 1);
    let wide = format!("a: [{}]", "1,".repeat(2_000_000));
    assert_eq!(read(&wide).1.len(), 1);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        content(&Document { bytes, line: 1 });
    }

    #[test]
    fn any_text_of_manifests_is_read_or_refused(text in "(apiVersion|kind|items|[ :\n\\-\\[\\]{}&*a!|>\"'#?\t]){0,40}") {
        for document in Documents::new(text.as_bytes()) {
            document.unwrap().values().iter().for_each(|document| drop(content(document)));
        }
    }
}
