"""python.py pushed|asking|client read|starts URL COUNT: milliseconds for COUNT MiB of output, or COUNT starts of /bin/true."""

import asyncio
import base64
import json
import sys
import time
from pathlib import Path

import websockets

sys.path.insert(0, str(Path(__file__).parents[3] / "clients" / "python"))

from exec_server_client import connect  # noqa: E402

CWD = "file:///"


class Bare:
    """Sends, receives, parses and decodes; nothing more. Asks for the output, as the client does, or has it pushed."""

    def __init__(self, url, asking):
        self.url = url
        self.asking = asking
        self.count = 0

    async def __aenter__(self):
        self.socket = await websockets.connect(self.url, max_size=64 << 20, compression=None)
        await self.send("initialize", {"clientName": "bench"})
        await self.socket.recv()
        await self.socket.send('{"method":"initialized","params":{}}')
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def send(self, method, params):
        self.count += 1
        await self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))

    async def run(self, argv):
        process = f"p{self.count}"
        start = {"processId": process, "argv": argv, "cwd": CWD, "env": {}, "tty": False, "arg0": None}
        await self.send("process/start", {**start, "push": not self.asking})
        size = last = 0
        ask = {"processId": process, "maxBytes": 512 << 10, "waitMs": 20_000}
        while True:
            message = json.loads(await self.socket.recv())
            method = message.get("method")
            if method == "process/output":
                size += len(base64.b64decode(message["params"]["chunk"]))
            elif method == "process/closed" and not self.asking:
                return size
            elif method is None and self.asking:
                result = message["result"]
                chunks = result.get("chunks", ())
                for chunk in chunks:
                    size += len(base64.b64decode(chunk["chunk"]))
                    last = chunk["seq"]
                if result.get("closed") and not chunks:
                    return size
                await self.send("process/read", {**ask, "afterSeq": last})


class Client:
    def __init__(self, url):
        self.connecting = connect(url)

    async def __aenter__(self):
        self.session = await self.connecting.__aenter__()
        return self

    async def __aexit__(self, *error):
        await self.connecting.__aexit__(*error)

    async def run(self, argv):
        process = await self.session.exec(*argv, cwd=CWD)
        size = 0
        async for piece in process.stdout.chunks():
            size += len(piece)
        await process.wait_closed()
        return size


async def read(session, mebibytes):
    size = await session.run(["head", "-c", f"{mebibytes}M", "/dev/zero"])
    assert size == mebibytes << 20, size


async def starts(session, times):
    for _ in range(times):
        await session.run(["/bin/true"])


async def main(kind, task, url, count):
    work = {"read": read, "starts": starts}[task]
    session = Client(url) if kind == "client" else Bare(url, kind == "asking")
    async with session:
        await work(session, 20)  # warms up
        begin = time.perf_counter()
        await work(session, int(count))
        print((time.perf_counter() - begin) * 1000)


asyncio.run(main(*sys.argv[1:]))
