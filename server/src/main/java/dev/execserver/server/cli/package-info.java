/**
 * Command line of the server; the client commands are in {@code client} below. Start reading at
 * {@link dev.execserver.server.cli.Program}: it chooses the command, parses its options with picocli and turns failures
 * into texts and exit statuses. The options of {@code serve} come from {@link dev.execserver.server.config.Options},
 * without picocli's annotations: reading those by reflection would cost much of the start-up time.
 *
 * <p>Threads: the main thread runs the command; {@link dev.execserver.server.cli.SignalExit} adds a shutdown hook and
 * {@link dev.execserver.server.cli.StdinWatch} a daemon thread. Locks: none.
 */
package dev.execserver.server.cli;
