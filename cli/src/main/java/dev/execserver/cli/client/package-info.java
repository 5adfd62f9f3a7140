/**
 * Client commands of the program: {@code run}, {@code attach}, {@code ps}, {@code kill} and {@code cp}; package
 * {@code copy} below does the work of {@code cp}. {@link dev.execserver.cli.client.ClientCommand} lists them and
 * loads nothing else until one is chosen. Start reading at {@link dev.execserver.cli.client.RunCommand}, then
 * {@link dev.execserver.cli.client.OutputRelay}. No other package of the program uses the module client
 * (docs/decisions/0006-command-line-client.md); only {@code RemoteHosts} and {@code RemoteTasks} talk to it.
 *
 * <p>Threads: the main thread runs the command and writes the output; the daemon thread {@code run-stdin} reads
 * standard input, {@code run-window} asks for the window size; {@link dev.execserver.cli.client.SignalRelay}
 * adds a shutdown hook. Locks: none of its own.
 */
package dev.execserver.cli.client;
