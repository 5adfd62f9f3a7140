/**
 * Tests of the app-server dialect: {@code command/exec} and its family, against the packaged server.
 *
 * <p>Start at {@link dev.execserver.it.app.CommandExecIT}.
 */
package dev.execserver.it.app;
