package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.resolve.FileView.Kind;

/** A path that an unreadable glob matches. Its parents contain no links; the path itself may be one. */
record GlobMatch(GlobPattern pattern, LinuxPath path, Kind kind) {}
