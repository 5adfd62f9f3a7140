"""Uploads a file, reads its end, and replaces it only if nobody has changed it.

Usage: python3 files_over_http.py URL TOKEN PATH
"""

import asyncio
import sys

from exec_server_client import RequestError, connect


async def main(url: str, token: str, path: str) -> None:
    async with connect(url, token=token) as client:
        await client.transfers.upload(b"hello world", path)
        async with await client.transfers.open(path, start=6) as end:
            text = b"".join([piece async for piece in end]).decode()
            print(text, end.size, "bytes")
        await client.transfers.upload(b"changed", path)
        try:
            await client.transfers.upload(b"too late", path, if_match=end.tag)
        except RequestError as e:
            print(type(e).__name__, (await client.files.read(path)).decode())


asyncio.run(main(*sys.argv[1:]))
