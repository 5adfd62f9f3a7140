package dev.execserver.it;

import java.util.List;
import org.junit.jupiter.api.Timeout;

/** The same with a server that is an ordinary user's. Needs root to begin. */
@Timeout(180)
class PinnedProgramsAsUserIT extends PinnedProgramsIT {
    private static final String NOBODY = "65534";

    @Override
    List<String> prefix() {
        return List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all");
    }
}
