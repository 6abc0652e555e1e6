//! What a file is that a user names for another one: a reader says it instead of the words of its parser.

use std::fmt;
use std::path::Path;

use harness::read_beginning;
use serde::de::IgnoredAny;

/// The length of the text that shows what a file is, in bytes.
const SHOWING: usize = 512;

/// The length of the beginning that is read of a file, in bytes: blanks may come first.
const BEGINNING: usize = 64 << 10;

/// The byte order mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a file is, as far as its beginning shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Empty,
    Compressed,
    NoText,
    NoJson,
    Summary,
    Recording,
    Evidence,
    Certificate,
}

impl FileKind {
    /// Of a text; `None` for JSON that no file of kube-assay begins with.
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii_start();
        let showing = &text[..text.len().min(SHOWING)];
        match showing {
            [] => Some(Self::Empty),
            [0x1F, 0x8B, ..] => Some(Self::Compressed),
            [b'{', ..] => Self::of_object(showing),
            _ if !is_text(showing) => Some(Self::NoText),
            _ if !is_json(showing) => Some(Self::NoJson),
            _ => None,
        }
    }

    /// Of a file; `None` also for a pipe, which can be read only once.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        if !path.is_file() {
            return None;
        }
        let beginning = read_beginning(path, BEGINNING as u64).ok()?;
        // Something else may come after so many blanks.
        Self::of(&beginning).filter(|kind| *kind != Self::Empty || beginning.len() < BEGINNING)
    }

    fn of_object(beginning: &[u8]) -> Option<Self> {
        let text: String = String::from_utf8_lossy(beginning).split_ascii_whitespace().collect();
        let is_ours = text.contains("\"tool\":\"kube-assay") && !text.contains("\"kind\":\"load-history\"");
        match () {
            () if text.starts_with("{\"format\":") && is_ours => Some(Self::Summary),
            () if text.starts_with("{\"at\":\"") && text.contains("\"event\":\"") => Some(Self::Recording),
            () if text.starts_with("{\"started\":{\"format\":") => Some(Self::Evidence),
            () if text.starts_with("{\"payloadType\":") => Some(Self::Certificate),
            () => None,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty",
            Self::Compressed => "it is a gzip file, as the evidence of a run is",
            Self::NoText => "it is no text in UTF-8",
            Self::NoJson => "it is no JSON",
            Self::Summary => "it is the summary of a run",
            Self::Recording => "it is the recording of a run",
            Self::Evidence => "it is the evidence of a run without its compression",
            Self::Certificate => "it is a certificate",
        })
    }
}

/// Whether bytes are a text, which may be cut off inside of a character.
fn is_text(bytes: &[u8]) -> bool {
    !bytes.contains(&0) && !std::str::from_utf8(bytes).is_err_and(|why| why.error_len().is_some())
}

/// Whether bytes are JSON, which may be cut off.
fn is_json(bytes: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    !matches!(values.next(), Some(Err(why)) if why.is_syntax())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_shows_what_a_file_is() {
        let recording = r#"{"at":"2026-01-01T00:00:00Z","event":"run_started","format":2"#;
        let long = format!("[\"x{}", "é".repeat(SHOWING));
        for (text, kind) in [
            (&b""[..], Some(FileKind::Empty)),
            (b"\xEF\xBB\xBF \r\n", Some(FileKind::Empty)),
            (b"\x1f\x8b\x08", Some(FileKind::Compressed)),
            (b"\0", Some(FileKind::NoText)),
            (b"\xff\xfe{\0", Some(FileKind::NoText)),
            (b"organization: Example\n", Some(FileKind::NoJson)),
            (b"<!doctype html>", Some(FileKind::NoJson)),
            (b"-----BEGIN PUBLIC KEY-----", Some(FileKind::NoJson)),
            (b"{\n  \"format\": 2,\n  \"tool\": \"kube-assay 0.1.0\",", Some(FileKind::Summary)),
            (b"{\"format\":2,\"kind\":\"load\",\"tool\":\"kube-assay 0.1.0\"", Some(FileKind::Summary)),
            (recording.as_bytes(), Some(FileKind::Recording)),
            (b"{\"started\":{\"format\":1,", Some(FileKind::Evidence)),
            (b"{\"payloadType\":\"application/", Some(FileKind::Certificate)),
            (b"{\"format\":1,\"kind\":\"load-history\",\"tool\":\"kube-assay 0.1.0\"", None),
            (b"{\"format\":2}", None),
            (b"{\"at\":1}", None),
            (b"{hello", None),
            (b"[]\n", None),
            (b"null\n", None),
            (b"\"x", None),
            (long.as_bytes(), None),
        ] {
            assert_eq!(FileKind::of(text), kind, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn a_file_that_begins_with_many_blanks_is_not_taken_for_empty() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (blanks, kind) in [(BEGINNING - 1, Some(FileKind::Empty)), (BEGINNING, None)] {
            std::fs::write(file.path(), " ".repeat(blanks)).unwrap();
            assert_eq!(FileKind::of_file(file.path()), kind, "{blanks}");
        }
    }
}
