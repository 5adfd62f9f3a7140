package dev.execserver.server.sandbox;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.sandbox.linux.Fd;

/**
 * Decides which files clients may learn about when the server itself looks at them. A path can lead elsewhere a moment
 * later, so callers ask about the path before they open it and about the opened file afterwards. On file workers. Each
 * method throws an {@code RpcException} for a file that the operator's floor hides.
 */
public interface FileVisibility {

    /** Permits all files, for a server without a floor. */
    FileVisibility ALL = new FileVisibility() {
        @Override
        public void require(PathUri path) {}

        @Override
        public void require(Fd opened, PathUri path) {}

        @Override
        public void require(Fd directory, byte[] name, PathUri path) {}
    };

    /** Checks the file that a path leads to now. */
    void require(PathUri path);

    /**
     * Checks an open file.
     *
     * @param path the path that led to it, for the message
     */
    void require(Fd opened, PathUri path);

    /** Checks a name in an open directory; the file may be missing. */
    void require(Fd directory, byte[] name, PathUri path);
}
