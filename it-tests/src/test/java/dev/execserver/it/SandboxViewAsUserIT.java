package dev.execserver.it;

import dev.execserver.it.support.OwnMounts;
import org.junit.jupiter.api.BeforeAll;

/** With a server of an ordinary user. */
class SandboxViewAsUserIT extends SandboxViewCases {
    @BeforeAll
    static void open() {
        start(OwnMounts.NOBODY);
    }
}
