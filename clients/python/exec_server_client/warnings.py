"""Warnings of a server about the params of requests; one that was started with `--strict-members warn` gives them."""

from __future__ import annotations

import logging
from typing import Any, Callable

MAX_WARNINGS = 100
"""Most warnings that a server can make us tell."""

MAX_LENGTH = 4_096

WarningHandler = Callable[[str, str], None]

_LOG = logging.getLogger("exec_server_client")


def _log(method: str, warning: str) -> None:
    _LOG.warning("%s: %s", method, visible(warning))


class Warnings:
    """Tells each warning once, to a handler that gets the method and the text as it came."""

    def __init__(self, handler: WarningHandler | None) -> None:
        self._handler = handler or _log
        self._told: set[tuple[str, str]] = set()

    def answered(self, method: str, answer: dict[str, Any]) -> None:
        """Takes an answer, whose warnings stand beside its result or in the data of its error."""
        given = answer.get("warnings")
        error = answer.get("error")
        if isinstance(error, dict):
            data = error.get("data")
            given = [data.get("warnings")] if isinstance(data, dict) else None
        if isinstance(given, list):
            for text in given:
                if isinstance(text, str):
                    self.tell(method, text[:MAX_LENGTH])

    def tell(self, method: str, text: str) -> None:
        """Tells a warning about a method."""
        if len(self._told) >= MAX_WARNINGS or (method, text) in self._told:
            return
        self._told.add((method, text))
        try:
            self._handler(method, text)
        except Exception:  # noqa: BLE001 - a handler of the user
            _LOG.exception("a handler of warnings has failed")


def visible(text: str) -> str:
    """Returns the text with escapes for control characters, line breaks and invisible characters."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii") for char in text
    )
