package dev.execserver.sandbox.plan;

/** Part of the kernel's or of bubblewrap's means that confines a command. */
public enum Backend {
    BUBBLEWRAP("bubblewrap"),
    LANDLOCK("landlock"),
    /** A system call filter only. */
    SECCOMP("seccomp"),
    /** Nothing confines the command. */
    NONE("none");

    private final String text;

    Backend(String text) {
        this.text = text;
    }

    /** Returns the name that clients and logs see. */
    public String text() {
        return text;
    }
}
