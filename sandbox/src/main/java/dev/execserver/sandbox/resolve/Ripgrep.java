package dev.execserver.sandbox.resolve;

/**
 * A ripgrep that the server may run outside of sandboxes, and how.
 *
 * @param program canonical path, for messages: what lies there now need not be what is run
 * @param pinned whether no command can change what is run
 */
public record Ripgrep(LinuxPath program, boolean pinned, CommandRunner runner) {}
