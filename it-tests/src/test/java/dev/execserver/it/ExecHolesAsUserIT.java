package dev.execserver.it;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.ServerProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With a server of an ordinary user. Needs root to begin. */
class ExecHolesAsUserIT extends ExecHoleCases {
    private static final int NOBODY = 65534;

    private static DistributionCopy copy;
    private static ServerProcess server;

    @BeforeAll
    static void start() {
        List<String> user =
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all");
        copy = DistributionCopy.create("exec-holes-");
        server = copy.start(() -> ServerProcess.listening(user, Map.of("HOME", "/")));
    }

    @AfterAll
    static void stop() {
        server.close();
        copy.close();
    }

    @Override
    ServerProcess server() {
        return server;
    }

    @Override
    int user() {
        return NOBODY;
    }
}
