package dev.execserver.it.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.SandboxRows;
import org.junit.jupiter.api.BeforeAll;

/** The rows in the image, as its own user. */
class SandboxRowsInContainerIT extends SandboxRows {
    @BeforeAll
    static void start() {
        // Rows empty /tmp, where the server has its own folder otherwise.
        ServerContainer server = ServerContainer.sandboxing()
                .options("--spill-dir", "/home/exec-server")
                .started();
        Session session = Session.with(server);
        String scratch = "/workspace/rows";
        session.run("mkdir " + scratch);
        String hostNet = session.run("readlink /proc/self/ns/net").text().strip();
        playOn(new Stand(session.client(), scratch, hostNet, () -> {
            session.close();
            server.close();
        }));
    }

    /** The same outcomes; but mount(8) says it in other words to an ordinary user, and id(1) tells who that is. */
    @Override
    protected JsonNode adjusted(String id, JsonNode expected) {
        ObjectNode changed = expected.deepCopy();
        switch (id) {
            case "ro-12" -> changed.remove("stderr_contains");
            case "ro-20" -> changed.put("stdout", "1000\n");
            case "ro-26" -> {
                changed.put("rc", "nonzero");
                changed.remove("stderr_contains");
            }
            // The filter of the container itself is on every program.
            case "ww-49", "nw-22", "nw-23", "nw-25" ->
                changed.put("stdout", expected.get("stdout").asText().replace("Seccomp:\t0", "Seccomp:\t2"));
            default -> {}
        }
        return changed;
    }
}
