//! Calls of the operating system. The only file of this crate with unsafe code.

/// Makes Windows show a click-through window of this program, found by its title; does nothing if there is none.
///
/// Such a window is layered. Windows does not draw it before `SetLayeredWindowAttributes` is called.
#[cfg(all(windows, feature = "gui"))]
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
pub(crate) fn show_layered(title: &str) {
    use windows::Win32::Foundation::COLORREF;
    use windows::Win32::UI::WindowsAndMessaging::{
        FindWindowExW, GetWindowThreadProcessId, LWA_ALPHA, SetLayeredWindowAttributes,
    };
    use windows::core::HSTRING;

    let (title, mut before) = (HSTRING::from(title), None);
    // SAFETY: the title and the variable for the process id outlive the calls. A window that has closed in the meantime
    // is only an error.
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

/// Does nothing: only Windows needs the call.
#[cfg(all(not(windows), feature = "gui"))]
pub(crate) const fn show_layered(_title: &str) {}

/// Returns the name of the OpenGL renderer, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
#[cfg(feature = "gui")]
#[expect(unsafe_code, reason = "OpenGL has no safe form")]
pub(crate) fn renderer(gl: &eframe::glow::Context) -> String {
    use eframe::glow::{HasContext as _, RENDERER};
    // SAFETY: called while the windows are created, when the context is current on this thread. Elsewhere the
    // call would only fail.
    unsafe { gl.get_parameter_string(RENDERER) }
}

/// Catches the signal that ends a program at a limit of file size (`ulimit -f`). A write then fails with an error.
///
/// Engines do not inherit this, as they would inherit an ignored signal.
#[cfg(unix)]
pub(crate) fn catch_file_size_signal() {
    let _unlikely_to_be_refused =
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Does nothing: only Unix has this signal.
#[cfg(not(unix))]
pub(crate) const fn catch_file_size_signal() {}

/// Attaches this program to the console of its parent process, if there is one. Windows gives no console to a program
/// with windows.
///
/// Streams that are redirected to files or pipes are unchanged. Returns whether the user can read standard error.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to consoles has no safe form")]
pub(crate) fn join_console() -> bool {
    use windows::Win32::Storage::FileSystem::{
        FILE_TYPE_DISK, FILE_TYPE_PIPE, FILE_TYPE_UNKNOWN, GetFileType,
    };
    use windows::Win32::System::Console::{
        ATTACH_PARENT_PROCESS, AttachConsole, GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE,
        STD_OUTPUT_HANDLE, SetStdHandle,
    };
    use windows::core::w;

    let streams = [
        (STD_INPUT_HANDLE, w!("CONIN$")),
        (STD_OUTPUT_HANDLE, w!("CONOUT$")),
        (STD_ERROR_HANDLE, w!("CONOUT$")),
    ];
    // SAFETY: an invalid handle is only reported as unknown.
    let kind = |handle| unsafe { GetFileType(handle) };
    // SAFETY: as above.
    let handles = streams.map(|(stream, _)| unsafe { GetStdHandle(stream) }.ok());
    let handles = handles.map(|handle| handle.filter(|handle| kind(*handle) != FILE_TYPE_UNKNOWN));
    // A program that uses no console, such as an engine, must not be ended by Ctrl-C in the console.
    if handles
        .iter()
        .all(|handle| handle.is_some_and(|handle| [FILE_TYPE_DISK, FILE_TYPE_PIPE].contains(&kind(handle))))
    {
        return true;
    }
    // SAFETY: no preconditions. It fails where there is no console, or where one is attached already.
    let attached = unsafe { AttachConsole(ATTACH_PARENT_PROCESS) }.is_ok();
    for ((stream, name), inherited) in streams.into_iter().zip(handles) {
        // The inherited handles are set again, as attaching may have replaced them by the console.
        let handle = inherited.or_else(|| if attached { open_console(name) } else { None });
        if let Some(handle) = handle {
            // SAFETY: the handle is open and is never closed. If the call fails, the stream is unchanged.
            let _as_it_was = unsafe { SetStdHandle(stream, handle) };
            if stream != STD_INPUT_HANDLE {
                enable_escape_sequences(handle);
            }
        }
    }
    attached || handles.last().is_some_and(Option::is_some)
}

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

/// Enables escape sequences in a console. Older consoles need this.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to consoles has no safe form")]
fn enable_escape_sequences(output: windows::Win32::Foundation::HANDLE) {
    use windows::Win32::System::Console::{
        CONSOLE_MODE, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode,
    };

    let mut mode = CONSOLE_MODE::default();
    // SAFETY: the mode outlives the calls, which fail on anything but a console.
    unsafe {
        if GetConsoleMode(output, &raw mut mode).is_ok() {
            let _too_old = SetConsoleMode(output, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        }
    }
}

/// Shows an error in a message box, for a user without a console. Returns when the user has closed the box.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
pub(crate) fn show_error_box(sentence: &str) {
    use windows::Win32::UI::WindowsAndMessaging::{MB_ICONERROR, MB_OK, MessageBoxW};
    use windows::core::{HSTRING, w};

    let sentence = HSTRING::from(sentence);
    // SAFETY: both texts outlive the call.
    unsafe { MessageBoxW(None, &sentence, w!("Shogibar"), MB_OK | MB_ICONERROR) };
}

/// Returns true: on other systems every program keeps its parent's streams.
#[cfg(not(windows))]
pub(crate) const fn join_console() -> bool {
    true
}

/// Does nothing: on other systems errors go to standard error.
#[cfg(not(windows))]
pub(crate) const fn show_error_box(_sentence: &str) {}
