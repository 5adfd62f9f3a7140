package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.resolve.FileView.Kind;

/** A path that an unreadable glob matches, without links but perhaps a link itself. */
record GlobMatch(GlobPattern pattern, LinuxPath path, Kind kind) {}
