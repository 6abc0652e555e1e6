//! A rendezvous in a folder that all processes share: one file for each document.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use harness::TestError;

use super::rendezvous::Rendezvous;

/// The pause between two reads.
const PAUSE: Duration = Duration::from_millis(50);

/// The maximum length of a file, in bytes.
const LONGEST: u64 = 64 << 20;

/// A folder.
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at a path; creates it if necessary.
    pub fn open(path: &Path) -> Result<Self, TestError> {
        let failed = |why: io::Error| {
            TestError::new(format!("use the folder {}", path.display()), why.to_string())
                .hint("name a folder that all workers share and may write to")
        };
        std::fs::create_dir_all(path).map_err(failed)?;
        Ok(Self(path.to_owned()))
    }

    fn draft(&self, name: &str) -> PathBuf {
        self.0.join(format!(".{name}.new"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.json"))
    }

    fn failed(&self, verb: &str, name: &str, why: &io::Error) -> TestError {
        TestError::new(format!("{verb} {}", self.file(name).display()), why.to_string())
    }

    async fn read(&self, name: &str) -> Result<Option<String>, TestError> {
        let file = self.file(name);
        let read = async {
            if tokio::fs::metadata(&file).await?.len() > LONGEST {
                return Err(io::Error::other("it is too long"));
            }
            tokio::fs::read_to_string(&file).await
        };
        match read.await {
            Ok(text) => Ok(Some(text)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(self.failed("read", name, &why)),
        }
    }

    /// Under another name first: a reader never sees a part.
    async fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let draft = self.draft(name);
        tokio::fs::write(&draft, text).await?;
        tokio::fs::rename(&draft, self.file(name)).await
    }
}

impl Rendezvous for Folder {
    fn get(&self, name: String) -> BoxFuture<'_, Result<Option<String>, TestError>> {
        async move { self.read(&name).await }.boxed()
    }

    fn get_all(&self, names: Vec<String>) -> BoxFuture<'_, Result<BTreeMap<String, String>, TestError>> {
        async move {
            let mut found = BTreeMap::new();
            for name in names {
                if let Some(text) = self.read(&name).await? {
                    found.insert(name, text);
                }
            }
            Ok(found)
        }
        .boxed()
    }

    fn put(&self, name: String, text: String) -> BoxFuture<'_, Result<(), TestError>> {
        async move { self.write(&name, &text).await.map_err(|why| self.failed("write", &name, &why)) }.boxed()
    }

    fn reset(&self, names: Vec<String>) -> BoxFuture<'_, Result<(), TestError>> {
        async move {
            for name in names {
                self.remove(name).await?;
            }
            Ok(())
        }
        .boxed()
    }

    fn remove(&self, name: String) -> BoxFuture<'_, Result<(), TestError>> {
        async move {
            // Of a process that was killed.
            let _ = tokio::fs::remove_file(self.draft(&name)).await;
            match tokio::fs::remove_file(self.file(&name)).await {
                Err(why) if why.kind() != io::ErrorKind::NotFound => Err(self.failed("remove", &name, &why)),
                _ => Ok(()),
            }
        }
        .boxed()
    }

    fn pause(&self) -> Duration {
        PAUSE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_document_is_written_read_replaced_and_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(&place.path().join("a/b")).unwrap();
        let get = async || folder.get("run".to_owned()).await.unwrap();
        assert_eq!(get().await, None);
        for text in ["one", "two"] {
            folder.put("run".to_owned(), text.to_owned()).await.unwrap();
            assert_eq!(get().await.as_deref(), Some(text));
        }
        let all = folder.get_all(vec!["run".to_owned(), "other".to_owned()]).await.unwrap();
        assert_eq!(all, [("run".to_owned(), "two".to_owned())].into());
        for _ in 0..2 {
            folder.remove("run".to_owned()).await.unwrap();
            assert_eq!(get().await, None);
        }
        assert_eq!(std::fs::read_dir(place.path().join("a/b")).unwrap().count(), 0);
    }

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Folder::open(file.path()).is_err_and(|why| why.to_string().contains("hint: name a folder")));
    }
}
