"""Sandboxes that are asked for most (docs/permissions.md)."""

from __future__ import annotations

from typing import Any

from .paths import RemotePath, to_uri


class Sandbox:
    """Description of a sandbox: which files may be read and written, and whether there is a network.

    The most specific place decides. Methods return a new description, so one may be shared.

        Sandbox.reading_everything().write("/work").deny("/work/secret").within("/work")
    """

    def __init__(self, entries: tuple[dict[str, Any], ...], network: bool, workspace: str | None) -> None:
        self._entries = entries
        self._network = network
        self._workspace = workspace

    @classmethod
    def reading_everything(cls) -> "Sandbox":
        """All files may be read, none written; no network."""
        return cls((_entry({"type": "special", "value": {"kind": "root"}}, "read"),), False, None)

    @classmethod
    def reading_the_platform(cls) -> "Sandbox":
        """Only what programs of the platform need may be read; no network."""
        return cls((_entry({"type": "special", "value": {"kind": "minimal"}}, "read"),), False, None)

    def read(self, path: RemotePath) -> "Sandbox":
        return self._with(path, "read")

    def write(self, path: RemotePath) -> "Sandbox":
        """Allows writing and reading."""
        return self._with(path, "write")

    def deny(self, path: RemotePath) -> "Sandbox":
        """Denies reading and writing, even inside of an allowed place."""
        return self._with(path, "deny")

    def with_network(self) -> "Sandbox":
        return Sandbox(self._entries, True, self._workspace)

    def within(self, workspace: RemotePath) -> "Sandbox":
        """Sets the workspace, which relative places of the policy mean."""
        return Sandbox(self._entries, self._network, to_uri(workspace))

    def to_wire(self, cwd_uri: str) -> dict[str, Any]:
        """Returns the `sandbox` member of a request."""
        anchor = self._workspace or cwd_uri
        return {
            "permissions": {
                "type": "managed",
                "network": "enabled" if self._network else "restricted",
                "file_system": {"type": "restricted", "entries": list(self._entries)},
            },
            "cwd": anchor,
            "workspaceRoots": [anchor],
            "windowsSandboxLevel": "disabled",
        }

    def _with(self, path: RemotePath, access: str) -> "Sandbox":
        entry = _entry({"type": "path", "path": to_uri(path)}, access)
        return Sandbox(self._entries + (entry,), self._network, self._workspace)


def _entry(path: dict[str, Any], access: str) -> dict[str, Any]:
    return {"path": path, "access": access}


def sandbox_member(sandbox: "Sandbox | dict[str, Any] | str", cwd_uri: str) -> dict[str, Any]:
    """Returns the member for a description, for the JSON object itself, or for the name of a profile of the server."""
    if isinstance(sandbox, Sandbox):
        return sandbox.to_wire(cwd_uri)
    if isinstance(sandbox, str):
        return {"profile": sandbox, "cwd": cwd_uri, "workspaceRoots": [cwd_uri]}
    return sandbox
