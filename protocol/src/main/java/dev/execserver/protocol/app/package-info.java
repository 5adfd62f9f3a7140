/**
 * Messages of the app-server dialect that run commands: {@code command/exec} and {@code process/spawn} with their
 * follow-up calls and notifications.
 *
 * <p>Start at {@link dev.execserver.protocol.app.CommandExecParams}. One immutable record per message; no threads, no
 * locks. A connection speaks this dialect if its {@code initialize} has {@code clientInfo}, see
 * {@link dev.execserver.protocol.app.AppInitializeParams}. Decoding errors are those of
 * {@link dev.execserver.protocol.rpc.ParamsReader}; the server gives them the code and the prefix of this dialect.
 */
package dev.execserver.protocol.app;
