package dev.execserver.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.FakeExecServer.Link;
import dev.execserver.it.support.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Server without additions, whose one program prints numbered lines. It pushes the events in disorder and some of them twice,
 * or leaves some out, as a client may see them around a resume; {@code process/read} has all of them.
 */
final class DisorderedServer implements FakeExecServer.Script {
    /** Events that may change places: fewer than what every client parks. */
    private static final int WINDOW = 40;

    private static final int EXIT_CODE = 7;

    private final int chunks;
    private final int leaveOut;
    private final Random random = new Random(7);

    private DisorderedServer(int chunks, int leaveOut) {
        this.chunks = chunks;
        this.leaveOut = leaveOut;
    }

    static DisorderedServer shuffling(int chunks) {
        return new DisorderedServer(chunks, Integer.MAX_VALUE);
    }

    /** Leaves out every n-th event, so that it must be read. */
    static DisorderedServer leavingOut(int chunks, int every) {
        return new DisorderedServer(chunks, every);
    }

    /** Returns all that the program prints. */
    byte[] output() {
        StringBuilder all = new StringBuilder();
        for (int seq = 1; seq <= chunks; seq++) {
            all.append(line(seq));
        }
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void request(Link link, String method, JsonNode id, JsonNode params) throws IOException {
        switch (method) {
            case "initialize" -> link.result(id, FakeExecServer.greeting("s1"));
            case "process/start" -> {
                link.result(id, Json.object("processId", params.get("processId"), "sandboxType", "none"));
                push(link, params.get("processId").textValue());
            }
            case "process/read" -> link.result(id, read(params));
            case "process/terminate" -> link.result(id, Json.object("running", false));
            default -> link.error(id, -32601, "no such method");
        }
    }

    private void push(Link link, String processId) throws IOException {
        List<Integer> order = new ArrayList<>();
        for (int seq = 1; seq <= chunks + 2; seq++) {
            if (seq % leaveOut != 0) {
                order.add(seq);
            }
        }
        for (int from = 0; from < order.size(); from += WINDOW) {
            Collections.shuffle(order.subList(from, Math.min(order.size(), from + WINDOW)), random);
        }
        for (int seq : order) {
            send(link, processId, seq);
            if (random.nextInt(10) == 0) {
                send(link, processId, seq);
            }
        }
    }

    private void send(Link link, String processId, int seq) throws IOException {
        if (seq <= chunks) {
            String chunk = Json.base64(line(seq));
            link.push("process/output", "processId", processId, "seq", seq, "stream", "stdout", "chunk", chunk);
        } else if (seq == chunks + 1) {
            link.push(
                    "process/exited",
                    "processId",
                    processId,
                    "seq",
                    seq,
                    "exitCode",
                    EXIT_CODE,
                    "sandboxDenied",
                    false);
        } else {
            link.push("process/closed", "processId", processId, "seq", seq);
        }
    }

    private JsonNode read(JsonNode params) {
        long after = params.path("afterSeq").longValue();
        long room = params.hasNonNull("maxBytes") ? params.get("maxBytes").longValue() : Long.MAX_VALUE;
        List<JsonNode> found = new ArrayList<>();
        long last = after;
        for (int seq = (int) after + 1; seq <= chunks && (found.isEmpty() || room > 0); seq++) {
            found.add(Json.object("seq", seq, "stream", "stdout", "chunk", Json.base64(line(seq))));
            room -= line(seq).length();
            last = seq;
        }
        return Json.object(
                "chunks",
                found,
                "nextSeq",
                found.isEmpty() ? chunks + 3 : last + 1,
                "exited",
                true,
                "exitCode",
                EXIT_CODE,
                "closed",
                true,
                "failure",
                null,
                "sandboxDenied",
                false);
    }

    private static String line(int seq) {
        return "line " + seq + "\n";
    }
}
