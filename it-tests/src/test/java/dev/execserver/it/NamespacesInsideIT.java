package dev.execserver.it;

import java.util.List;

/** With a server of root. */
class NamespacesInsideIT extends NamespacesInsideCases {
    NamespacesInsideIT() {
        super(List.of());
    }
}
