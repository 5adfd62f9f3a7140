package dev.execserver.server.cli.client;

/** Looks out for the key that ends {@code attach} on a terminal and leaves the program running: Ctrl-], as in telnet. */
record DetachKey(boolean armed, Runnable action) {
    static final DetachKey NONE = new DetachKey(false, () -> {});

    private static final byte KEY = 0x1d;

    /** Whether the input shall not be forwarded any more. */
    boolean pressed(byte[] buffer, int length) {
        if (!armed) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (buffer[i] == KEY) {
                action.run();
                return true;
            }
        }
        return false;
    }
}
