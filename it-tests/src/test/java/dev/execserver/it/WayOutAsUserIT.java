package dev.execserver.it;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;

/** The server's user has no privilege at all. */
@DisplayName("C54: the server of an ordinary user is no way out")
class WayOutAsUserIT extends WayOutCases {
    private static final String NOBODY = "65534";

    private static DistributionCopy copy;

    @AfterAll
    static void remove() {
        copy.close();
    }

    @Override
    ServerProcess start(List<String> before, String... arguments) {
        if (copy == null) {
            copy = DistributionCopy.create("way-out-");
        }
        List<String> prefix = new ArrayList<>(before);
        prefix.addAll(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all"));
        return copy.start(() -> ServerProcess.launched(prefix, Map.of(), arguments));
    }
}
