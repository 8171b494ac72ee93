//! The thread that waits until autosave copies are on the disk. Each write may take a second.
//!
//! The thread of the user's folder has already written the newest version beside each copy, so a kill of the program
//! loses nothing. A power failure loses the versions that the disk thread has not written yet.

use super::Listener;
use super::autosave_copy::{AutosaveCopy, delete_copy};
use shogibar_base::threads::{self, Thread, lock};
use shogibar_files::FileAccess;
use shogibar_model::ids::GameId;
use shogibar_model::record_file::FileEvent;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// An autosave copy to write.
pub(super) struct DiskWrite {
    pub(super) game: GameId,
    pub(super) bytes: Arc<[u8]>,
    /// The copy of an earlier program, which is deleted once the new copy is on the disk.
    pub(super) replaced_copy: Option<PathBuf>,
}

/// The thread that writes and deletes autosave copies. Dropping it waits for all writes.
pub(super) struct DiskThread {
    // Dropped before `_thread`: the thread ends when this channel closes.
    wake: SyncSender<()>,
    disk_work: Arc<Mutex<DiskWork>>,
    _thread: Thread,
}

#[derive(Default)]
struct DiskWork {
    /// The newest version of each copy that is not on the disk.
    queue: BTreeMap<PathBuf, DiskWrite>,
    /// The copy that is being written; `None` while none is.
    current_copy: Option<PathBuf>,
    /// The copy that is being written, if it has to be deleted afterwards. Its name stays locked until then.
    copy_to_delete: Option<AutosaveCopy>,
}

impl DiskThread {
    pub(super) fn start(listener: Listener) -> io::Result<Self> {
        let (wake, woken) = sync_channel(1);
        let work = Arc::<Mutex<DiskWork>>::default();
        let shared = Arc::clone(&work);
        Ok(Self {
            wake,
            disk_work: work,
            _thread: threads::spawn("disk", move || {
                let mut is_error_reported = false;
                for () in woken {
                    write_queue(&shared, &listener, &mut is_error_reported);
                }
            })?,
        })
    }

    /// Queues a copy to write, in place of an older version of it in the queue.
    pub(super) fn write(&self, copy: &Path, write: DiskWrite) {
        let mut work = lock(&self.disk_work);
        let before = work.queue.remove(copy).and_then(|older| older.replaced_copy);
        let replaced_copy = write.replaced_copy.or(before);
        work.queue.insert(
            copy.to_owned(),
            DiskWrite {
                replaced_copy,
                ..write
            },
        );
        let _is_awake = self.wake.try_send(());
    }

    /// Deletes an autosave copy. A queued write of the copy is dropped; a write in progress is completed first.
    pub(super) fn delete(&self, copy: AutosaveCopy) {
        let mut work = lock(&self.disk_work);
        work.queue.remove(copy.path());
        if work.current_copy.as_deref() == Some(copy.path()) {
            work.copy_to_delete = Some(copy);
        } else {
            delete_copy(copy.path());
        }
    }
}

/// Writes the copies in the queue until it is empty. The first error since the last successful write is reported.
fn write_queue(shared: &Mutex<DiskWork>, listener: &Listener, is_error_reported: &mut bool) {
    loop {
        let next = {
            let mut work = lock(shared);
            let next = work.queue.pop_first();
            work.current_copy = next.as_ref().map(|(path, _)| path.clone());
            next
        };
        let Some((
            path,
            DiskWrite {
                game,
                bytes,
                replaced_copy,
            },
        )) = next
        else {
            return;
        };
        match shogibar_files::write_as(FileAccess::Program, &path, &bytes) {
            Ok(()) => {
                *is_error_reported = false;
                if let Some(earlier) = replaced_copy {
                    delete_copy(&earlier);
                }
            }
            Err(why) if !std::mem::replace(is_error_reported, true) => {
                (listener.0)(game, FileEvent::NotAutosaved((&why).into()));
            }
            Err(_) => {}
        }
        let mut work = lock(shared);
        work.current_copy = None;
        if let Some(copy) = work.copy_to_delete.take() {
            delete_copy(copy.path());
        }
    }
}
