package dev.execserver.it;

import dev.execserver.it.support.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With a server of root. */
class ExecHolesIT extends ExecHoleCases {
    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    ServerProcess server() {
        return server;
    }

    @Override
    int user() {
        return 0;
    }
}
