/**
 * Commands over HTTP: one request, one command, one result.
 *
 * <p>Start at {@link dev.execserver.server.transport.exec.ExecEndpoint}. The connection's thread waits for the command and sends its
 * result; a second thread reads the connection meanwhile: first the command's input, then its end.
 */
package dev.execserver.server.transport.exec;
