package dev.execserver.client.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads lines of UTF-8 that end with LF or CR LF and have a bounded length. One thread. */
final class LineReader {

    private final InputStream in;
    private final int maxBytes;

    LineReader(InputStream in, int maxBytes) {
        this.in = new BufferedInputStream(in);
        this.maxBytes = maxBytes;
    }

    /**
     * Returns the next line without its end; empty after the last one.
     *
     * @throws IOException also for a line that is too long
     */
    Optional<String> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int octet = in.read();
        if (octet < 0) {
            return Optional.empty();
        }
        while (octet >= 0 && octet != '\n') {
            if (line.size() == maxBytes) {
                throw new IOException("the MCP server has written a line of more than " + maxBytes + " bytes");
            }
            line.write(octet);
            octet = in.read();
        }
        String text = line.toString(UTF_8);
        return Optional.of(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    }
}
