package dev.execserver.it;

import java.util.List;

/** With a server that has no privilege at all. */
class ForgedStateAsUserIT extends ForgedState {
    private static final int NOBODY = 65534;

    @Override
    List<String> prefix() {
        return List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--bounding-set=-all");
    }

    @Override
    int user() {
        return NOBODY;
    }
}
