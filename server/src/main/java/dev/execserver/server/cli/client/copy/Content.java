package dev.execserver.server.cli.client.copy;

import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** The bytes of a file, wherever they come from. */
interface Content {

    /** How many they are; empty when that cannot be known, and then they can be had only once. */
    OptionalLong size();

    /** From the first byte on; to be closed. */
    InputStream open() throws IOException, InterruptedException;
}
