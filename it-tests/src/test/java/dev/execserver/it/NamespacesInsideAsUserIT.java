package dev.execserver.it;

import dev.execserver.it.support.OwnMounts;

/** With a server of an ordinary user. */
class NamespacesInsideAsUserIT extends NamespacesInsideCases {
    NamespacesInsideAsUserIT() {
        super(OwnMounts.NOBODY);
    }
}
