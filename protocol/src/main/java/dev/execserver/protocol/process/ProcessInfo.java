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
 * @param outputBytes bytes of output so far, dropped ones included
 * @param cpuMs processor time of everything that it has started, in milliseconds; only in {@code session/list}, while it runs or when its exit
 *     tells
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
        long startedAtMs,
        OptionalLong outputBytes,
        OptionalLong cpuMs)
        implements JsonWritable {

    /** Makes a row without use of resources. */
    public ProcessInfo(
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
            long startedAtMs) {
        this(
                processId,
                pid,
                argv,
                cwd,
                tty,
                running,
                stopped,
                exited,
                exitCode,
                closed,
                nextSeq,
                startedAtMs,
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    public ProcessInfo {
        argv = List.copyOf(argv);
    }

    /** Returns the same row with this processor time. */
    public ProcessInfo withCpuMs(OptionalLong used) {
        return new ProcessInfo(
                processId,
                pid,
                argv,
                cwd,
                tty,
                running,
                stopped,
                exited,
                exitCode,
                closed,
                nextSeq,
                startedAtMs,
                outputBytes,
                used);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ProcessInfo read(ParamsReader in, Dialect dialect) {
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
        OptionalLong outputBytes = OptionalLong.empty();
        OptionalLong cpuMs = OptionalLong.empty();
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
                case "outputBytes" -> outputBytes = in.u64OrNull();
                case "cpuMs" -> cpuMs = in.u64OrNull();
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
                startedAtMs,
                outputBytes,
                cpuMs);
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
        JsonFields.ifPresent(g, "outputBytes", outputBytes);
        JsonFields.ifPresent(g, "cpuMs", cpuMs);
        g.writeEndObject();
    }
}
