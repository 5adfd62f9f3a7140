package dev.execserver.server.sandbox;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.sandbox.linux.Fd;

/**
 * What clients may be told of files that the server looks at itself. A path can lead somewhere else a moment later, so the
 * path is asked about before anything is opened, and what was opened is asked about again. On file workers; each method
 * throws an {@code RpcException} for what the operator's floor hides.
 */
public interface Visibility {

    /** Where there is no floor. */
    Visibility ALL = new Visibility() {
        @Override
        public void require(PathUri path) {}

        @Override
        public void require(Fd opened, PathUri path) {}

        @Override
        public void require(Fd directory, byte[] name, PathUri path) {}
    };

    /** What a path leads to at this moment. */
    void require(PathUri path);

    /** @param path that led there, for the message */
    void require(Fd opened, PathUri path);

    /** A name in an open directory, whether or not it is there. */
    void require(Fd directory, byte[] name, PathUri path);
}
