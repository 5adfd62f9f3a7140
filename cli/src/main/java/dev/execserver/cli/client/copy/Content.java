package dev.execserver.cli.client.copy;

import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** Bytes of a file from any source. */
interface Content {

    /** Returns the number of bytes. Empty if it cannot be known; the content can be read only once then. */
    OptionalLong size();

    /** Opens the content at the first byte. Close the stream. */
    InputStream open() throws IOException, InterruptedException;
}
