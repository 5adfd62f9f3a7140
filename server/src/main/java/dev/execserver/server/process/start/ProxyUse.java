package dev.execserver.server.process.start;

import java.util.List;

/**
 * Use that a command makes of its own proxy beside the variables.
 *
 * @param transparent true if programs that know no proxy are served
 * @param unixSockets paths of the sockets that the proxy's settings allow
 */
record ProxyUse(boolean transparent, List<String> unixSockets) {
    static final ProxyUse NONE = new ProxyUse(false, List.of());
}
