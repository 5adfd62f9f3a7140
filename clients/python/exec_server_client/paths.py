"""Paths are strings (or bytes) for callers and `file:` URIs on the wire (docs/protocol.md, "Paths")."""

from __future__ import annotations

import os
import posixpath
from typing import Union
from urllib.parse import quote_from_bytes, unquote_to_bytes

RemotePath = Union[str, bytes, "os.PathLike[str]"]

_PREFIX = "file://"


def to_uri(path: RemotePath) -> str:
    """Returns the URI of an absolute path. A `file:` URI is returned as it is.

    Raises ValueError when the path is not absolute.
    """
    given = os.fspath(path)
    if isinstance(given, str):
        if given.startswith("file:"):
            return given
        given = given.encode("utf-8", "surrogateescape")
    if not given.startswith(b"/"):
        raise ValueError(f"not an absolute path: {os.fsdecode(given)!r}")
    return _PREFIX + quote_from_bytes(given, safe="/-._~")


def from_uri(uri: str) -> str:
    """Returns the native path of a URI of the server. Bytes that are not UTF-8 become surrogates, as in `os.fsdecode`."""
    if not uri.startswith("file:"):
        raise ValueError(f"not a file: URI: {uri!r}")
    rest = uri[len("file:") :]
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        if host not in ("", "localhost"):
            raise ValueError(f"a URI of another machine: {uri!r}")
        rest = slash + path
    return unquote_to_bytes(rest).decode("utf-8", "surrogateescape")


def below(cwd_uri: str, path: RemotePath) -> str:
    """Returns the URI of a path that may be relative to `cwd_uri`."""
    given = os.fspath(path)
    if isinstance(given, bytes):
        given = given.decode("utf-8", "surrogateescape")
    if given.startswith("file:") or given.startswith("/"):
        return to_uri(given)
    return to_uri(posixpath.join(from_uri(cwd_uri), given))
