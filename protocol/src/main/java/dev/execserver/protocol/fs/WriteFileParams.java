package dev.execserver.protocol.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Params of {@code fs/writeFile}.
 *
 * @param data the content; not checked when received, see {@link Base64Data#check}
 * @param followSymlinks true when absent or null; false refuses a path with a symbolic link in it
 * @param sandbox sandbox context as undecoded JSON
 * @param atomic addition: readers see the old file or the new one, also after a crash
 * @param expect addition: the required state of the file; otherwise nothing is written
 * @param mode addition: permission bits as in chmod(2), which the file gets before its content
 */
public record WriteFileParams(
        PathUri path,
        Base64Data data,
        boolean followSymlinks,
        Optional<JsonSlice> sandbox,
        boolean atomic,
        Optional<Expectation> expect,
        OptionalInt mode)
        implements FileRequest, DirectWritable {

    /** Makes params for a plain write that follows links. */
    public WriteFileParams(PathUri path, Base64Data data) {
        this(path, data, OptionalInt.empty());
    }

    /** Does the same as {@link #WriteFileParams(PathUri, Base64Data)}, and the file gets this mode. */
    public WriteFileParams(PathUri path, Base64Data data, OptionalInt mode) {
        this(path, data, true, Optional.empty(), false, Optional.empty(), mode);
    }

    /** Makes params that keep the mode. */
    public WriteFileParams(
            PathUri path,
            Base64Data data,
            boolean followSymlinks,
            Optional<JsonSlice> sandbox,
            boolean atomic,
            Optional<Expectation> expect) {
        this(path, data, followSymlinks, sandbox, atomic, expect, OptionalInt.empty());
    }

    /** Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. */
    public static WriteFileParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "FsWriteFileParams");
        PathUri path = null;
        Base64Data data = null;
        boolean follow = true;
        Optional<JsonSlice> sandbox = Optional.empty();
        boolean atomic = false;
        Optional<Expectation> expect = Optional.empty();
        OptionalInt mode = OptionalInt.empty();
        while (in.next()) {
            switch (in.name()) {
                case "path" -> path = PathUri.parse(in.string(), dialect);
                case "dataBase64" -> data = in.base64Later();
                case "followSymlinks" -> follow = in.boolOrNull().orElse(true);
                case "sandbox" -> sandbox = in.sliceOrNull();
                case "atomic" -> atomic = dialect.open() && in.boolOrNull().orElse(false);
                case "expect" ->
                    expect = dialect.open() ? in.structOrNull("FsExpectation", Expectation::read) : Optional.empty();
                case "mode" -> mode = dialect.open() ? mode(in) : OptionalInt.empty();
                default -> {}
            }
        }
        return new WriteFileParams(
                in.required("path", path), in.required("dataBase64", data), follow, sandbox, atomic, expect, mode);
    }

    private static OptionalInt mode(ParamsReader in) {
        return OptionalInt.of(in.integer(0, FsLimits.MAX_MODE, "mode"));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"path\":");
        out.string(path.toUri());
        out.ascii(",\"dataBase64\":");
        data.writeDirect(out);
        out.ascii(",\"followSymlinks\":");
        out.bool(followSymlinks);
        out.ascii(",\"sandbox\":");
        sandbox.orElse(JsonSlice.NULL).writeDirect(out);
        if (atomic) {
            out.ascii(",\"atomic\":true");
        }
        expect.ifPresent(expected -> {
            out.ascii(",\"expect\":");
            expected.writeDirect(out);
        });
        mode.ifPresent(bits -> out.ascii(",\"mode\":" + bits));
        out.write('}');
    }

    /**
     * Writes the same as {@link #writeDirect}, but member by member, because clients rewrite paths for servers of the
     * first era.
     */
    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("path", path.toUri());
        g.writeFieldName("dataBase64");
        DirectWritable.copy(data, g);
        g.writeBooleanField("followSymlinks", followSymlinks);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        if (atomic) {
            g.writeBooleanField("atomic", true);
        }
        if (expect.isPresent()) {
            g.writeFieldName("expect");
            DirectWritable.copy(expect.get(), g);
        }
        if (mode.isPresent()) {
            g.writeNumberField("mode", mode.getAsInt());
        }
        g.writeEndObject();
    }

    @Override
    public String method() {
        return FsMethodNames.WRITE_FILE;
    }

    @Override
    public FileUse use() {
        return FileUse.WRITE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.writeFile(this);
    }
}
