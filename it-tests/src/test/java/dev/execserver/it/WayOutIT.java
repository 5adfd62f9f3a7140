package dev.execserver.it;

import dev.execserver.it.support.ServerProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

/** The server's user is that of the tests. */
@DisplayName("C54: the server is no way out")
class WayOutIT extends WayOutCases {
    @Override
    ServerProcess start(List<String> prefix, String... arguments) {
        return ServerProcess.launched(prefix, Map.of(), arguments);
    }
}
