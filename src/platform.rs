//! What only the operating system can do for us; the one file that may be unsafe.

use std::process::Command;

/// Asks the system to kill the child when we die, however we die. On Linux that is when the *thread*
/// that started it ends, so it has to be one that lives as long as the child should.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the child has to ask for it itself, between fork and exec")]
pub(crate) fn die_with_us(command: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt as _;

    let parent = getpid();
    // SAFETY: the closure makes two system calls and allocates nothing, so it is safe between fork
    // and exec, also when other threads hold locks.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // We may have died before the request was made; then nobody would ever send the signal.
            if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
        });
    }
}

/// Elsewhere a watcher (macOS) or a job object (Windows) has to do.
#[cfg(not(target_os = "linux"))]
pub(crate) fn die_with_us(_command: &mut Command) {}

/// Has Windows show a window of ours, by its title, that lets clicks through: that makes it a layered one, and such a
/// window is not drawn before it is told how (`SetLayeredWindowAttributes`). What is not there is not shown.
#[cfg(all(windows, feature = "gui"))]
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
pub(crate) fn show_layered(title: &str) {
    use windows::Win32::Foundation::COLORREF;
    use windows::Win32::UI::WindowsAndMessaging::{
        FindWindowExW, GetWindowThreadProcessId, LWA_ALPHA, SetLayeredWindowAttributes,
    };
    use windows::core::HSTRING;

    let (title, mut before) = (HSTRING::from(title), None);
    // SAFETY: the title outlives the calls, and the number of the process is written to a place that does; a window
    // that is gone meanwhile is an error and no more.
    while let Ok(window) = unsafe { FindWindowExW(None, before, None, &title) } {
        let mut process = 0;
        // SAFETY: as above.
        unsafe { GetWindowThreadProcessId(window, Some(&raw mut process)) };
        if process == std::process::id() {
            // SAFETY: as above.
            let _it_is_gone = unsafe { SetLayeredWindowAttributes(window, COLORREF(0), 255, LWA_ALPHA) };
            return;
        }
        before = Some(window);
    }
}

/// Elsewhere nothing has to be done for that.
#[cfg(all(not(windows), feature = "gui"))]
pub(crate) const fn show_layered(_title: &str) {}

/// What OpenGL says that draws, as "llvmpipe (LLVM 15.0.6, 256 bits)".
#[cfg(feature = "gui")]
#[expect(unsafe_code, reason = "OpenGL has no safe form")]
pub(crate) fn renderer(gl: &eframe::glow::Context) -> String {
    use eframe::glow::{HasContext as _, RENDERER};
    // SAFETY: it is asked while the windows are made, when the context is the one of this thread; elsewhere the answer
    // would be that there is none.
    unsafe { gl.get_parameter_string(RENDERER) }
}

/// Puts a child into a job that the system ends when we die, however we die: the one handle to it is
/// ours, is never closed by us, and the job is killed with its last handle.
///
/// # Errors
/// When the system gives no job, or the child is gone.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to jobs has no safe form")]
pub(crate) fn end_with_us(child: &std::process::Child) -> std::io::Result<()> {
    use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
    use std::sync::OnceLock;
    use windows::Win32::Foundation::HANDLE;
    use windows::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    };

    static JOB: OnceLock<OwnedHandle> = OnceLock::new();

    let job = if let Some(job) = JOB.get() {
        job
    } else {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = u32::try_from(size_of_val(&limits)).map_err(std::io::Error::other)?;
        // SAFETY: the handle is new and becomes ours; what is passed by pointer outlives the call, and
        // its size is told.
        let job = unsafe {
            let job = CreateJobObjectW(None, None)?;
            let job = OwnedHandle::from_raw_handle(job.0);
            let handle = HANDLE(job.as_raw_handle());
            SetInformationJobObject(handle, JobObjectExtendedLimitInformation, (&raw const limits).cast(), size)?;
            job
        };
        // Of two threads that make one, the loser's closes unused.
        JOB.get_or_init(|| job)
    };
    // SAFETY: both handles are open for as long as they are borrowed.
    unsafe { AssignProcessToJobObject(HANDLE(job.as_raw_handle()), HANDLE(child.as_raw_handle())) }?;
    Ok(())
}

/// Has what is written and read here go to the console of the program that started us, as with a program that has no
/// windows: one that has them is given none. Files and pipes in its place stay. Whether anybody can read what is
/// written to standard error.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to consoles has no safe form")]
pub(crate) fn join_console() -> bool {
    use windows::Win32::Storage::FileSystem::{FILE_TYPE_DISK, FILE_TYPE_PIPE, FILE_TYPE_UNKNOWN, GetFileType};
    use windows::Win32::System::Console::{
        ATTACH_PARENT_PROCESS, AttachConsole, GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE,
        SetStdHandle,
    };
    use windows::core::w;

    let streams =
        [(STD_INPUT_HANDLE, w!("CONIN$")), (STD_OUTPUT_HANDLE, w!("CONOUT$")), (STD_ERROR_HANDLE, w!("CONOUT$"))];
    // SAFETY: a handle that is none, or no longer one, is an unknown one and no more.
    let kind = |handle| unsafe { GetFileType(handle) };
    // SAFETY: as above.
    let given = streams.map(|(stream, _)| unsafe { GetStdHandle(stream) }.ok());
    let given = given.map(|handle| handle.filter(|handle| kind(*handle) != FILE_TYPE_UNKNOWN));
    // Whoever has no need of it, as an engine has not, is not to be in reach of its Ctrl-C.
    let is_elsewhere =
        |handle: &Option<_>| handle.is_some_and(|handle| [FILE_TYPE_DISK, FILE_TYPE_PIPE].contains(&kind(handle)));
    if given.iter().all(is_elsewhere) {
        return true;
    }
    // SAFETY: there is nothing to be said about it. It fails where there is no console, and where it is ours already.
    let joined = unsafe { AttachConsole(ATTACH_PARENT_PROCESS) }.is_ok();
    for ((stream, name), given) in streams.into_iter().zip(given) {
        // What was given is set again, since to attach may have set the console in its place.
        let handle = given.or_else(|| if joined { open_console(name) } else { None });
        if let Some(handle) = handle {
            // SAFETY: the handle is open, and nobody closes it. Where it fails the stream stays as it was.
            let _as_it_was = unsafe { SetStdHandle(stream, handle) };
            if stream != STD_INPUT_HANDLE {
                enable_utf8_output(handle);
            }
        }
    }
    joined || given.last().is_some_and(Option::is_some)
}

/// One end of our console, by its name.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to consoles has no safe form")]
fn open_console(name: windows::core::PCWSTR) -> Option<windows::Win32::Foundation::HANDLE> {
    use windows::Win32::Foundation::{GENERIC_READ, GENERIC_WRITE};
    use windows::Win32::Storage::FileSystem::{
        CreateFileW, FILE_FLAGS_AND_ATTRIBUTES, FILE_SHARE_READ, FILE_SHARE_WRITE, OPEN_EXISTING,
    };

    let (access, share) = (GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE);
    let no_flags = FILE_FLAGS_AND_ATTRIBUTES::default();
    // SAFETY: the name is a literal and ends with a zero.
    unsafe { CreateFileW(name, access.0, share, None, OPEN_EXISTING, no_flags, None) }.ok()
}

/// Has a console take escape sequences for what they are, as every terminal does; to the older ones it has to be said.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to consoles has no safe form")]
fn enable_utf8_output(output: windows::Win32::Foundation::HANDLE) {
    use windows::Win32::System::Console::{
        CONSOLE_MODE, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode,
    };

    let mut mode = CONSOLE_MODE::default();
    // SAFETY: the mode is written to a place that outlives the calls, which fail on what is no console.
    unsafe {
        if GetConsoleMode(output, &raw mut mode).is_ok() {
            let _too_old = SetConsoleMode(output, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        }
    }
}

/// Shows one who has no console what went wrong, and waits until it was read.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
pub(crate) fn show_error_box(sentence: &str) {
    use windows::Win32::UI::WindowsAndMessaging::{MB_ICONERROR, MB_OK, MessageBoxW};
    use windows::core::{HSTRING, w};

    let sentence = HSTRING::from(sentence);
    // SAFETY: both texts outlive the call.
    unsafe { MessageBoxW(None, &sentence, w!("Shogibar"), MB_OK | MB_ICONERROR) };
}

/// Elsewhere a program has what it was started from, windows or not.
#[cfg(not(windows))]
pub(crate) const fn join_console() -> bool {
    true
}

/// Elsewhere it can be written to standard error.
#[cfg(not(windows))]
pub(crate) const fn show_error_box(_sentence: &str) {}
