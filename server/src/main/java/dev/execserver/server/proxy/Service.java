package dev.execserver.server.proxy;

import java.io.IOException;

/** Serves connections of the process in one protocol. */
@FunctionalInterface
interface Service {

    /** Serves a connection to its end, on a virtual thread of its own. The visit is closed afterwards. */
    void serve(ProxyConnection visit) throws IOException, InterruptedException;
}
