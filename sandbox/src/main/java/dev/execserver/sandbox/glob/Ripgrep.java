package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.LinuxPath;

/**
 * A ripgrep that the server may run outside of sandboxes.
 *
 * @param program canonical path, for messages; the pinned program may differ from the file that is there now
 * @param pinned true if no command can change the program that is run
 * @param runner runs the program
 */
public record Ripgrep(LinuxPath program, boolean pinned, CommandRunner runner) {}
