"""Observers of processes: they see the output and the end, and change nothing."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterator

from .errors import UnexpectedAnswerError

if TYPE_CHECKING:
    from .client import Client

WAIT_SECONDS = 20.0
"""Longest wait of one look at a process."""


@dataclass(frozen=True)
class Sight:
    """What an observer has seen of a process."""

    skipped_bytes: int
    """Bytes between the last sight and this one that were passed over; at the begin those before the first."""
    output: tuple[tuple[str, bytes], ...]
    """Pieces of output, each with its stream: `stdout`, `stderr` or `pty`."""
    exited: bool
    exit_code: int | None
    closed: bool
    """True if the process has exited and all its output was seen."""


async def follow(
    client: "Client", session_id: str, process_id: str, last_bytes: int | None, behind_bytes: int | None
) -> AsyncIterator[Sight]:
    position = 0
    after = 0
    begun = False
    while True:
        most = behind_bytes if begun else last_bytes
        answer = await client.observe(
            session_id,
            process_id,
            wait=WAIT_SECONDS if begun else 0.0,
            afterSeq=after,
            **({} if most is None else {"lastBytes": most}),
        )
        begun = True
        try:
            sight = _sight(answer, position)
            position = answer["endOffset"]
            after = answer["output"]["nextSeq"] - 1
        except (KeyError, TypeError, ValueError) as e:
            raise UnexpectedAnswerError(f"session/observe: {e!r}") from e
        if sight.output or sight.closed or sight.skipped_bytes:
            yield sight
        if sight.closed:
            return


def _sight(answer: dict[str, Any], position: int) -> Sight:
    output = answer["output"]
    return Sight(
        skipped_bytes=max(0, answer["offset"] - position),
        output=tuple((chunk["stream"], base64.b64decode(chunk["chunk"])) for chunk in output["chunks"]),
        exited=output.get("exited") is True,
        exit_code=output.get("exitCode"),
        closed=output.get("closed") is True,
    )
