"""Connects to a server in the way that is named and prints the first line of the answer to an upgrade."""
import array
import ctypes
import os
import socket
import sys
import threading
import time

host, port, way = sys.argv[1], int(sys.argv[2]), sys.argv[3]
upgrade = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
).encode()
libc = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, CLONE_FILES, SO_BINDTODEVICE = 4, 0x400, 25


def connect():
    return socket.create_connection((host, port), 30)


def answer(s):
    print((s.recv(64) or b"closed").split(b"\r\n")[0].decode(), flush=True)


def ask(s):
    s.sendall(upgrade)
    answer(s)


def give(through, s):
    through.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [s.fileno()]))])


def take(through):
    _, control, _, _ = through.recvmsg(1, socket.CMSG_LEN(4))
    taken = socket.socket(fileno=array.array("i", control[0][2])[0])
    taken.setblocking(True)
    return taken


if way == "plain":
    ask(connect())
elif way == "orphan of two forks in its own session":
    if os.fork():
        time.sleep(5)
    else:
        os.setsid()
        if not os.fork():
            ask(connect())
        os._exit(0)
elif way == "not dumpable":
    libc.prctl(PR_SET_DUMPABLE, 0)
    ask(connect())
elif way == "taken over from a child that has ended":
    here, there = socket.socketpair()
    if os.fork() == 0:
        give(there, connect())
        os._exit(0)
    os.wait()
    ask(take(here))
elif way == "in the queue of a Unix socket":
    here, there = socket.socketpair()
    s = connect()
    s.sendall(upgrade)
    give(there, s)
    s.close()
    time.sleep(3)
    answer(take(here))
elif way == "bound to an interface":
    s = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    s.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, b"lo\0")
    s.connect((host, port))
    ask(s)
elif way == "in the descriptors of one thread":
    def alone():
        libc.unshare(CLONE_FILES)
        ask(connect())

    thread = threading.Thread(target=alone)
    thread.start()
    thread.join()
elif way == "health check":
    s = connect()
    s.sendall(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    answer(s)
elif way == "files":
    s = connect()
    s.sendall(b"GET /files?path=/etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    answer(s)
elif way == "after its parent":
    server = os.getppid()
    if os.fork() == 0:
        os.setsid()
        while os.path.exists("/proc/%d" % server):
            time.sleep(0.05)
        ask(connect())
elif way == "many that end together":
    for _ in range(100):
        connect_and_send = connect()
        connect_and_send.sendall(upgrade + bytes.fromhex(sys.argv[4]))
        connect_and_send.detach()
    print("sent", flush=True)
    if len(sys.argv) > 5:
        time.sleep(600)
elif way == "without its mark":
    unlimited = (ctypes.c_ulong * 2)(2**64 - 1, 2**64 - 1)
    if libc.prlimit(0, 15, unlimited, None) == 0 or libc.setrlimit(15, unlimited) == 0:
        print("the mark is gone")
    ask(connect())
elif way == "gone at once":
    s = connect()
    s.sendall(upgrade + bytes.fromhex(sys.argv[4]))
    s.shutdown(socket.SHUT_WR)
    os._exit(0)
