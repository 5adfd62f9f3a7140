package dev.execserver.it;

import dev.execserver.it.support.ServerProcess;

/** The server's user is that of the tests. */
class ReachIT extends ReachCases {
    @Override
    ServerProcess start(String... arguments) {
        return ServerProcess.launched(arguments);
    }
}
