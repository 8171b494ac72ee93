"""Prints the time from a program's start to the first frame of its window and to a number in a part of it, in ms.

Measured from outside, so that programs can be compared: the pixels of the first window with that title are read
about every millisecond. A frame has at least eight colours, unlike an empty window. A number is light.

usage: first-frame.py TITLE LEFT,TOP,RIGHT,BOTTOM|- COMMAND...
"""
import ctypes, subprocess, sys, time
from ctypes import POINTER, byref, c_int, c_uint, c_ulong, c_void_p

title, part, command = sys.argv[1], sys.argv[2], sys.argv[3:]
X = ctypes.CDLL("libX11.so.6")
X.XOpenDisplay.restype = X.XGetImage.restype = c_void_p
X.XDefaultRootWindow.restype, X.XDefaultRootWindow.argtypes = c_ulong, [c_void_p]
X.XSelectInput.argtypes = [c_void_p, c_ulong, ctypes.c_long]
X.XSync.argtypes = [c_void_p, c_int]
X.XPending.argtypes = X.XDestroyImage.argtypes = X.XFree.argtypes = [c_void_p]
X.XNextEvent.argtypes = [c_void_p, c_void_p]
X.XFetchName.argtypes = [c_void_p, c_ulong, c_void_p]
X.XGetGeometry.argtypes = [c_void_p, c_ulong] + [c_void_p] * 7
X.XGetImage.argtypes = [c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_ulong, c_int]


class Image(ctypes.Structure):
    _fields_ = [(name, c_int) for name in ("width", "height", "xoffset", "format")]
    _fields_ += [("data", c_void_p)]
    _fields_ += [(name, c_int) for name in ("byte_order", "unit", "bit_order", "pad", "depth", "line", "bits")]


SUBSTRUCTURE, CREATED, Z_PIXMAP = 1 << 19, 16, 2
# A window not shown yet has no pixels, and a closed one has no name.
ignored = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(lambda *_: 0)
X.XSetErrorHandler(ignored)
display = X.XOpenDisplay(None)
X.XSelectInput(display, X.XDefaultRootWindow(display), SUBSTRUCTURE)
X.XSync(display, 0)


def created():
    event = (c_ulong * 24)()
    while X.XPending(display):
        X.XNextEvent(display, event)
        if event[0] & 0xFFFFFFFF == CREATED:
            yield event[5]


def name(window):
    text = c_void_p()
    if not X.XFetchName(display, window, byref(text)):
        return ""
    found = ctypes.string_at(text).decode(errors="replace")
    X.XFree(text)
    return found


def pixels(window, left=0.0, top=0.0, right=1.0, bottom=1.0):
    root, rest, width, height = c_ulong(), [c_uint() for _ in range(4)], c_uint(), c_uint()
    fields = (root, rest[0], rest[1], width, height, rest[2], rest[3])
    if not X.XGetGeometry(display, window, *map(byref, fields)):
        return []
    x, y = int(left * width.value), int(top * height.value)
    size = int(right * width.value) - x, int(bottom * height.value) - y
    image = X.XGetImage(display, window, x, y, *size, 0xFFFFFFFF, Z_PIXMAP)
    if not image:
        return []
    shape = ctypes.cast(image, POINTER(Image)).contents
    data = memoryview(ctypes.string_at(shape.data, shape.line * shape.height)).cast("I")
    X.XDestroyImage(image)
    return data


def is_light(pixel):
    return min(pixel & 0xFF, pixel >> 8 & 0xFF, pixel >> 16 & 0xFF) > 200


def wait(what, seen):
    while not seen():
        if time.monotonic() > started + 30 or program.poll() is not None:
            sys.exit(f"{title}: no {what}")
        time.sleep(0.001)
    return 1000 * (time.monotonic() - started)


windows, shown = [], []


def is_shown():
    windows.extend(created())
    shown[:] = [window for window in windows if name(window) == title and len(set(pixels(window)[::7])) >= 8]
    return shown


started = time.monotonic()
program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    frame = wait("frame", is_shown)
    where = None if part == "-" else [float(edge) for edge in part.split(",")]
    number = wait("number", lambda: sum(map(is_light, pixels(shown[0], *where))) > 20) if where else frame
    print(f"{frame:.0f} {number:.0f}")
finally:
    program.terminate()
    program.wait()
