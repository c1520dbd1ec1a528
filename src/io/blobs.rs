//! Large results and pictures: files named by the hash of their bytes.

use std::fs::{File, remove_file, rename, symlink_metadata};
use std::io::{Read as _, Result, Write as _};
use std::path::PathBuf;

use uuid::Uuid;

use crate::io::store::guarded;
use crate::redact::Redacted;
use crate::transcript::record::{Blob, Blobs};

/// The largest file that is read back, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The folder `DATA/blobs`.
#[derive(Debug, Clone)]
pub struct BlobFolder {
    data: PathBuf,
}

impl BlobFolder {
    /// Names the folder; it is made when the first file is.
    pub fn new(data: PathBuf) -> Self {
        Self { data }
    }

    /// Keeps bytes. When it returns, they are on disk under their hash.
    pub fn keep(&self, blob: &Blob) -> Result<()> {
        let folder = self.folder();
        guarded::root_folder(&self.data)?;
        guarded::inner_folder(&folder)?;
        let path = folder.join(&blob.hash);
        if self.read(&blob.hash).is_some() {
            return Ok(());
        }
        // What lies there under that name is not these bytes, or a link: the name is taken over,
        // and what a link points to stays as it is.
        let draft = folder.join(format!(".{}.part", Uuid::now_v7()));
        let written = write(guarded::create_file(&draft)?, &blob.bytes);
        let kept = written.and_then(|()| rename(&draft, &path));
        if kept.is_err() {
            let _gone = remove_file(&draft);
        }
        kept?;
        guarded::sync_folder(&folder)
    }

    /// Keeps a text that was too large for the conversation; returns its path.
    pub fn keep_text(&self, text: &Redacted<String>) -> Result<PathBuf> {
        let blob = Blob::new(text.as_bytes().to_vec());
        self.keep(&blob)?;
        Ok(self.folder().join(blob.hash))
    }

    fn folder(&self) -> PathBuf {
        self.data.join("blobs")
    }
}

impl Blobs for BlobFolder {
    fn read(&self, hash: &str) -> Option<Vec<u8>> {
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let path = self.folder().join(hash);
        if !is_hash || !symlink_metadata(self.folder()).ok()?.is_dir() {
            return None;
        }
        let mut bytes = Vec::new();
        let file = guarded::read_file(&path).ok()?;
        file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let blob = Blob::new(bytes);
        (blob.hash == hash).then_some(blob.bytes)
    }
}

fn write(mut file: File, bytes: &[u8]) -> Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs::{metadata, read, read_to_string, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::BlobFolder;
    use crate::transcript::record::{Blob, Blobs as _};

    #[test]
    fn bytes_are_kept_for_their_owner_alone_and_read_back() {
        let home = tempfile::tempdir().unwrap();
        let folder = BlobFolder::new(home.path().join("data"));
        let blob = Blob::new(vec![7; 9000]);
        folder.keep(&blob).unwrap();
        folder.keep(&blob).unwrap();
        assert_eq!(folder.read(&blob.hash), Some(blob.bytes));
        let path = home.path().join("data/blobs").join(&blob.hash);
        assert_eq!(metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(folder.read("../../etc/passwd"), None);
    }

    #[test]
    fn a_link_planted_under_a_hash_is_replaced_and_its_target_is_untouched() {
        let home = tempfile::tempdir().unwrap();
        let folder = BlobFolder::new(home.path().to_path_buf());
        let blob = Blob::new(b"picture".to_vec());
        let victim = home.path().join("victim");
        write(&victim, "mine").unwrap();
        folder.keep(&Blob::new(b"other".to_vec())).unwrap();
        let path = home.path().join("blobs").join(&blob.hash);
        symlink(&victim, &path).unwrap();
        folder.keep(&blob).unwrap();
        assert_eq!(read_to_string(victim).unwrap(), "mine");
        assert_eq!(read(path).unwrap(), b"picture");
    }
}
