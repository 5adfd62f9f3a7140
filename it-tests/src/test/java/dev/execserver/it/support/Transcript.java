package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;

/** A recorded conversation from {@code resources/transcripts}, see the README there. */
public record Transcript(String name, List<Line> lines) {
    /** One line; {@code number} counts from 1. */
    public record Line(int number, JsonNode entry) {
        public boolean fromClient() {
            return entry.get("dir").textValue().equals("c2s");
        }

        /** Returns the message, or a missing node if the line is raw or an event. */
        public JsonNode message() {
            return entry.path("msg");
        }

        public boolean binary() {
            return entry.path("binary").asBoolean();
        }

        public byte[] raw() {
            return entry.has("base64")
                    ? Json.bytes(entry.get("base64"))
                    : entry.get("raw").textValue().getBytes(UTF_8);
        }

        public boolean event() {
            return entry.has("event");
        }
    }

    public static Transcript load(String name) {
        return load(name, UnaryOperator.identity());
    }

    /** @param edit applied to the text of every line, to replace paths of the recording by those of this machine */
    public static Transcript load(String name, UnaryOperator<String> edit) {
        try (InputStream in = Transcript.class.getResourceAsStream("/transcripts/" + name + ".jsonl")) {
            List<String> texts = new String(in.readAllBytes(), UTF_8).lines().toList();
            List<Line> lines = new java.util.ArrayList<>();
            for (String text : texts) {
                lines.add(new Line(lines.size() + 1, Json.parse(edit.apply(text))));
            }
            return new Transcript(name, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
