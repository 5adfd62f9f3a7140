/**
 * Parts that all commands of the program share: {@link dev.execserver.cli.Command}, the streams that it prints on, exit statuses
 * and handlers of signals. The commands that talk to a server are in {@code client}. The server depends on this module and adds its own
 * commands; this module does not know the server.
 *
 * <p>Threads: a command runs on the main thread; a signal's work runs on a thread of the JVM. Locks: none.
 */
package dev.execserver.cli;
