package dev.execserver.server.proxy;

import java.time.Duration;

/**
 * What the services of one proxy work with.
 *
 * @param limited the mode lets only reading requests through
 * @param longestWait for the client and for names, before a connection of the process counts as forgotten
 */
record ProxyParts(
        AccessLog log, Judge judge, Outgoing outgoing, ProxyBounds bounds, boolean limited, Duration longestWait) {}
