package dev.execserver.it;

import java.util.List;

/** Protected names that do not exist, with a server that has no privilege at all. */
class MissingNamesAsUserIT extends MissingNames {
    MissingNamesAsUserIT() {
        super(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"));
    }
}
