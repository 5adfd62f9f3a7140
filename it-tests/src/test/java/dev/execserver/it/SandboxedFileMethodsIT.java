package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Policies;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;

/** The same table, carried out by helpers: a policy that denies something, and nothing that the rows are about. */
@Timeout(60)
class SandboxedFileMethodsIT extends FileMethodsIT {

    private static final ObjectNode POLICY =
            Policies.of(Path.of("/var/empty"), entry("root", "write"), entry(Path.of("/var/backups"), "deny"));

    @Override
    JsonNode params(Row row, JsonNode params) {
        boolean takesSandbox = !row.method().matches("fs/(readBlock|writeBlock|close|watch.*|unwatch)");
        if (takesSandbox && params instanceof ObjectNode object && !object.has("sandbox")) {
            object.set("sandbox", POLICY);
        }
        return params;
    }
}
