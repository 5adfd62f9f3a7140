package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.LinuxPath;

/** A path that an unreadable glob matches. Its parents contain no links; the path itself may be one. */
public record GlobMatch(GlobPattern pattern, LinuxPath path, Kind kind) {}
