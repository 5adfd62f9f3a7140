package dev.execserver.server.mcp.shell;

import java.util.OptionalLong;

/**
 * Command to be started.
 *
 * @param id of its process
 * @param timeoutMs time after which it is ended
 * @param input true to keep its input open
 * @param tty true for a terminal
 */
record CommandSpec(
        String id, String command, String workdir, boolean login, OptionalLong timeoutMs, boolean input, boolean tty) {}
