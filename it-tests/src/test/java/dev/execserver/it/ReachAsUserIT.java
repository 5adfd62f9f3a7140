package dev.execserver.it;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.ServerProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The server's user has no privilege, and so no capability that would tell it from its commands. */
class ReachAsUserIT extends ReachCases {
    private static final String NOBODY = "65534";

    private static DistributionCopy copy;

    @BeforeAll
    static void copy() {
        copy = DistributionCopy.create("reach-");
    }

    @AfterAll
    static void remove() {
        copy.close();
    }

    @Override
    ServerProcess start(String... arguments) {
        List<String> prefix =
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all");
        return copy.start(() -> ServerProcess.launched(prefix, Map.of(), arguments));
    }
}
