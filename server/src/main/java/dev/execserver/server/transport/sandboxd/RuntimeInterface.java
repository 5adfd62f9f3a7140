package dev.execserver.server.transport.sandboxd;

import dev.execserver.server.concurrent.Timers;

/**
 * The interface of one server, for all addresses on which it is served.
 *
 * @param processes calls over gRPC
 * @param rest requests over HTTP
 * @param timers for deadlines of calls
 */
public record RuntimeInterface(ProcessService processes, RestEndpoint rest, Timers timers) {}
