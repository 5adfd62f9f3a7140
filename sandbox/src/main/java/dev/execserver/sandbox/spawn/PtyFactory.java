package dev.execserver.sandbox.spawn;

/** Makes pseudo terminals. Implementations may be called by any thread and do not block. */
public interface PtyFactory {
    /**
     * A new pair whose window has this size before any program can look at it.
     *
     * @throws dev.execserver.sandbox.linux.LinuxException when no terminal or descriptor is left; nothing stays open then
     */
    PtyPair open(int rows, int columns);
}
