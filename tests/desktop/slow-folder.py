#!/usr/bin/env python3
"""A folder in memory that can hang: a file system in user space, spoken to the kernel without a library.

usage: slow-folder.py FOLDER HANGS
FOLDER: where it is mounted; HANGS: while this file exists, no request is answered

It takes the rights to mount (root) and /dev/fuse; without them it exits with 1. It ends with SIGTERM.
"""
import ctypes, os, signal, stat, struct, sys, time

folder, hangs = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
LOOKUP, FORGET, GETATTR, SETATTR, UNLINK, RENAME, OPEN, READ, WRITE, STATFS, RELEASE, FSYNC = 1, 2, 3, 4, 10, 12, 14, 15, 16, 17, 18, 20
FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, ACCESS, CREATE, INTERRUPT, BATCH_FORGET, RENAME2 = 25, 26, 27, 28, 29, 34, 35, 36, 42, 45
ENOENT, EEXIST, ENOSYS = 2, 17, 38
ROOT = 1


class Refused(Exception):
    pass


class File:
    def __init__(self, mode):
        self.mode, self.data, self.changed = mode, bytearray(), time.time_ns()


names = {}  # The files of the folder: name to node.
nodes = {ROOT: File(stat.S_IFDIR | 0o755)}


def attributes(node):
    file = nodes[node]
    seconds, rest = divmod(file.changed, 10**9)
    size = len(file.data)
    return struct.pack("<6Q10I", node, size, (size + 511) // 512, seconds, seconds, seconds, rest, rest, rest,
                       file.mode, 1, os.getuid(), os.getgid(), 0, 4096, 0)


# Nothing is cached: each look at a file is a request.
def entry(node): return struct.pack("<4Q2I", node, 0, 0, 0, 0, 0) + attributes(node)
def name_in(body): return body.split(b"\0", 1)[0]


def find(name):
    if name not in names: raise Refused(ENOENT)
    return names[name]


def move(body):
    old, new = body.split(b"\0")[:2]
    names[new] = find(old)
    del names[old]
    return b""


def answer(opcode, node, body):
    if opcode == LOOKUP: return entry(find(name_in(body)))
    if opcode == GETATTR: return struct.pack("<Q2I", 0, 0, 0) + attributes(node)
    if opcode == SETATTR:
        valid, _, _, size, _, mtime = struct.unpack_from("<2I4Q", body)
        mode = struct.unpack_from("<I", body, 68)[0]
        file = nodes[node]
        if valid & 1: file.mode = stat.S_IFMT(file.mode) | stat.S_IMODE(mode)
        if valid & 8:
            file.data[size:] = bytes(max(0, size - len(file.data)))
            file.changed = time.time_ns()
        return struct.pack("<Q2I", 0, 0, 0) + attributes(node)
    if opcode == CREATE:
        mode, name = struct.unpack_from("<4I", body)[1], name_in(body[16:])
        if name in names: raise Refused(EEXIST)
        names[name] = node = max(nodes) + 1
        nodes[node] = File(stat.S_IFREG | stat.S_IMODE(mode))
        return entry(node) + struct.pack("<Q2I", 0, 0, 0)
    if opcode in (OPEN, OPENDIR): return struct.pack("<Q2I", 0, 0, 0)
    if opcode == READ:
        _, offset, size = struct.unpack_from("<2QI", body)
        return bytes(nodes[node].data[offset:offset + size])
    if opcode == WRITE:
        _, offset, size = struct.unpack_from("<2QI", body)
        file = nodes[node]
        file.data[offset:offset + size] = body[40:40 + size]
        file.changed = time.time_ns()
        return struct.pack("<2I", size, 0)
    if opcode == READDIR:
        _, offset, size = struct.unpack_from("<2QI", body)
        listed = b""
        for number, (name, child) in list(enumerate(names.items(), 1))[offset:]:
            one = struct.pack("<2Q2I", child, number, len(name), stat.S_IFREG >> 12) + name
            one += bytes(-len(one) % 8)
            if len(listed) + len(one) > size: break
            listed += one
        return listed
    if opcode == UNLINK:
        find(name_in(body))
        del names[name_in(body)]
        return b""
    if opcode == RENAME: return move(body[8:])
    if opcode == RENAME2: return move(body[16:])
    if opcode == STATFS: return struct.pack("<5Q10I", 10**6, 10**6, 10**6, 10**6, 10**6, 4096, 255, 4096, *[0] * 7)
    if opcode in (RELEASE, RELEASEDIR, FLUSH, FSYNC, ACCESS): return b""
    raise Refused(ENOSYS)


def serve(device):
    while True:
        request = os.read(device, 1 << 18)
        opcode, unique, node = struct.unpack_from("<I2Q", request, 4)
        body = request[40:]
        if opcode in (FORGET, BATCH_FORGET, INTERRUPT): continue
        while os.path.exists(hangs): time.sleep(0.02)
        try:
            if opcode == INIT:
                told = struct.pack("<4I2H2I2H8I", 7, 31, 0, 0, 16, 12, 1 << 17, 1, 32, 0, *[0] * 8)
            else:
                told = answer(opcode, node, body)
            error = 0
        except Refused as refused:
            told, error = b"", -refused.args[0]
        os.write(device, struct.pack("<IiQ", 16 + len(told), error, unique) + told)


def end(*_):
    libc.umount2(folder.encode(), 2)  # Also while it is in use.
    os._exit(0)


try:
    device = os.open("/dev/fuse", os.O_RDWR)
except OSError as why:
    sys.exit(f"/dev/fuse: {why.strerror}")
options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
if libc.mount(b"slow", folder.encode(), b"fuse", 0, options.encode()):
    sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")
signal.signal(signal.SIGTERM, end)
try:
    serve(device)
except OSError:  # It was unmounted.
    pass
