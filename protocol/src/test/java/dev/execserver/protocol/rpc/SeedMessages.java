package dev.execserver.protocol.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Recorded messages, one a line. */
public final class SeedMessages {

    private SeedMessages() {}

    public static List<String> all() {
        try (InputStream in = SeedMessages.class.getResourceAsStream("/seed-messages.jsonl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
