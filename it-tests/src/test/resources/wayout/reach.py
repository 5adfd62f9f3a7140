"""Tries everything that one process can do to another one of its user; prints what was not refused."""
import ctypes
import errno
import os
import struct
import sys

pid = int(sys.argv[1])
x86 = os.uname().machine == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(4096)
one = ctypes.create_string_buffer(struct.pack("QQ", 5000, 5000))
vector = ctypes.create_string_buffer(struct.pack("QQ", ctypes.addressof(room), 1))
attributes = ctypes.create_string_buffer(struct.pack("IIQiIQQQ", 48, 0, 0, 10, 0, 0, 0, 0))
mask = ctypes.create_string_buffer(b"\x01" + b"\0" * 127)

NUMBERS = {  # x86-64, arm64
    "prlimit64": (302, 261), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30), "kcmp": (312, 272),
    "perf_event_open": (298, 241), "move_pages": (279, 239), "migrate_pages": (256, 238), "setpgid": (109, 154),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kill": (62, 129), "tkill": (200, 130),
    "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "get_robust_list": (274, 100), "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "setns": (308, 268),
}
REFUSED = (errno.EPERM, errno.EACCES)


def call(label, name, *arguments):
    ctypes.set_errno(0)
    values = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(NUMBERS[name][0 if x86 else 1]), *values)
    error = ctypes.get_errno()
    if result >= 0 or error not in REFUSED:
        print(label, "not refused:", result, errno.errorcode.get(error, error))
    return result


for resource in range(16):
    call("new limit %d" % resource, "prlimit64", pid, resource, one, None)
call("ptrace attach", "ptrace", 16, pid, 0, 0)
call("ptrace seize", "ptrace", 0x4206, pid, 0, 0)
call("process_vm_readv", "process_vm_readv", pid, vector, 1, vector, 1, 0)
call("process_vm_writev", "process_vm_writev", pid, vector, 1, vector, 1, 0)
for which in range(3):
    call("setpriority %d" % which, "setpriority", which, pid if which == 0 else 0, 19)
for which in range(1, 4):
    call("ioprio_set %d" % which, "ioprio_set", which, pid if which == 1 else 0, 3 << 13)
call("sched_setaffinity", "sched_setaffinity", pid, 128, mask)
call("sched_setscheduler", "sched_setscheduler", pid, 5, room)
call("sched_setparam", "sched_setparam", pid, room)
call("sched_setattr", "sched_setattr", pid, attributes, 0)
call("kcmp", "kcmp", os.getpid(), pid, 0, 0, 0)
call("perf_event_open", "perf_event_open", room, pid, -1, -1, 0)
call("move_pages", "move_pages", pid, 0, None, None, None, 0)
call("migrate_pages", "migrate_pages", pid, 1, mask, mask)
for signal in (0,):
    call("kill %d" % signal, "kill", pid, signal)
    call("tkill %d" % signal, "tkill", pid, signal)
    call("tgkill %d" % signal, "tgkill", pid, pid, signal)
info = ctypes.create_string_buffer(struct.pack("iii", 0, 0, -1) + b"\0" * 116)
call("rt_sigqueueinfo", "rt_sigqueueinfo", pid, 0, info)
call("rt_tgsigqueueinfo", "rt_tgsigqueueinfo", pid, pid, 0, info)
pidfd = libc.syscall(ctypes.c_long(434), ctypes.c_long(pid), ctypes.c_long(0))
if pidfd >= 0:
    call("pidfd_send_signal", "pidfd_send_signal", pidfd, 0, None, 0)
    call("pidfd_getfd", "pidfd_getfd", pidfd, 1, 0)
    call("process_madvise", "process_madvise", pidfd, vector, 1, 21, 0)
    call("process_mrelease", "process_mrelease", pidfd, 0)
    call("setns", "setns", pidfd, 0x20000)
call("get_robust_list", "get_robust_list", pid, room, room)
if len(sys.argv) > 2:
    call("shmget", "shmget", 0, 4096, 0o1600)
    call("semget", "semget", 0, 1, 0o1600)
    call("msgget", "msgget", 0, 0o1600)
    call("mq_open", "mq_open", b"way-out", 0o102, 0o600, None)
call("keyctl", "keyctl", 0, -3, 0)
call("add_key", "add_key", b"user", b"way-out", b"x", 1, -3)
call("request_key", "request_key", b"user", b"way-out", None, 0)
for name, mode in (
    ("mem", "rb"), ("mem", "wb"), ("environ", "rb"), ("maps", "rb"), ("auxv", "rb"), ("syscall", "rb"),
    ("oom_score_adj", "wb"), ("comm", "wb"), ("timerslack_ns", "wb"), ("clear_refs", "wb"), ("coredump_filter", "wb"),
    ("uid_map", "wb"), ("setgroups", "wb"), ("attr/current", "wb"), ("task/%d/comm" % pid, "wb"),
):
    try:
        with open("/proc/%d/%s" % (pid, name), mode, buffering=0) as file:
            if mode == "rb":
                file.read(1)
            else:
                file.write(b"1")
        print("/proc", name, mode, "not refused")
    except OSError as e:
        if e.errno not in REFUSED + (errno.ENOENT, errno.EROFS, errno.EIO):
            print("/proc", name, mode, e)
for name in ("root", "cwd", "exe", "fd/1", "ns/mnt", "ns/user"):
    try:
        os.readlink("/proc/%d/%s" % (pid, name))
        print("/proc", name, "not refused")
    except OSError as e:
        if e.errno not in REFUSED:
            print("/proc", name, e)
print("end")
