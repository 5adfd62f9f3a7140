#!/usr/bin/env python3
"""A wrapper of the escalation protocol, for tests: WRAPPER FILE ARGV0 ARG...

WRAPPER_FAULT makes it break the protocol in one way.
"""
import array, json, os, socket, struct, sys

FAULT = os.environ.get('WRAPPER_FAULT', '')


def send(stream, message, fds=()):
    text = message if isinstance(message, bytes) else json.dumps(message).encode()
    frame = struct.pack('<I', len(text)) + text
    control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else []
    rest = frame[stream.sendmsg([frame], control):]
    if rest:
        stream.sendall(rest)


def receive(stream):
    def exactly(count):
        data = b''
        while len(data) < count:
            part = stream.recv(count - len(data))
            if not part:
                sys.exit('Error: socket closed')
            data += part
        return data

    return json.loads(exactly(struct.unpack('<I', exactly(4))[0]))


def introduce():
    datagrams = socket.socket(fileno=os.dup(int(os.environ['CODEX_ESCALATE_SOCKET'])))
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    fds = [theirs.fileno()]
    if FAULT == 'two descriptors':
        fds.append(0)
    if FAULT == 'a file':
        fds = [os.open('/dev/null', os.O_RDONLY)]
    if FAULT == 'from another':
        if os.fork() == 0:
            datagrams.sendmsg([b'\0'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))])
            os._exit(0)
        os.wait()
    elif FAULT == 'no descriptor':
        datagrams.send(b'\0')
    else:
        datagrams.sendmsg([b'\0'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))])
    theirs.close()
    return ours


file, *argv = sys.argv[1:]
stream = introduce()
own = {'CODEX_ESCALATE_SOCKET', 'BASH_EXEC_WRAPPER', 'EXEC_WRAPPER'}
env = {name: value for name, value in os.environ.items() if name not in own}
request = {'file': file, 'argv': argv, 'workdir': os.environ.get('WRAPPER_CLAIMS', os.getcwd()), 'env': env}
if FAULT == 'a long frame':
    stream.sendall(struct.pack('<I', 0xfffffff0))
elif FAULT == 'no JSON':
    send(stream, b'{"file":')
else:
    send(stream, request)
action = receive(stream)['action']
if action == 'Run':
    try:
        os.execv(file, argv)
    except OSError as error:
        sys.exit(f'Error: {error.strerror}')
if action != 'Escalate':
    reason = action['Deny']['reason']
    sys.exit('Execution denied: ' + reason if reason else 'Execution denied')
if FAULT == 'too few descriptors':
    send(stream, {'fds': [0, 1, 2]}, [0, 1])
elif FAULT == 'a network socket':
    send(stream, {'fds': [0, 1, 2]}, [socket.socket().fileno(), 1, 2])
else:
    send(stream, {'fds': [0, 1, 2]}, [0, 1, 2])
if FAULT == 'goes':
    sys.exit(77)
sys.exit(receive(stream)['exit_code'])
