#!/usr/bin/env python3
"""Runs a program on a kernel that seems to know no notifications of seccomp: PROGRAM ARG..."""
import ctypes, os, platform, struct, sys

SECCOMP = 317 if platform.machine() == 'x86_64' else 277
LOAD, EQUALS, HAS, RETURN = 0x20, 0x15, 0x45, 0x06
rows = [(LOAD, 0, 0, 0), (EQUALS, 0, 3, SECCOMP), (LOAD, 0, 0, 24), (HAS, 0, 1, 8), (RETURN, 0, 0, 0x00050016),
        (RETURN, 0, 0, 0x7fff0000)]
code = b''.join(struct.pack('HBBI', *row) for row in rows)
buffer = ctypes.create_string_buffer(code, len(code))
program = struct.pack('HxxxxxxP', len(rows), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
    sys.exit('no filter: ' + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
