"""Copies a directory to the server. Usage: python3 upload_tree.py URL SOURCE TARGET"""

import asyncio
import sys

from exec_server_client import connect


async def main(url: str, source: str, target: str) -> None:
    async with connect(url) as client:
        copied = await client.trees.upload(source, target)
        print(f"{copied.files} files, {copied.size} bytes")


asyncio.run(main(*sys.argv[1:]))
