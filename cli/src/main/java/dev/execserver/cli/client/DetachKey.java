package dev.execserver.cli.client;

/**
 * Key that ends {@code attach} on a terminal and leaves the program running: Ctrl-], as in telnet.
 *
 * @param armed true if the key has an effect
 * @param action effect of the key
 */
record DetachKey(boolean armed, Runnable action) {
    private static final byte KEY = 0x1d;

    /** Returns the position of the key in the typed bytes, or the length if it was not pressed. */
    int find(byte[] typed, int length) {
        int index = 0;
        while (index < length && !(armed && typed[index] == KEY)) {
            index++;
        }
        return index;
    }
}
