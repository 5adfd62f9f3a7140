"""Programs, a terminal and files. Usage: python3 quickstart.py URL"""

import asyncio
import re
import sys
import tempfile

from exec_server_client import Sandbox, connect


async def main(url: str) -> None:
    async with connect(url) as client:
        # One program, its whole output.
        result = await client.run("sort", input=b"b\na\n")
        print(result.text, end="")

        # A program that runs while its output is read.
        async with await client.exec("sh", "-c", "for i in 1 2 3; do echo line $i; done; exit 3") as process:
            async for line in process.stdout:
                print(line.decode(), end="")
            print("exit code", await process.wait())

        # A terminal.
        async with await client.exec("sh", tty=(100, 30)) as shell:
            shell.stdin.write(b"stty size; exit\n")
            await shell.stdin.drain()
            print("size", re.search(r"\d+ \d+", (await shell.stdout.read()).decode())[0])

        # A sandbox that may read everything and write nothing.
        denied = await client.run("touch", "/usr/not-there", sandbox=Sandbox.reading_everything())
        print("denied", denied.exit.denial.get("kind"))

        # Files.
        with tempfile.TemporaryDirectory() as directory:
            await client.files.write(f"{directory}/greeting", b"hello")
            print((await client.files.stat(f"{directory}/greeting")).size, "bytes")


asyncio.run(main(sys.argv[1]))
