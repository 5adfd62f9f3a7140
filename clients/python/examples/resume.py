"""Leaves a session and takes it up again later. Usage: python3 resume.py URL"""

import asyncio
import sys

from exec_server_client import connect


async def main(url: str) -> None:
    first = await connect(url, session_ttl=60)
    await first.exec("sh", "-c", "sleep 300", env={"JOB": "build"})
    session = first.session_id
    await first.close()  # the program runs on

    async with connect(url, resume=session) as again:
        for process in await again.list_processes():
            print("still runs:", " ".join(process["argv"]))
    # `async with` has ended the session, and the program with it.


asyncio.run(main(sys.argv[1]))
