/**
 * Sessions: who owns which processes, and which connection they are attached to.
 *
 * <p>Start reading at {@link dev.execserver.server.session.SessionRegistry}. Reader threads create and end sessions,
 * request threads look processes up. Lock order: registry, session, process, output log.
 */
package dev.execserver.server.session;
