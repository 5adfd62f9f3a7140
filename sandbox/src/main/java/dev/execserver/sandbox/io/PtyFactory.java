package dev.execserver.sandbox.io;

/** Makes pseudo terminals. Any thread may call; implementations do not block. */
public interface PtyFactory {
    /**
     * Makes a pair whose window has this size before any program can read it.
     *
     * @throws dev.execserver.sandbox.linux.LinuxException if no terminal or descriptor is left; nothing stays open then
     */
    PtyPair open(int rows, int columns);
}
