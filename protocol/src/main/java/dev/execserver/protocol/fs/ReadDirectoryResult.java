package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;

/**
 * Result of {@code fs/readDirectory}, in no particular order. Servers write it with {@link #begin} and {@link #end}, so
 * that the entries of a large directory go straight into the message.
 */
public record ReadDirectoryResult(List<DirectoryEntry> entries) implements DirectWritable {

    public ReadDirectoryResult {
        entries = List.copyOf(entries);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ReadDirectoryResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "FsReadDirectoryResponse");
        List<DirectoryEntry> entries = null;
        while (in.next()) {
            if (in.name().equals("entries")) {
                entries = in.structs("FsReadDirectoryEntry", DirectoryEntry::read);
            }
        }
        return new ReadDirectoryResult(in.required("entries", entries));
    }

    /** Writes everything before the first entry. */
    public static void begin(MessageBuffer out) {
        out.ascii("{\"entries\":[");
    }

    /** Writes everything after the last entry. */
    public static void end(MessageBuffer out) {
        out.ascii("]}");
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        begin(out);
        for (int i = 0; i < entries.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            entries.get(i).writeDirect(out);
        }
        end(out);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
