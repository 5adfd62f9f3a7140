package dev.execserver.server.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * One connection of bytes. One thread reads, one writes, any thread closes, which ends both. What is written is handed to the
 * kernel before {@code write} returns.
 */
public interface Wire extends AutoCloseable {

    InputStream input();

    OutputStream output();

    /** Nothing more will be written; the other direction goes on. */
    void shutdownOutput() throws IOException;

    /** The peer's address and port, if it has any. */
    Optional<String> peer();

    @Override
    void close();
}
