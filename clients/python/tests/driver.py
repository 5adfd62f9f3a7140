"""Carries out one action of the behaviour suite that all clients share, and prints one JSON object.

    python3 driver.py URL ACTION JSON
"""

import asyncio
import concurrent.futures
import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from exec_server_client import RequestError, Sandbox, connect, sync  # noqa: E402


class Driver:
    def __init__(self, url, args):
        self.url = url
        self.args = args
        self.tokens = 0
        self.warnings = []

    def open(self):
        options = {}
        if "token" in self.args:
            options["token"] = self.token
        if "reconnectMs" in self.args:
            options["reconnect_seconds"] = self.args["reconnectMs"] / 1000
        if "sessionName" in self.args:
            options["session_name"] = self.args["sessionName"]
        if self.args.get("takeWarnings"):
            options["on_warning"] = lambda method, warning: self.warnings.append(f"{method}: {warning}")
        return connect(self.url, **options)

    def token(self):
        self.tokens += 1
        return f"{self.args['token']}{self.tokens if self.args.get('countTokens') else ''}"

    async def output(self, client):
        options = {}
        if self.args.get("readOnly"):
            options["sandbox"] = Sandbox.reading_everything()
        if "timeoutMs" in self.args:
            options["timeout"] = self.args["timeoutMs"] / 1000
        merge = self.args.get("merge", False)
        p = await client.exec(*self.args["argv"], merge_stderr=merge, **options)
        print("started", file=sys.stderr, flush=True)
        out, err = await asyncio.gather(digest(p.stdout), digest(None if merge else p.stderr))
        await p.wait_closed()
        return {**out, "stderrBytes": err["bytes"], **told(p.exit)}

    async def stderrOnly(self, client):
        p = await client.exec(*self.args["argv"])
        err = await digest(p.stderr)
        await p.wait()
        return {"stderrBytes": err["bytes"], **told(p.exit), "stdoutBytes": (await digest(p.stdout))["bytes"]}

    async def echo(self, client):
        p = await client.exec("cat", stdin=True)
        print("started", file=sys.stderr, flush=True)
        sent = hashlib.sha256()
        received = asyncio.create_task(digest(p.stdout))
        for i in range(self.args["pieces"]):
            piece = f"{i} ".encode() * self.args["repeat"]
            sent.update(piece)
            p.stdin.write(piece)
            await p.stdin.drain()
        p.stdin.write_eof()
        await p.wait_closed()
        return {"same": (await received)["sha256"] == sent.hexdigest(), **told(p.exit)}

    async def terminal(self, client):
        p = await client.exec("sh", "-c", 'stty size; read line; stty size; echo "got $line"', tty=(90, 20))
        text = b""
        async for piece in p.stdout.chunks():
            text += piece
            if text == b"20 90\r\n":
                await p.resize(132, 43)
                p.stdin.write("w\u00f6rd\n".encode())
                await p.stdin.drain()
        await p.wait()
        return {"text": text.decode(), **told(p.exit)}

    async def stale(self, client):
        p = await client.exec("cat", stdin=True)
        await p.close()

        async def write():
            p.stdin.write(b"x")
            await p.stdin.drain()

        failures = []
        for call in (lambda: p.send_signal("TERM"), p.kill, write):
            try:
                await call()
                failures.append("none")
            except Exception as e:
                failures.append(type(e).__name__)
        while left := [one for one in await client.list_processes() if one["running"]]:
            await asyncio.sleep(0.01)
        return {"failures": failures, "left": len(left)}

    async def approval(self, client):
        asked = []

        async def answer(question):
            asked.append(" ".join(question["argv"]))
            return {"decision": self.args["decision"], "reason": "the test says so"}

        client.on_request("exec/approval", answer)
        policy = {"rules": [{"name": "test", "text": self.args["rules"]}]}
        result = await client.run(*self.args["argv"], exec_policy=policy)
        return {"asked": asked, "text": result.text, **told(result.exit)}

    async def warned(self, client):
        for _ in range(2):
            await client.call("environment/status", repeat=True)
        try:
            await client.call("fs/readFile", {"path": "file:///x"}, repeat=True)
        except RequestError:
            pass
        return {"warnings": self.warnings}

    async def observed(self, client):
        script = "echo ready; read -r line; echo got $line; exit 5"
        p = await client.exec("sh", "-c", script, stdin=True)
        async with connect(self.url) as observer:
            row = next(one for one in await observer.list_sessions() if one.get("name") == self.args["sessionName"])
            session, process = row["sessionId"], row["processes"][0]["processId"]
            met = await observer.wait_for(process, {"text": "ready"}, session_id=session)
            seen = b""
            async for sight in observer.follow(session, process):
                seen += b"".join(data for _, data in sight.output)
                if seen == b"ready\n":
                    p.stdin.write(b"w\n")
                    await p.stdin.drain()
                code = sight.exit_code
        own = await p.stdout.read()
        await p.wait()
        return {
            "own": session == client.session_id and process == p.id,
            "met": met["met"],
            "seen": seen.decode(),
            "seenCode": code,
            "text": own.decode(),
            **told(p.exit),
        }

    async def approver(self, client):
        asked = []
        closed = asyncio.get_running_loop().create_future()

        async def answer(question):
            asked.append(question["approverId"])
            if len(asked) > 1:
                await asyncio.wait([closed])
            return {"decision": "deny", "reason": "the other says so"}

        client.on_approval_closed(closed.set_result)
        client.on_request("exec/approval", answer)
        joined = await client.approve(self.args["right"])
        by = (await closed)["by"]
        own = (await client.allow_approver())["token"]
        return {"approverId": joined["approverId"], "by": by, "asked": asked, "own": own}

    async def lostRight(self, client):
        await client.approve(self.args["right"])
        print("started", file=sys.stderr, flush=True)
        while not self.warnings:
            await asyncio.sleep(0.01)
        return {"warnings": self.warnings}

    async def approverFacade(self, client):
        """The same as `approver`, by the client without asyncio."""
        asked = []
        closed = concurrent.futures.Future()
        with sync.connect(self.url) as blocking:

            def answer(question):
                asked.append(question["approverId"])
                if len(asked) > 1:
                    blocking.list_sessions()  # a handler may use the client
                    closed.result(60)
                return {"decision": "deny", "reason": "the other says so"}

            blocking.on_approval_closed(closed.set_result)
            blocking.on_request("exec/approval", answer)
            joined = blocking.approve(self.args["right"])
            by = await asyncio.to_thread(closed.result, 60)
            own = blocking.allow_approver()["token"]
        return {"approverId": joined["approverId"], "by": by["by"], "asked": asked, "own": own}

    async def aborted(self, client):
        work = asyncio.create_task(client.run("sleep", "300"))
        while not [one for one in await client.list_processes() if one["running"]]:
            await asyncio.sleep(0.01)
        work.cancel()
        try:
            await work
            failure = "none"
        except asyncio.CancelledError:
            failure = "aborted"
        while left := [one for one in await client.list_processes() if one["running"]]:
            await asyncio.sleep(0.01)
        return {"failure": failure, "left": len(left)}

    async def facade(self, client):
        """The client without asyncio; it has an event loop on a thread of its own."""
        with sync.connect(self.url) as blocking:
            process = blocking.exec("sh", "-c", "echo one; echo two; exit 4")
            lines = list(process)
            code = process.wait()
            run = blocking.run("cat", input="three")
            path = f"{self.args['directory']}/sync"
            blocking.files.write(path, b"content")
            seen = b"".join(data for sight in blocking.follow(blocking.session_id, process.id) for _, data in sight.output)
            return {
                "lines": [line.decode() for line in lines],
                "exitCode": code,
                "text": run.text,
                "content": blocking.files.read(path).decode(),
                "seen": seen.decode(),
                "sessions": len(blocking.list_sessions()) > 0,
            }

    async def files(self, client):
        directory = self.args["directory"]
        seen = []
        async with await client.files.watch(directory) as watch:
            await client.files.write(f"{directory}/f\u00fcr 100%", b"content")
            async for change in watch:
                seen += [one["path"] for one in change["changes"]]
                break
        large = b"x" * self.args["largeBytes"]
        await client.files.write(f"{directory}/large", large)
        try:
            await client.files.read(f"{directory}/missing")
            missing = "none"
        except Exception as e:
            missing = type(e).__name__
        await client.files.rename(f"{directory}/large", f"{directory}/renamed")
        stat = await client.files.stat(f"{directory}/renamed")
        same = await client.files.read(f"{directory}/renamed") == large
        names = await client.files.list(directory)
        return {"seen": seen, "names": names, "size": stat.size, "same": same, "missing": missing}


async def digest(stream):
    sha = hashlib.sha256()
    size = 0
    if stream is not None:
        async for piece in stream.chunks():
            sha.update(piece)
            size += len(piece)
    return {"sha256": sha.hexdigest(), "bytes": size}


def told(exit):
    return {
        "exitCode": exit.code,
        "reason": exit.reason,
        "sandboxDenied": exit.sandbox_denied,
        "denial": exit.denial.get("kind"),
    }


async def main(url, action, text):
    driver = Driver(url, json.loads(text))
    try:
        async with driver.open() as client:
            result = await getattr(driver, action)(client)
        print(json.dumps(result))
    except Exception as e:
        print(json.dumps({"error": type(e).__name__, "message": str(e), "status": getattr(e, "status", None)}))


asyncio.run(main(*sys.argv[1:]))
