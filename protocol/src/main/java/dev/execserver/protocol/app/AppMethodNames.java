package dev.execserver.protocol.app;

/** Names of the methods and notifications of the app-server dialect. */
public final class AppMethodNames {

    public static final String EXEC = "command/exec";
    public static final String WRITE = "command/exec/write";
    public static final String RESIZE = "command/exec/resize";
    public static final String TERMINATE = "command/exec/terminate";
    public static final String OUTPUT_DELTA = "command/exec/outputDelta";

    public static final String SPAWN = "process/spawn";
    public static final String WRITE_STDIN = "process/writeStdin";
    public static final String KILL = "process/kill";
    public static final String RESIZE_PTY = "process/resizePty";
    public static final String SPAWN_OUTPUT_DELTA = "process/outputDelta";
    public static final String SPAWN_EXITED = "process/exited";

    public static final String PROFILES = "permissionProfile/list";

    private AppMethodNames() {}
}
