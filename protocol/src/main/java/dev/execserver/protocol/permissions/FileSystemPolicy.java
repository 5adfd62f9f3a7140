package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** Which files a managed profile lets a command touch. */
public sealed interface FileSystemPolicy {

    /** All of them. */
    record Unrestricted() implements FileSystemPolicy {}

    /**
     * Only what the entries grant; the order of entries means nothing.
     *
     * @param globScanMaxDepth how deep unreadable globs are searched, at least 1 for direct children only; empty for all
     */
    record Restricted(List<Entry> entries, OptionalInt globScanMaxDepth) implements FileSystemPolicy {
        public Restricted {
            entries = List.copyOf(entries);
            if (globScanMaxDepth.isPresent() && globScanMaxDepth.getAsInt() < 1) {
                throw new IllegalArgumentException("depth must be at least 1");
            }
        }

        public Restricted(List<Entry> entries) {
            this(entries, OptionalInt.empty());
        }
    }

    FileSystemPolicy UNRESTRICTED = new Unrestricted();

    /** A policy of these entries. */
    static Restricted restricted(Entry... entries) {
        return new Restricted(List.of(entries));
    }

    default void write(JsonGenerator g, Spelling spelling) throws IOException {
        g.writeStartObject();
        switch (this) {
            case Unrestricted() -> g.writeStringField("type", "unrestricted");
            case Restricted(List<Entry> entries, OptionalInt depth) -> {
                g.writeStringField("type", "restricted");
                writeEntries(g, spelling, entries, depth);
            }
        }
        g.writeEndObject();
    }

    /** The members that overlays have too. */
    static void writeEntries(JsonGenerator g, Spelling spelling, List<Entry> entries, OptionalInt depth)
            throws IOException {
        g.writeArrayFieldStart("entries");
        for (Entry entry : entries) {
            entry.write(g, spelling);
        }
        g.writeEndArray();
        if (depth.isPresent()) {
            g.writeNumberField(spelling.depth(), depth.getAsInt());
        }
    }
}
