package dev.execserver.server.proxy;

import java.io.IOException;

/** What a proxy does with a connection of its process. */
@FunctionalInterface
interface Service {

    /** Serves it to its end, on a virtual thread of its own. The visit is closed afterwards. */
    void serve(Visit visit) throws IOException, InterruptedException;
}
