package dev.execserver.it;

import dev.execserver.it.support.SharedServer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same with the terminals of pty4j. */
class TerminalPty4jIT extends TerminalCases {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.startedThrough("setsid", "--pty", "pty4j");

    @Override
    SharedServer server() {
        return SERVER;
    }
}
