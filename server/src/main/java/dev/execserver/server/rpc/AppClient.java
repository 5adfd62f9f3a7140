package dev.execserver.server.rpc;

import java.util.Set;

/**
 * Client of a connection that speaks the app-server dialect, as its {@code initialize} describes it.
 *
 * @param experimental true if it may use experimental methods and members
 * @param unwanted notifications that it does not want
 */
public record AppClient(boolean experimental, Set<String> unwanted) {

    public AppClient {
        unwanted = Set.copyOf(unwanted);
    }

    /** Returns true if the client takes this notification. */
    public boolean wants(String notification) {
        return !unwanted.contains(notification);
    }
}
