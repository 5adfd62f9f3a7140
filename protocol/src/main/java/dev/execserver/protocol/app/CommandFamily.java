package dev.execserver.protocol.app;

/** The two families of commands, whose follow-up calls differ in names only. */
public enum CommandFamily {
    /** {@code command/exec} and its follow-up calls. */
    COMMAND("processId", AppMethodNames.OUTPUT_DELTA),
    /** {@code process/spawn} and its siblings. */
    SPAWN("processHandle", AppMethodNames.SPAWN_OUTPUT_DELTA);

    private final String idMember;
    private final String outputDelta;

    CommandFamily(String idMember, String outputDelta) {
        this.idMember = idMember;
        this.outputDelta = outputDelta;
    }

    /** Returns the name of the member that names the command. */
    public String idMember() {
        return idMember;
    }

    /** Returns the method of the notification that carries output. */
    public String outputDelta() {
        return outputDelta;
    }
}
