package dev.execserver.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The rows with a server that has no privilege at all. */
class SandboxRowsAsUserIT extends SandboxRows {
    private static final String NOBODY = "65534";

    @BeforeAll
    static void start() throws IOException {
        playOn(LocalRowsServer.start(
                "setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all"));
    }

    /** The same outcomes; but mount(8) says it in other words to an ordinary user, and id(1) tells who that is. */
    @Override
    protected JsonNode adjusted(String id, JsonNode expected) {
        ObjectNode changed = expected.deepCopy();
        switch (id) {
            case "ro-12" -> changed.remove("stderr_contains");
            case "ro-20" -> changed.put("stdout", NOBODY + "\n");
            case "ro-26" -> {
                changed.put("rc", "nonzero");
                changed.remove("stderr_contains");
            }
            default -> {}
        }
        return changed;
    }
}
