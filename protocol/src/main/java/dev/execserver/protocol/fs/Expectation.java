package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** State that a file must have for a write to happen, an addition. It is an object with exactly one member. */
public sealed interface Expectation extends DirectWritable {

    /** Lower-case hexadecimal SHA-256 of the content: {@code {"sha256": ...}}. */
    record Sha256(String hex) implements Expectation {
        private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

        public Sha256 {
            if (!HEX.matcher(hex).matches()) {
                throw RpcException.invalidParams("expect.sha256 must be 64 lower-case hexadecimal digits");
            }
        }
    }

    /** Time of the last change in milliseconds since 1970, as in the metadata: {@code {"mtimeMs": ...}}. */
    record ModifiedAt(long milliseconds) implements Expectation {}

    /** The file does not exist: {@code {"absent": true}}. */
    record Absent() implements Expectation {}

    /** Errors are those of {@link ParamsReader}. No member or several members are refused too. */
    static Expectation read(ParamsReader in) {
        List<Expectation> found = new ArrayList<>();
        while (in.next()) {
            switch (in.name()) {
                case "sha256" -> found.add(new Sha256(in.string()));
                case "mtimeMs" -> found.add(new ModifiedAt(in.i64()));
                case "absent" -> {
                    if (in.bool()) {
                        found.add(new Absent());
                    }
                }
                default -> {}
            }
        }
        if (found.size() != 1) {
            throw RpcException.invalidParams("expect must have one of `sha256`, `mtimeMs` and `absent: true`");
        }
        return found.getFirst();
    }

    @Override
    default void writeDirect(MessageBuffer out) {
        switch (this) {
            case Sha256(String hex) -> out.ascii("{\"sha256\":\"" + hex + "\"}");
            case ModifiedAt(long milliseconds) -> out.ascii("{\"mtimeMs\":" + milliseconds + "}");
            case Absent() -> out.ascii("{\"absent\":true}");
        }
    }

    @Override
    default void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
