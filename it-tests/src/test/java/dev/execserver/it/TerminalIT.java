package dev.execserver.it;

import dev.execserver.it.support.SharedServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The terminals that the server makes itself. */
class TerminalIT extends TerminalCases {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.startedThrough("setsid");

    @Override
    SharedServer server() {
        return SERVER;
    }
}
