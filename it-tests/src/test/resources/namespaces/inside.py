"""Tries to get a user namespace, and what only one gives. Prints each call with its answer. Usage: inside.py WORKSPACE"""
import ctypes
import os
import platform
import sys

X86 = platform.machine() == 'x86_64'
NEWUSER, NEWNS, SIGCHLD = 0x10000000, 0x20000, 17
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    return 'ok' if result >= 0 else os.strerror(ctypes.get_errno())


def tell(what, answer):
    print('%s: %s' % (what, answer), flush=True)


def child(number, *arguments):
    """A call that returns twice; the child ends at once."""
    ctypes.set_errno(0)
    pid = libc.syscall(number, *arguments)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return 'ok' if pid > 0 else os.strerror(ctypes.get_errno())


os.chdir(sys.argv[1])
workspace = os.open('.', os.O_RDONLY)
# Without a /proc any descriptor will do: the call is refused before it is looked at.
own = os.open('/proc/self/ns/user', os.O_RDONLY) if os.path.exists('/proc/self/ns/user') else workspace
clone, unshare, setns = (56, 272, 308) if X86 else (220, 97, 268)
mount, umount, pivot, chroot = (165, 166, 155, 161) if X86 else (40, 39, 41, 51)

tell('clone', child(clone, ctypes.c_long(NEWUSER | SIGCHLD), None, None, None, None))
tell('clone with mounts', child(clone, ctypes.c_long(NEWUSER | NEWNS | SIGCHLD), None, None, None, None))
arguments = (ctypes.c_uint64 * 8)(NEWUSER, 0, 0, 0, SIGCHLD, 0, 0, 0)
tell('clone3', child(435, ctypes.byref(arguments), ctypes.c_long(64)))
tell('setns', call(setns, own, NEWUSER))
tell('setns of any kind', call(setns, own, 0))
tell('unshare', call(unshare, NEWUSER))
tell('unshare with mounts', call(unshare, NEWUSER | NEWNS))
tell('unshare of mounts', call(unshare, NEWNS))
tell('mount', call(mount, b'none', b'/tmp', b'tmpfs', 0, None))
tell('remount', call(mount, b'none', b'/', None, 0x1020, None))
tell('open_tree', call(428, -100, b'/tmp', 1))
tell('fsopen', call(430, b'tmpfs', 0))
tell('fsmount', call(432, workspace, 0, 0))
tell('move_mount', call(429, workspace, b'', -100, b'/tmp', 4))
tell('mount_setattr', call(442, -100, b'/', 0, (ctypes.c_uint64 * 4)(0, 1, 0, 0), 32))
tell('pivot_root', call(pivot, b'.', b'.'))
tell('umount2', call(umount, b'.git', 2))
tell('chroot', call(chroot, b'/tmp'))
for name in ('.git', 'denied'):
    try:
        os.rename(name, name + '.moved', src_dir_fd=workspace, dst_dir_fd=workspace)
        tell('rename ' + name, 'ok')
    except OSError as e:
        tell('rename ' + name, e.strerror)
tell('child', child(clone, ctypes.c_long(SIGCHLD), None, None, None, None))
