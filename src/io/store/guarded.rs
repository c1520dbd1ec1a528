//! Opens files and folders that only their owner may read, and follows no planted link.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions, symlink_metadata};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::process::geteuid;

/// Mode of every file.
pub const FILE_MODE: u32 = 0o600;

/// Mode of every folder.
pub const FOLDER_MODE: u32 = 0o700;

/// What had to be mended before something could be used: one sentence, if anything.
pub type Mended = Option<String>;

/// Makes the folder DATA if it isn't there. It may be a link of the user's own.
pub fn root_folder(path: &Path) -> Result<Mended> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(path)?;
    // The folder that counts is the one behind a link.
    tighten_folder(path, &path.metadata()?)
}

/// Makes a folder below DATA if it isn't there. It must be a folder itself, not a link to one.
pub fn inner_folder(path: &Path) -> Result<Mended> {
    match DirBuilder::new().mode(FOLDER_MODE).create(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let metadata = symlink_metadata(path)?;
    if metadata.is_symlink() {
        return Err(refused(path, "is a link, and links are not followed here"));
    }
    tighten_folder(path, &metadata)
}

/// Creates a file. It fails when there is anything of that name, a dangling link too.
pub fn create_file(path: &Path) -> Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create_new(true)
        .mode(FILE_MODE)
        .custom_flags(flags())
        .open(path)?;
    // The umask can only have taken rights away from the owner; give those back.
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    Ok(file)
}

/// Opens a file for appending. It must be a plain file of ours with this one name.
pub fn append_file(path: &Path) -> Result<(File, Mended)> {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    let file = open_plain(path, &options)?;
    let metadata = file.metadata()?;
    check_owner(path, &metadata)?;
    if metadata.nlink() > 1 {
        return Err(refused(path, "has a second name elsewhere (a hard link)"));
    }
    if !is_loose(&metadata) {
        return Ok((file, None));
    }
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    let name = path.display();
    let mended = format!("Others could read `{name}`; now only you can.");
    Ok((file, Some(mended)))
}

/// Opens a plain file for reading; never waits on a pipe and never follows a link.
pub fn read_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    open_plain(path, &options)
}

/// Makes sure that a new name in a folder survives a crash.
pub fn sync_folder(path: &Path) -> Result<()> {
    File::open(path)?.sync_all()
}

fn open_plain(path: &Path, options: &OpenOptions) -> Result<File> {
    let mut options = options.clone();
    let file = options.custom_flags(flags()).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(refused(path, "is not a plain file"))
    }
}

/// A link is an error; a pipe without a writer doesn't block.
fn flags() -> i32 {
    (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC)
        .bits()
        .cast_signed()
}

fn tighten_folder(path: &Path, metadata: &Metadata) -> Result<Mended> {
    if !metadata.is_dir() {
        return Err(refused(path, "is not a folder"));
    }
    check_owner(path, metadata)?;
    if !is_loose(metadata) {
        return Ok(None);
    }
    std::fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE))?;
    let name = path.display();
    Ok(Some(format!(
        "Others could look into `{name}`; now only you can."
    )))
}

/// Tells whether anybody but the owner has any right.
fn is_loose(metadata: &Metadata) -> bool {
    metadata.mode() & 0o077 != 0
}

fn check_owner(path: &Path, metadata: &Metadata) -> Result<()> {
    if metadata.uid() == geteuid().as_raw() {
        Ok(())
    } else {
        Err(refused(path, "belongs to another user"))
    }
}

fn refused(path: &Path, why: &str) -> Error {
    Error::new(
        ErrorKind::PermissionDenied,
        format!("`{}` {why}", path.display()),
    )
}
