/**
 * Server program and its embedding API. Start reading at {@link dev.execserver.server.ExecServer}, which connects all
 * parts by hand; {@link dev.execserver.server.Main} is the command line around it.
 *
 * <p>Threads: {@code Main} runs on the JVM's main thread and waits there until the server ends. Locks: none here.
 */
package dev.execserver.server;
