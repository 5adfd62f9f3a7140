package dev.execserver.server.cli.client;

/**
 * The key that ends {@code attach} on a terminal and leaves the program running: Ctrl-], as in telnet.
 *
 * @param armed whether it is looked out for at all
 * @param action what it does
 */
record DetachKey(boolean armed, Runnable action) {
    private static final byte KEY = 0x1d;

    /** Where it stands in what was typed, or the length when it was not pressed. */
    int find(byte[] typed, int length) {
        int index = 0;
        while (index < length && !(armed && typed[index] == KEY)) {
            index++;
        }
        return index;
    }
}
