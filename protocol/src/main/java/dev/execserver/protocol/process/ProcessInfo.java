package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One process in the result of {@code process/list}.
 *
 * @param pid absent while the process starts
 * @param running started and not exited
 * @param stopped running, but stopped by a signal (SIGSTOP, Ctrl-Z, ...) until it is continued; written only when true
 * @param nextSeq one more than the highest number used
 * @param startedAtMs milliseconds since 1970
 */
public record ProcessInfo(
        String processId,
        OptionalLong pid,
        List<String> argv,
        PathUri cwd,
        boolean tty,
        boolean running,
        boolean stopped,
        boolean exited,
        OptionalInt exitCode,
        boolean closed,
        long nextSeq,
        long startedAtMs)
        implements JsonWritable {

    public ProcessInfo {
        argv = List.copyOf(argv);
    }

    static ProcessInfo read(ParamsReader in, Dialect dialect) {
        String processId = null;
        OptionalLong pid = OptionalLong.empty();
        List<String> argv = null;
        PathUri cwd = null;
        boolean tty = false;
        boolean running = false;
        boolean stopped = false;
        boolean exited = false;
        OptionalInt exitCode = OptionalInt.empty();
        boolean closed = false;
        long nextSeq = 1;
        long startedAtMs = 0;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "pid" -> pid = in.u64OrNull();
                case "argv" -> argv = in.strings();
                case "cwd" -> cwd = PathUri.parse(in.string(), dialect);
                case "tty" -> tty = in.bool();
                case "running" -> running = in.bool();
                case "stopped" -> stopped = in.bool();
                case "exited" -> exited = in.bool();
                case "exitCode" -> exitCode = in.i32OrNull();
                case "closed" -> closed = in.bool();
                case "nextSeq" -> nextSeq = in.u64();
                case "startedAtMs" -> startedAtMs = in.i64();
                default -> {}
            }
        }
        return new ProcessInfo(
                in.required("processId", processId),
                pid,
                in.required("argv", argv),
                in.required("cwd", cwd),
                tty,
                running,
                stopped,
                exited,
                exitCode,
                closed,
                nextSeq,
                startedAtMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        JsonFields.orNull(g, "pid", pid);
        JsonFields.strings(g, "argv", argv);
        g.writeStringField("cwd", cwd.toUri());
        g.writeBooleanField("tty", tty);
        g.writeBooleanField("running", running);
        if (stopped) {
            g.writeBooleanField("stopped", true);
        }
        g.writeBooleanField("exited", exited);
        JsonFields.orNull(g, "exitCode", exitCode);
        g.writeBooleanField("closed", closed);
        g.writeNumberField("nextSeq", nextSeq);
        g.writeNumberField("startedAtMs", startedAtMs);
        g.writeEndObject();
    }
}
