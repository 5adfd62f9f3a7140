/**
 * The app-server dialect: commands that belong to a connection and are answered when they have ended.
 *
 * <p>Start at {@link dev.execserver.server.app.AppMethods}, then {@link dev.execserver.server.app.CommandRun}. Reader
 * threads accept requests in order of arrival; each command runs on its request's virtual thread, which also sends its
 * output. The process layer below is the one of {@code process/start}.
 */
package dev.execserver.server.app;
