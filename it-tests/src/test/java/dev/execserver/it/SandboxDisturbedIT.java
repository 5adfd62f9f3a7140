package dev.execserver.it;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** With a server of root. */
class SandboxDisturbedIT extends SandboxDisturbedCases {
    @BeforeAll
    static void open() {
        start(List.of());
    }
}
