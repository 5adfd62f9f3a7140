"""Puts the events of one process into order, each once, from pushed events and answers to reads."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any, Callable

MAX_PARKED_BYTES = 1 << 20
"""Most pushed output that waits for an earlier event; what does not fit is read again later."""

MAX_PARKED_EVENTS = 4_096


@dataclass(frozen=True)
class Exit:
    """How a process has ended."""

    code: int
    """Exit code; 128 + N when signal N has ended the process."""
    reason: str | None = None
    """Why the server ended it (`timeout`, `idle`, `memory`, ...), if it did."""
    sandbox_denied: bool | None = None
    """True if the sandbox seems to have kept the process from its work; None if the server did not say."""
    denial: dict[str, Any] = field(default_factory=dict)
    """What the denial was about, where the server knows: `kind`, `path`, `host`, `rule`, `suggestion`."""
    usage: dict[str, Any] = field(default_factory=dict)
    """`cpuMs`, `peakMemoryBytes`, `wallMs`, when the process was started with limits."""


def exit_of(params: dict[str, Any]) -> Exit:
    return Exit(
        code=int(params.get("exitCode", -1) if params.get("exitCode") is not None else -1),
        reason=params.get("reason"),
        sandbox_denied=params.get("sandboxDenied"),
        denial=params.get("denial") or {},
        usage=params.get("usage") or {},
    )


class Sequence:
    """Order of one process. Pushed events may come in any order, twice, or not at all.

    `output(stream, data)` is called for each piece in its order, `gap(bytes or None)` where output is missing, `exited`
    once the exit is known, and `finished()` after the last event.
    """

    def __init__(
        self,
        after: int,
        output: Callable[[str, bytes], None],
        gap: Callable[[int | None], None],
        exited: Callable[[Exit], None],
        finished: Callable[[], None],
    ) -> None:
        self.last = after
        """Number of the last event that was delivered."""
        self.behind = False
        """True if a read has to ask for events that were not taken or not pushed."""
        self.done = False
        self._output = output
        self._gap = gap
        self._exited = exited
        self._finished = finished
        self._parked: dict[int, tuple[str, bytes] | None] = {}
        self._parked_bytes = 0
        self._close_seq: int | None = None
        self._exit_known = False

    @property
    def hole(self) -> bool:
        """True if events wait for an earlier one."""
        return bool(self._parked) or self._close_seq is not None and not self.done

    def pushed_output(self, params: dict[str, Any], room: bool) -> None:
        """Takes `process/output`, unless there is no room for it."""
        seq = int(params["seq"])
        if self.done or seq <= self.last or seq in self._parked:
            return
        data = base64.b64decode(params["chunk"])
        full = self._parked_bytes + len(data) > MAX_PARKED_BYTES or len(self._parked) >= MAX_PARKED_EVENTS
        if not room or (full and seq != self.last + 1):
            self.behind = True
            return
        self._park(seq, (str(params["stream"]), data))
        self._drain()

    def pushed_exit(self, params: dict[str, Any]) -> None:
        """Takes `process/exited`."""
        if self.done:
            return
        self._learn(exit_of(params))
        if params.get("sandboxDenied") is None:
            self.behind = True  # servers of an earlier era say it in the answer to a read
        seq = params.get("seq")
        if seq is not None and seq > self.last:
            self._park(int(seq), None)
            self._drain()

    def pushed_close(self, params: dict[str, Any]) -> None:
        """Takes `process/closed`. One without a number needs a read, which tells whether something is missing."""
        if self.done:
            return
        seq = params.get("seq")
        if seq is None:
            self.behind = True
        else:
            self._close_seq = int(seq)
            self._drain()

    def merge(self, result: dict[str, Any]) -> None:
        """Takes the answer to a read behind `last`."""
        if self.done:
            return
        chunks = result.get("chunks") or []
        first = result.get("firstSeq")
        if first is not None and first > self.last + 1:
            self._skip_to(int(first) - 1, result.get("droppedBytes"))
        for chunk in chunks:
            seq = int(chunk["seq"])
            if seq > self.last and self._parked.get(seq) is None:
                self._park(seq, (str(chunk["stream"]), base64.b64decode(chunk["chunk"])))
        self._drain()
        if result.get("exited"):
            self._learn(exit_of(result))
        next_seq = int(result.get("nextSeq", self.last + 1))
        if chunks:
            # Numbers between the chunks are the exit's, which may come before the last output.
            self._skip_to(max(int(chunk["seq"]) for chunk in chunks), None)
            self.behind = True
        else:
            self._skip_to(next_seq - 1, None)
            if result.get("closed"):
                self._finish()

    def _park(self, seq: int, event: tuple[str, bytes] | None) -> None:
        self._parked[seq] = event
        self._parked_bytes += len(event[1]) if event else 0

    def _drain(self) -> None:
        while self.last + 1 in self._parked:
            self.last += 1
            self._deliver(self._parked.pop(self.last))
        if self._close_seq is not None and self._close_seq <= self.last + 1 and not self._parked:
            self._finish()

    def _skip_to(self, seq: int, dropped: int | None) -> None:
        """Delivers everything up to a number, whatever is missing."""
        if dropped is not None:
            self._gap(dropped)
        for parked in sorted(number for number in self._parked if number <= seq):
            self._deliver(self._parked.pop(parked))
        self.last = max(self.last, seq)
        self._drain()

    def _deliver(self, event: tuple[str, bytes] | None) -> None:
        if event is not None:
            self._parked_bytes -= len(event[1])
            self._output(*event)

    def _learn(self, known: Exit) -> None:
        if not self._exit_known:
            self._exit_known = True
            self._exited(known)

    def _finish(self) -> None:
        if not self.done:
            self.done = True
            self._finished()
