package dev.execserver.it;

import java.util.List;

/** Protected names that do not exist, with the server of these tests. */
class MissingNamesIT extends MissingNames {
    MissingNamesIT() {
        super(List.of());
    }
}
