package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Result of {@code command/exec}.
 *
 * @param exitCode its status; 128 + N if signal N ended it, 124 if its time was over
 * @param stdout captured text; empty if it was streamed
 * @param details additions of this server, written in the open dialect only
 */
public record CommandExecResult(int exitCode, String stdout, String stderr, Optional<Details> details)
        implements DirectWritable {

    /**
     * Facts about the end of a command.
     *
     * @param stdoutCapReached true if output was dropped
     * @param timedOut true if its time was over
     * @param signal name of the signal that ended it
     * @param outputDrainTimedOut true if another process still held its output after the exit
     */
    public record Details(
            boolean stdoutCapReached,
            boolean stderrCapReached,
            boolean timedOut,
            Optional<String> signal,
            boolean outputDrainTimedOut) {

        public static final Details NONE = new Details(false, false, false, Optional.empty(), false);
    }

    /** Reads a result of any server; absent additions are false. Errors are those of {@link ParamsReader}. */
    public static CommandExecResult read(JsonSlice result) {
        ParamsReader in = ParamsReader.of(result, "CommandExecResponse");
        Integer exitCode = null;
        String stdout = null;
        String stderr = null;
        boolean stdoutCap = false;
        boolean stderrCap = false;
        boolean timedOut = false;
        boolean drain = false;
        Optional<String> signal = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "exitCode" -> exitCode = in.i32();
                case "stdout" -> stdout = in.string();
                case "stderr" -> stderr = in.string();
                case "stdoutCapReached" -> stdoutCap = in.bool();
                case "stderrCapReached" -> stderrCap = in.bool();
                case "timedOut" -> timedOut = in.bool();
                case "signal" -> signal = in.stringOrNull();
                case "outputDrainTimedOut" -> drain = in.bool();
                default -> {}
            }
        }
        return new CommandExecResult(
                in.required("exitCode", exitCode),
                in.required("stdout", stdout),
                in.required("stderr", stderr),
                Optional.of(new Details(stdoutCap, stderrCap, timedOut, signal, drain)));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"exitCode\":");
        out.number(exitCode);
        out.ascii(",\"stdout\":");
        out.string(stdout);
        out.ascii(",\"stderr\":");
        out.string(stderr);
        details.ifPresent(facts -> {
            out.ascii(",\"stdoutCapReached\":");
            out.bool(facts.stdoutCapReached());
            out.ascii(",\"stderrCapReached\":");
            out.bool(facts.stderrCapReached());
            out.ascii(",\"timedOut\":");
            out.bool(facts.timedOut());
            out.ascii(",\"signal\":");
            facts.signal().ifPresentOrElse(out::string, () -> out.ascii("null"));
            out.ascii(",\"outputDrainTimedOut\":");
            out.bool(facts.outputDrainTimedOut());
        });
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
