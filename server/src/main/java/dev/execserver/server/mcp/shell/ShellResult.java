package dev.execserver.server.mcp.shell;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Result of a command that has ended.
 *
 * @param exitCode of the shell; 128 and the number of the signal that has ended it; 124 at the time limit
 * @param output both streams in the order of arrival
 * @param omittedBytes bytes of {@code output} that are left out
 * @param signaled true if a signal is known to have ended the shell
 * @param sandboxDenied true if the sandbox seems to have refused something
 */
record ShellResult(
        int exitCode,
        String output,
        String stdout,
        String stderr,
        long omittedBytes,
        boolean timedOut,
        boolean signaled,
        boolean sandboxDenied,
        Duration duration)
        implements DirectWritable {
    /** Exit code of timeout(1). */
    static final int TIMED_OUT = 124;

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"exit_code\":");
        out.number(exitCode);
        out.ascii(",\"output\":");
        out.string(output);
        out.ascii(",\"stdout\":");
        out.string(stdout);
        out.ascii(",\"stderr\":");
        out.string(stderr);
        writeDuration(out);
        out.ascii(",\"timed_out\":");
        out.bool(timedOut);
        out.ascii(",\"truncated\":");
        out.bool(omittedBytes > 0);
        out.ascii(",\"omitted_bytes\":");
        out.number(omittedBytes);
        out.ascii(",\"sandbox_denied\":");
        out.bool(sandboxDenied);
        out.write('}');
    }

    /** Writes the member {@code duration} after another one. */
    void writeDuration(MessageBuffer out) {
        out.ascii(",\"duration\":{\"secs\":");
        out.number(duration.toSeconds());
        out.ascii(",\"nanos\":");
        out.number(duration.getNano());
        out.ascii("}");
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        MessageBuffer out = new MessageBuffer();
        writeDirect(out);
        g.writeRawValue(new String(out.array(), out.offset(), out.length(), StandardCharsets.UTF_8));
    }
}
