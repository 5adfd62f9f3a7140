/**
 * Sessions: their processes, their owners and the connections that they are attached to.
 *
 * <p>Start reading at {@link dev.execserver.server.session.SessionRegistry}. Reader threads create and end sessions,
 * request threads look up processes. Lock order: registry, session, process, output log.
 */
package dev.execserver.server.session;
