package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** Files that a command may access under a managed profile. */
public sealed interface FileSystemPolicy {

    /** Allows all files. */
    record Unrestricted() implements FileSystemPolicy {}

    /**
     * Allows only what the entries grant. The order of entries has no meaning.
     *
     * @param globScanMaxDepth levels that are searched for unreadable globs, at least 1 (direct children only); empty
     *     for all levels
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

    /** Makes a policy of these entries. */
    static Restricted restricted(Entry... entries) {
        return new Restricted(List.of(entries));
    }

    default void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
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

    /** Writes the members that additional permissions have too. */
    static void writeEntries(JsonGenerator g, ProfileFormat spelling, List<Entry> entries, OptionalInt depth)
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
