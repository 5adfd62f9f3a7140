"""Copies a directory to the server. Usage: python3 upload_tree.py URL SOURCE TARGET"""

import asyncio
import os
import sys

from exec_server_client import Client, connect

IN_FLIGHT = 8


async def upload(client: Client, source: str, target: str) -> int:
    """Uploads a tree and returns the number of its files."""
    slots = asyncio.Semaphore(IN_FLIGHT)

    async def one(path: str, to: str) -> None:
        async with slots:
            with open(path, "rb") as file:
                await client.files.write(to, file.read())
            await client.files.chmod(to, os.stat(path).st_mode & 0o777)

    copies = []
    for folder, _, names in os.walk(source):
        there = os.path.normpath(os.path.join(target, os.path.relpath(folder, source)))
        await client.files.mkdir(there)
        copies += [one(os.path.join(folder, name), os.path.join(there, name)) for name in names]
    await asyncio.gather(*copies)
    return len(copies)


async def main(url: str, source: str, target: str) -> None:
    async with connect(url) as client:
        print(await upload(client, source, target), "files")


asyncio.run(main(*sys.argv[1:]))
